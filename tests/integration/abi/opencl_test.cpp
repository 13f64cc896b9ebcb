// SPDX-License-Identifier: Apache-2.0
// OpenCL C programs: local memory as an argument, constant memory, vectors, C11 atomics.
#include <cmath>

#include "tests/integration/abi/abi_run.h"

namespace pws::test::opencl_test {
namespace {

using reference::input;
using reference::output;
using reference::random_u32;
using reference::scalar;
using reference::unwritten;
using words = std::vector<uint32_t>;

constexpr const char* file = "opencl.cl";

TEST(opencl, local_memory_as_arguments) {
  constexpr uint32_t n = 192, group = 96;
  const words in = random_u32(3, n, 1u << 30);
  std::vector<uint64_t> expected;
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t first = i / group * group, at = i % group;
    expected.push_back(in[first + group - 1 - at] + (uint64_t{in[first + (at + 1) % group]} << 20));
  }
  // The launch gives sizes in bytes; the second block begins behind the first, aligned for its type.
  const auto make = [&](uint32_t a, uint32_t b) {
    return abi_case(file, "local_arguments", n, group,
                    {input("in", in), scalar<uint32_t>("a", a), scalar<uint32_t>("b", b),
                     output("out", unwritten<uint64_t>(n), expected)});
  };
  expect_results(make(group * 4, group * 8));
  expect_results(make(group * 4 + 4, group * 8));
  expect_error(make(group * 4, group * 8 - 8), testing::HasSubstr("LDS access out of range"));
}

TEST(opencl, vectors_and_constants) {
  constexpr uint32_t n = 128;
  const std::vector<float> in = reference::random_f32(4, 4 * n);
  const words scale{5}, primes{2, 3, 5, 7, 11, 13, 17, 19};
  const auto c = abi_case(file, "vectors", n, 64,
                          {input("in", in), input("out", std::vector<float>(4 * n)), input("scale", scale)});
  for (const abi_build& build : all_builds()) {
    SCOPED_TRACE(to_string(build));
    const child_report r = run_abi(c, build);
    ASSERT_TRUE(r.completed) << r.error;
    std::vector<float> out(4 * n);
    std::memcpy(out.data(), r.arguments[1].data(), r.arguments[1].size());
    for (uint32_t i = 0; i < n; ++i) {
      const float* const v = &in[4 * i];
      // The order of a dot product's sums is the implementation's choice.
      EXPECT_NEAR(out[4 * i], 2 * (v[0] * v[3] + v[1] * v[2]), 1e-6) << i;
      EXPECT_EQ(out[4 * i + 1], std::fma(v[0], v[1], v[2])) << i;
      EXPECT_EQ(out[4 * i + 2], static_cast<float>(primes[i % 8] * 5)) << i;
      EXPECT_EQ(out[4 * i + 3], static_cast<float>(3 * i + 1)) << i;
    }
  }
}

TEST(opencl, atomics_on_generic_pointers) {
  constexpr uint32_t n = 256, group = 64;
  uint32_t sum = 1;
  words expected(n);
  for (uint32_t g = 0; g < n / group; ++g) {
    uint32_t even = 0;
    for (uint32_t i = g * group; i < (g + 1) * group; ++i) (i % 2 == 0 ? even : sum) += i;
    for (uint32_t i = g * group; i < (g + 1) * group; ++i) expected[i] = even;
  }
  expect_results(abi_case(file, "atomics", n, group,
                          {output("sum", words{1}, words{sum}), output("out", unwritten<uint32_t>(n), expected)}));
}

TEST(opencl, a_required_workgroup_size_is_kept) {
  auto c =
      abi_case(file, "vectors", 128, 64, {input("in", words(512)), input("out", words(512)), input("scale", words(1))});
  const std::array<uint32_t, 3> others[] = {{128, 1, 1}, {32, 1, 1}, {1, 64, 1}, {1, 1, 64}, {8, 8, 1}, {1, 1, 1}};
  for (const auto& other : others) {
    c.workgroup = other;
    try {
      run_abi(c, both_fidelities()[0]);
      FAIL() << "no error";
    } catch (const input_error& e) {
      EXPECT_THAT(e.what(), testing::HasSubstr("was compiled for 64x1x1 alone (reqd_work_group_size)"));
    }
  }
}

TEST(opencl, compiler_errors_are_passed_on) {
  EXPECT_TRUE(loader::hip_compiler::is_source("a/b.cl"));
  const temporary_file source(".cl");
  std::FILE* const f = std::fopen(source.path().c_str(), "w");
  ASSERT_NE(f, nullptr);
  std::fputs("__kernel void k(__global int* p) { p[0] = undefined; }\n", f);
  std::fclose(f);
  try {
    loader::load_program(source.path());
    FAIL() << "no error";
  } catch (const input_error& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("use of undeclared identifier 'undefined'"));
  }
}

}  // namespace
}  // namespace pws::test::opencl_test
