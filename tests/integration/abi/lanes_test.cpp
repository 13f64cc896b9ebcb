// SPDX-License-Identifier: Apache-2.0
// Wavefront-wide operations, atomics of every width and scope, and builtins that are one instruction.
#include <algorithm>

#include "tests/integration/abi/abi_run.h"

namespace pws::test::lanes_test {
namespace {

using reference::input;
using reference::output;
using reference::random_u32;
using reference::unwritten;
using words = std::vector<uint32_t>;
using longs = std::vector<uint64_t>;

constexpr const char* file = "lanes.hip";
constexpr uint32_t wave = 64;

// One bit per lane of the wavefront that begins at work-item `first`.
template <class F>
uint64_t ballot(uint32_t first, uint32_t end, F f) {
  uint64_t mask = 0;
  for (uint32_t l = 0; l < wave && first + l < end; ++l) mask |= uint64_t{f(first + l) ? 1u : 0u} << l;
  return mask;
}
uint32_t first_set(uint64_t v) {
  return v == 0 ? 0 : static_cast<uint32_t>(__builtin_ctzll(v)) + 1;
}

TEST(lanes, votes) {
  constexpr uint32_t n = 64 + 40;  // a whole wavefront and an incomplete one
  words in = random_u32(5, n, 1u << 30);
  for (uint32_t i = 0; i < wave; ++i) in[i] %= 1000;
  in[7] = 0;
  in[80] = 3;
  longs expected;
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t first = i / wave * wave;
    const uint64_t odd = ballot(first, n, [&](uint32_t k) { return (in[k] & 1) != 0; });
    const uint64_t three = ballot(first, n, [&](uint32_t k) { return in[k] == 3; });
    const uint64_t large = ballot(first, n, [&](uint32_t k) { return in[k] >= 1000; });
    const uint64_t both = ballot(first, n, [&](uint32_t k) { return (in[k] & 6) == 6; });
    expected.push_back(odd);
    expected.push_back((three != 0 ? 2u : 0u) | (large == 0 ? 1u : 0u));
    expected.push_back((in[i] & 2) != 0 ? both : 0);
    expected.push_back(static_cast<uint32_t>(__builtin_popcountll(odd) * 10000 + __builtin_popcount(in[i]) * 100) +
                       first_set(in[i]) + first_set(odd) +
                       (in[i] == 0 ? 32u : static_cast<uint32_t>(__builtin_clz(in[i]))));
  }
  expect_results(abi_case(file, "votes", n, n, {input("in", in), output("out", unwritten<uint64_t>(4 * n), expected)}));
}

TEST(lanes, shuffles) {
  constexpr uint32_t n = 128;
  const words in = random_u32(6, n, 1u << 30);
  words expected;
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t first = i / wave * wave, l = i % wave;
    // Up and down keep the value where the lane would be outside the wavefront.
    expected.push_back(in[first + (l * 7) % wave]);
    expected.push_back(in[first + (l ^ 5)]);
    expected.push_back(in[l < 3 ? i : i - 3]);
    expected.push_back(in[l + 9 >= wave ? i : i + 9]);
    expected.push_back(in[first + l / 8 * 8 + 2]);
    expected.push_back(in[first] + in[first + 17]);
  }
  expect_results(
      abi_case(file, "shuffles", n, n, {input("in", in), output("out", unwritten<uint32_t>(6 * n), expected)}));
}

uint64_t reversed(uint64_t v, unsigned bits) {
  uint64_t r = 0;
  for (unsigned k = 0; k < bits; ++k) r |= (v >> k & 1) << (bits - 1 - k);
  return r;
}

TEST(lanes, lane_numbers) {
  constexpr uint32_t n = 160;
  words expected;
  for (uint32_t i = 0; i < n; ++i) {
    expected.push_back(i % wave * 1001);
    expected.push_back(static_cast<uint32_t>(reversed(i, 32)) ^ static_cast<uint32_t>(reversed(i, 64) >> 32));
  }
  expect_results(abi_case(file, "lane_numbers", n, n, {output("out", unwritten<uint32_t>(2 * n), expected)}));
}

TEST(lanes, clocks_and_sleep) {
  expect_results(abi_case(file, "waits", 128, 128, {output("out", unwritten<uint64_t>(128), longs(128, 1))}));
}

TEST(lanes, atomics_of_32_bits_in_every_scope) {
  constexpr uint32_t n = 512, group = 128;
  words p(16 + n / 64, 0), after = p;
  p[1] = after[1] = 5000;
  p[3] = p[4] = after[3] = after[4] = 0xffffffff;
  p[8] = after[8] = 40;
  p[15] = after[15] = 77;
  words expected(n);
  std::vector<float> f{0.5f, 0.0f}, sums = f;
  for (uint32_t i = 0; i < n; ++i) {
    after[0] += i;
    after[1] -= 3;
    after[2] = std::max(after[2], i * 7 % 1000);
    after[3] = std::min(after[3], i * 7 % 1000 + 5);
    after[4] &= ~(1u << i % 32);
    after[5] |= 1u << i % 29;
    after[6] ^= i;
    after[7] = after[7] >= 99 ? 0 : after[7] + 1;
    after[8] = after[8] == 0 || after[8] > 99 ? 99 : after[8] - 1;
    after[9 + i / group % 2] += 2;
    after[11] += 3;
    after[12] += 4;
    after[16 + i / 64] += 1;
    sums[0] += 1.0f;
    sums[1] += static_cast<float>(i % 8) * 0.5f;
    expected[i] = i + 1 + (i == 77 ? 1000 : 0);
  }
  after[13] = n - 1 - 100;  // signed: the largest and the smallest of i - 100 and 0
  after[14] = static_cast<uint32_t>(-100);
  after[15] = 0xffffffff;
  expect_results(abi_case(file, "atomics_32", n, group,
                          {output("p", p, after), output("f", f, sums), output("old", words(n, 9), expected)}));
}

TEST(lanes, atomics_of_64_bits) {
  constexpr uint64_t n = 256;
  longs p(8, 0), after = p;
  p[2] = p[3] = after[2] = after[3] = ~uint64_t{0};
  for (uint64_t i = 0; i < n; ++i) {
    after[0] += i << 30;
    after[1] = std::max(after[1], i << 33 | 1);
    after[2] = std::min(after[2], (i + 1) << 33);
    after[3] &= ~(uint64_t{1} << i % 64);
    after[4] |= uint64_t{1} << i % 61;
    after[5] ^= i << 40;
    after[6] += i << 20;
    after[7] = std::max(after[7], i << 35);
  }
  expect_results(
      abi_case(file, "atomics_64", n, 64,
               {output("p", p, after), output("d", std::vector<double>{1.5}, std::vector<double>{1.5 + 0.25 * n})}));
}

TEST(lanes, release_and_acquire_between_workgroups) {
  constexpr uint32_t groups = 12;
  words turn{0}, expected{1};
  for (uint32_t g = 0; g < groups; ++g) expected.push_back(expected.back() * 3 + 1);
  words initial(groups + 1, 0);
  initial[0] = 1;
  expect_results(abi_case(file, "relay", groups * 64, 64,
                          {output("turn", turn, words{groups}), output("out", initial, expected)}));
}

}  // namespace
}  // namespace pws::test::lanes_test
