// SPDX-License-Identifier: Apache-2.0
// Scratch, LDS, device memory, constant memory, and generic pointers to all of them; kernel arguments by value.
#include <array>
#include <cstddef>
#include <numeric>

#include "tests/integration/abi/abi_run.h"

namespace pws::test::memory_spaces_test {
namespace {

using reference::input;
using reference::output;
using reference::random_u32;
using reference::scalar;
using reference::unwritten;
using words = std::vector<uint32_t>;

constexpr const char* file = "memory_spaces.hip";
constexpr uint32_t n = 256;
const words in = random_u32(9, n, 1u << 30);

template <class T, class F>
reference::kernel_case mapped(const std::string& kernel, F f) {
  std::vector<T> expected(n);
  for (uint32_t i = 0; i < n; ++i) expected[i] = f(i);
  return abi_case(file, kernel, n, 128, {input("in", in), output("out", unwritten<T>(n), expected)});
}

TEST(memory_spaces, private_array) {
  expect_results(mapped<uint32_t>("private_array", [](uint32_t i) {
    uint32_t at = in[i];
    for (uint32_t k = 0; k < 64; ++k) at = at % 128 * in[i] + k;
    return at;
  }));
}

TEST(memory_spaces, private_bytes_shorts_and_longs) {
  expect_results(mapped<uint64_t>("private_bytes", [](uint32_t i) {
    std::array<uint8_t, 64> bytes{};
    std::array<uint16_t, 32> shorts{};
    std::array<uint64_t, 16> longs{};
    for (uint32_t k = 0; k < 64; ++k) bytes[(k + in[i]) % 64] = static_cast<uint8_t>(in[i] >> (k % 25));
    for (uint32_t k = 0; k < 32; ++k) shorts[(k + in[i]) % 32] = static_cast<uint16_t>(bytes[k] * 257u + k);
    for (uint32_t k = 0; k < 16; ++k) longs[(k + in[i]) % 16] = shorts[k] * 0x100000001ull;
    uint64_t sum = 0;
    for (uint32_t k = 0; k < 64; ++k) sum = sum * 31 + bytes[k] + shorts[k / 2] + longs[(k + in[i]) % 16];
    return sum;
  }));
}

template <uint32_t N>
uint32_t many_values(uint32_t i) {
  std::array<uint32_t, N> v{};
  for (uint32_t k = 0; k < N; ++k) v[k] = in[(i + k) & 255];
  for (uint32_t k = 0; k < N; ++k) v[k] += v[(k + N / 2) % N] * 3;
  uint32_t sum = 0;
  for (const uint32_t x : v) sum = sum * 33 + x;
  return sum;
}
TEST(memory_spaces, vector_registers_spilled_to_scratch) {
  expect_results(mapped<uint32_t>("spills", many_values<64>));
}
TEST(memory_spaces, spills_of_a_workgroup_of_1024) {
  words expected(1024);
  for (uint32_t i = 0; i < 1024; ++i) expected[i] = many_values<96>(i);
  expect_results(abi_case(file, "bounded_1024", 1024, 1024,
                          {input("in", in), output("out", unwritten<uint32_t>(1024), expected)}));
}
TEST(memory_spaces, scalar_registers_spilled_to_lanes) {
  expect_results(mapped<uint32_t>("scalar_spills",
                                  [](uint32_t i) {
                                    uint32_t sum = 0;
                                    for (uint32_t k = 0; k < 48; ++k) sum = sum * 33 + in[47 - k];
                                    return sum + i % 128;
                                  }),
                 optimised_builds());
}

TEST(memory_spaces, dynamic_lds) {
  auto c = mapped<uint32_t>("dynamic_lds", [](uint32_t i) { return in[i / 128 * 128 + (i + 1) % 128]; });
  c.dynamic_lds = 128 * 4;
  expect_results(c);
  c.dynamic_lds = 128 * 4 - 4;  // one word short: the last work-item's store
  expect_error(c, testing::AllOf(testing::HasSubstr("lane 63"), testing::HasSubstr("LDS access out of range"),
                                 testing::HasSubstr("offset 0x1fc"), testing::HasSubstr("508 bytes of LDS")));
}
TEST(memory_spaces, static_and_dynamic_lds) {
  auto c = mapped<uint32_t>("static_and_dynamic_lds", [](uint32_t i) {
    const uint32_t v = in[i / 128 * 128 + 127 - i % 128];
    return 2 * v;
  });
  c.dynamic_lds = 128 * 8;
  expect_results(c);
}

TEST(memory_spaces, generic_pointers_to_all_of_them) {
  words data = random_u32(10, n, 1000), after = data, expected;
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t which = i % 3;
    const uint32_t before = which == 0 ? i * 3 : which == 1 ? i * 5 + i % 4 : data[i];
    const uint32_t now = before + (which == 1 ? 7 : 9);
    if (which == 2) after[i] = now;
    expected.push_back(before + (which == 0 ? now : i * 3) + (which == 1 ? now : i * 5 + i % 4));
    expected.push_back(which + 1);
  }
  expect_results(abi_case(file, "generic_pointers", n, 64,
                          {output("data", data, after), output("out", unwritten<uint32_t>(2 * n), expected)}));
}

TEST(memory_spaces, device_variables_and_constants) {
  words expected;
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t length[] = {3, 5, 9};
    expected.push_back(7 * 1000 + 40 + 123 + (1u << i % 8) + length[i % 3] * 100000 + i + 1);
  }
  expect_results(abi_case(file, "device_globals", n, n, {output("out", unwritten<uint32_t>(n), expected)}));
}

TEST(memory_spaces, kernels_that_do_nothing) {
  expect_results(abi_case(file, "empty", 1000, 100));
  expect_results(abi_case(file, "empty_with_arguments", 65, 64,
                          {input("a", words(4, 3)), scalar<uint64_t>("b", 1), scalar<double>("c", 2)}));
}

TEST(memory_spaces, four_kib_of_arguments) {
  std::array<uint32_t, 1020> a{};
  for (uint32_t k = 0; k < a.size(); ++k) a[k] = k * 77 + 1;
  words expected(64, 9);
  for (uint32_t k = 0; k < a.size(); ++k) expected[k % 64] += a[k] * (k + 1);
  expect_results(
      abi_case(file, "large_arguments", 64, 64,
               {scalar("a", a), output("out", unwritten<uint32_t>(64), expected), scalar<uint32_t>("add", 9)}));
}

struct mixed {
  uint8_t a;
  double b;
  uint16_t c[3];
  struct {
    uint64_t d;
    float e;
  } inner;
  uint8_t f;
};
TEST(memory_spaces, structs_by_value) {
  const mixed m{200, -2.5, {1, 2, 3}, {uint64_t{1} << 40, 0.125f}, 9};
  const std::vector<double> expected{17, 200, -2.5, 14, static_cast<double>(uint64_t{1} << 40), 0.125, 9, 255};
  expect_results(abi_case(file, "structs_by_value", 1, 1,
                          {scalar<uint8_t>("before", 17), scalar("m", m), scalar<uint8_t>("after", 255),
                           output("out", unwritten<double>(8), expected)}));
}

TEST(memory_spaces, workgroups_of_1024_with_barriers_in_a_loop) {
  words data = random_u32(11, 3072, 1000), sums = data;
  for (int g = 0; g < 3; ++g)
    std::partial_sum(data.begin() + 1024 * g, data.begin() + 1024 * (g + 1), sums.begin() + 1024 * g);
  expect_results(abi_case(file, "barriers_1024", 3072, 1024, {output("data", data, sums)}));
}

}  // namespace
}  // namespace pws::test::memory_spaces_test
