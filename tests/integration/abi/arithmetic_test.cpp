// SPDX-License-Identifier: Apache-2.0
// Arithmetic that takes more than one instruction, or an unusual one: 64- and 128-bit integers, bit fields, halves.
#include "tests/integration/abi/abi_run.h"

namespace pws::test::arithmetic_test {
namespace {

using reference::input;
using reference::output;
using reference::random_source;
using reference::random_u32;
using reference::unwritten;
using words = std::vector<uint32_t>;
using longs = std::vector<uint64_t>;
__extension__ using uint128 = unsigned __int128;
__extension__ using int128 = __int128;

constexpr const char* file = "arithmetic.hip";
constexpr uint32_t n = 256;

// Values of every magnitude, and the extreme ones.
longs spread(uint64_t seed) {
  random_source random(seed);
  longs out{0, 1, ~uint64_t{0}, uint64_t{1} << 63, (uint64_t{1} << 63) - 1, 0xffffffff, uint64_t{1} << 32};
  while (out.size() < n) out.push_back(random.next() >> random.below(64));
  return out;
}

TEST(arithmetic, integers_of_64_and_128_bits) {
  const longs a = spread(1);
  longs b = spread(2), expected;
  std::swap(b[2], b[9]);  // not -1 where `a` is the most negative number: the quotient would not exist
  std::swap(b[3], b[2]);
  for (uint32_t i = 0; i < n; ++i) {
    const uint64_t x = a[i], y = b[i] | 1;
    const auto sx = static_cast<int64_t>(x), sy = static_cast<int64_t>(y);
    const auto x32 = static_cast<uint32_t>(x), y32 = static_cast<uint32_t>(y);
    ASSERT_FALSE(x == uint64_t{1} << 63 && sy == -1);
    const uint128 w = uint128{x} * y + (uint128{y} << 70);
    const longs values{x / y,
                       x % y,
                       static_cast<uint64_t>(sx / sy),
                       static_cast<uint64_t>(sx % sy),
                       static_cast<uint64_t>(uint128{x} * y >> 64),
                       static_cast<uint64_t>(static_cast<uint128>(int128{sx} * sy) >> 64),
                       static_cast<uint64_t>(w),
                       static_cast<uint64_t>(w >> 64),
                       static_cast<uint64_t>(w >> (i % 128)),
                       static_cast<uint64_t>(static_cast<int128>(w) >> (i % 100 + 20)),
                       x32 / (y32 | 1) + static_cast<uint32_t>(static_cast<int32_t>(x32) % 7),
                       x << (y & 63) | x >> ((64 - (y & 63)) & 63)};
    expected.insert(expected.end(), values.begin(), values.end());
  }
  expect_results(
      abi_case(file, "wide_integers", n, 64,
               {input("a", a), input("b", b), output("out", unwritten<uint64_t>(expected.size()), expected)}));
}

int32_t signed_field(uint32_t x, uint32_t at, uint32_t bits) {
  const uint32_t v = x >> at & ((1u << bits) - 1);
  return static_cast<int32_t>(v << (32 - bits)) >> (32 - bits);
}
uint32_t byte_of(uint32_t x, unsigned k) {
  return x >> (8 * k) & 0xff;
}

TEST(arithmetic, bit_fields_and_bytes) {
  const words in = random_u32(12, n, 0xffffffff);
  words expected;
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t x = in[i];
    const uint32_t a = x & 7, b = ((x >> 3) + 5) & 0x7ff, d = (x >> 23 ^ a) & 0x1ff;
    const int32_t c = signed_field(static_cast<uint32_t>(signed_field(x, 14, 9) - 100), 0, 9);
    expected.push_back(a | b << 3 | (static_cast<uint32_t>(c) & 0x1ff) << 14 | d << 23);
    expected.push_back(static_cast<uint32_t>(c));
    expected.push_back((x >> i % 32 & 0x7f) + static_cast<uint32_t>(signed_field(x, i % 25, 6)));
    const uint64_t joined = uint64_t{x} << 32 | ~x;
    // perm's selectors take bytes 0..3 from its second operand and 4..7 from its first: here 5, 1, 4, 0.
    const uint32_t permuted = byte_of(x, 1) << 24 | byte_of(i, 1) << 16 | byte_of(x, 0) << 8 | byte_of(i, 0);
    expected.push_back(static_cast<uint32_t>(joined >> (i & 31)) ^ permuted);
    uint32_t sad = i, lerp = 0;
    for (unsigned k = 0; k < 4; ++k) {
      const uint32_t p = byte_of(x, k), q = byte_of(~x * 3, k);
      sad += p > q ? p - q : q - p;
      lerp |= ((p + byte_of(i, k) + 1) >> 1) << (8 * k);
    }
    expected.push_back(sad + lerp);
    const uint32_t s = i & 31;
    expected.push_back(__builtin_bswap32(x) + (s == 0 ? x : x << s | x >> (32 - s)));
  }
  expect_results(abi_case(file, "bit_fields", n, 64,
                          {input("in", in), output("out", unwritten<uint32_t>(expected.size()), expected)}));
}

TEST(arithmetic, dot_products) {
  const words a = random_u32(13, n, 0xffffffff), b = random_u32(14, n, 0xffffffff);
  std::vector<int32_t> expected;
  for (uint32_t i = 0; i < n; ++i) {
    int32_t sum = 0;
    uint32_t usum = 0;
    for (unsigned k = 0; k < 4; ++k) {
      sum += static_cast<int8_t>(byte_of(a[i], k)) * static_cast<int8_t>(byte_of(b[i], k));
      usum += byte_of(a[i], k) * byte_of(b[i], k);
    }
    expected.push_back(sum);
    expected.push_back(static_cast<int32_t>(usum));
    expected.push_back(static_cast<int8_t>(a[i]) - 4 * static_cast<int8_t>(b[i]) +
                       static_cast<int16_t>(a[i] >> 16) * static_cast<int16_t>(b[i]));
  }
  expect_results(
      abi_case(file, "dot_products", n, 64,
               {input("a", a), input("b", b), output("out", unwritten<int32_t>(expected.size()), expected)}));
}

TEST(arithmetic, pairs_of_halves) {
  std::vector<float> in, expected;
  for (uint32_t i = 0; i < 2 * n; ++i) in.push_back(static_cast<float>(static_cast<int>(i * 37 % 200) - 100) / 4);
  for (uint32_t i = 0; i < n; ++i) {
    const float x = in[2 * i], y = in[2 * i + 1];
    const std::vector<float> values{x + 2,    y - 0.5f, 2 * x,     -0.5f * y,     3 * x,
                                    0.5f * y, 2 - x,    -0.5f - y, x > y ? x : y, -x};
    expected.insert(expected.end(), values.begin(), values.end());
  }
  expect_results(
      abi_case(file, "halves", n, 64, {input("in", in), output("out", unwritten<float>(expected.size()), expected)}));
}

}  // namespace
}  // namespace pws::test::arithmetic_test
