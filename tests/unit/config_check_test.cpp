// SPDX-License-Identifier: Apache-2.0
// Comparison of results with expectations.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

#include "platform/config/files/buffer.h"
#include "platform/config/files/check.h"

namespace pws::platform::config_check_test {
namespace {

template <class T>
std::vector<uint8_t> bytes_of(const std::vector<T>& values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <class T>
check_result compare(element_type type, const std::vector<T>& actual, const std::vector<T>& expected,
                     tolerance_config tolerance = {}, uint64_t first = 0) {
  expect_config expect;
  expect.buffer = "c";
  expect.tolerance = tolerance;
  expect.first = first;
  expect.count = expected.size();
  return check_buffer(expect, type, bytes_of(actual).data(), bytes_of(expected));
}

check_result floats(const std::vector<float>& actual, const std::vector<float>& expected,
                    tolerance_config tolerance = {}) {
  return compare(element_type::f32, actual, expected, tolerance);
}

constexpr float infinity = std::numeric_limits<float>::infinity();

TEST(config_check, equal) {
  const check_result r = floats({1, 2, -0.0f, infinity, std::nanf("")}, {1, 2, 0.0f, infinity, -std::nanf("7")});
  EXPECT_TRUE(r.passed());
  EXPECT_EQ(r.summary(), "c: 5 elements match");
}

TEST(config_check, first_mismatch_and_largest_error) {
  const check_result r = floats({1, 2, 3.5f, 14}, {1, 2, 3, 4});
  EXPECT_FALSE(r.passed());
  EXPECT_EQ(r.mismatches, 2u);
  EXPECT_EQ(r.mismatch_index, 2u);
  EXPECT_EQ(r.expected, "3");
  EXPECT_EQ(r.actual, "3.5");
  EXPECT_EQ(r.difference, 0.5);
  EXPECT_EQ(r.max_error, 10);
  EXPECT_EQ(r.max_error_index, 3u);
  EXPECT_EQ(r.summary(),
            "c: 2 of 4 elements differ; first c[2]: expected 3, got 3.5, difference 0.5; largest error 10 at [3] "
            "(14680064 ulp)");
}

TEST(config_check, each_tolerance_on_its_own) {
  const float next = std::nextafter(1.0f, 2.0f);
  EXPECT_FALSE(floats({next}, {1}).passed());
  EXPECT_TRUE(floats({next}, {1}, {0, 0, 1}).passed());
  EXPECT_FALSE(floats({std::nextafter(next, 2.0f)}, {1}, {0, 0, 1}).passed());
  EXPECT_TRUE(floats({100.5f}, {100}, {0.5, 0, 0}).passed());
  EXPECT_FALSE(floats({100.75f}, {100}, {0.5, 0, 0}).passed());
  EXPECT_TRUE(floats({101}, {100}, {0, 0.01, 0}).passed());
  EXPECT_FALSE(floats({102}, {100}, {0, 0.01, 0}).passed());
  EXPECT_FALSE(floats({1e-30f}, {0}, {0, 0.5, 0}).passed());  // nothing is relative to zero
}

TEST(config_check, a_passing_check_still_reports_its_error) {
  const check_result r = floats({1.25f, 2}, {1, 2}, {0.5, 0, 0});
  EXPECT_TRUE(r.passed());
  EXPECT_EQ(r.summary(), "c: 2 elements match, largest error 0.25 at [0] (2097152 ulp)");
}

TEST(config_check, ulp_across_zero_and_into_denormals) {
  const float tiny = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(floats({-tiny}, {tiny}).max_ulp, 2u);
  EXPECT_TRUE(floats({-tiny}, {tiny}, {0, 0, 2}).passed());
  EXPECT_EQ(compare<double>(element_type::f64, {-1e308}, {1e308}).max_ulp, 2 * 0x7fe1ccf385ebc8a0u);
}

TEST(config_check, infinities_and_nan_meet_no_tolerance) {
  const tolerance_config generous{1e300, 1e300, uint64_t{1} << 62};
  const float most = std::numeric_limits<float>::max();
  EXPECT_FALSE(floats({infinity}, {most}, generous).passed());
  EXPECT_FALSE(floats({most}, {infinity}, generous).passed());
  EXPECT_FALSE(floats({-infinity}, {infinity}, generous).passed());
  EXPECT_FALSE(floats({std::nanf("")}, {1}, generous).passed());
  const check_result r = floats({1}, {std::nanf("")}, generous);
  EXPECT_FALSE(r.passed());
  EXPECT_EQ(r.expected, "nan");
  EXPECT_EQ(r.summary(), "c: 1 of 1 elements differ; first c[0]: expected nan, got 1, difference nan");
}

TEST(config_check, integers) {
  EXPECT_TRUE(compare<int32_t>(element_type::i32, {5}, {4}, {1, 0, 0}).passed());
  EXPECT_FALSE(compare<int32_t>(element_type::i32, {6}, {4}, {1, 0, 0}).passed());
  EXPECT_FALSE(compare<int32_t>(element_type::i32, {5}, {4}, {0, 0, 9}).passed());  // ulp is for reals
  const check_result r = compare<uint64_t>(element_type::u64, {~uint64_t{0}}, {0});
  EXPECT_EQ(r.actual, "18446744073709551615");
  EXPECT_EQ(r.difference, 0x1p64);
  EXPECT_EQ(compare<int8_t>(element_type::i8, {-128}, {127}).difference, -255);
}

TEST(config_check, only_the_chosen_part) {
  const check_result r = compare<int32_t>(element_type::i32, {9, 9, 3, 5, 9}, {3, 4}, {}, 2);
  EXPECT_EQ(r.mismatches, 1u);
  EXPECT_EQ(r.mismatch_index, 3u);  // in the buffer, not in the part
}

TEST(config_check, a_whole_run_against_initial_contents) {
  const std::string dir = testing::TempDir();
  std::ofstream(dir + "/k.hip").put('\n');
  std::ofstream(dir + "/run.yaml") << R"(
machine: {}
program: {source: k.hip, kernel: k}
launch: {grid: 64, workgroup: 64}
arguments:
  - {name: x, type: f32, value: 2}
  - {name: a, type: f32, count: 4, init: {ramp: {start: 1, step: 1}}}
  - {name: c, type: f32, count: 4}
expect:
  a: {expression: a * x}
  c: {constant: 1, first: 1, count: 2}
)";
  const run_config run = load_run(dir + "/run.yaml");
  // In place: the expectation is about what `a` held before the run.
  const auto a = bytes_of<float>({2, 4, 6, 8}), c = bytes_of<float>({0, 1, 1, 0}),
             wrong = bytes_of<float>({0, 1, 2, 0});
  for (const check_result& r : check_run(run, {nullptr, a.data(), c.data()})) EXPECT_TRUE(r.passed()) << r.summary();
  const auto results = check_run(run, {nullptr, a.data(), wrong.data()});
  EXPECT_TRUE(results.at(0).passed());
  EXPECT_EQ(
      results.at(1).summary(),
      "c: 1 of 2 elements differ; first c[2]: expected 1, got 2, difference 1; largest error 1 at [2] (8388608 ulp)");
}

}  // namespace
}  // namespace pws::platform::config_check_test
