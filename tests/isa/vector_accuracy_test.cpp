// SPDX-License-Identifier: Apache-2.0
// Transcendentals over wide ranges against long double: the errors that the headers state. Other rounding modes must
// not matter to the single-precision ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tests/isa/vector_machine.h"
#include "tests/isa/vector_reference.h"

namespace pws::isa::test::vector_accuracy_test {

namespace {

using number = long double;
constexpr number tau = 6.283185307179586476925286766559005768L;

// Both by exact reduction of the argument in turns to an eighth of a turn.
number sine(number turns) {
  return std::sin(tau * std::remainder(turns, 1.0L));
}
number cosine(number turns) {
  return std::cos(tau * std::remainder(turns, 1.0L));
}

struct function {
  const char* mnemonic;
  number (*exact)(number);
  number ulps;       // largest error allowed, in units of the result's last place
  number low, high;  // magnitudes of the arguments; negative ones too where `both`
  bool both;
};
number exp2_of(number x) {
  return std::exp2(x);
}
number log2_of(number x) {
  return std::log2(x);
}
number inverse(number x) {
  return 1 / x;
}
number root(number x) {
  return std::sqrt(x);
}
number inverse_root(number x) {
  return 1 / std::sqrt(x);
}

// 0.54 units for what is interpolated, and correct rounding for reciprocals and roots, the inverse root's too, which
// goes through double.
const function singles[] = {
    {"v_exp_f32", exp2_of, 0.54L, 0x1p-30L, 125, true},
    {"v_exp_legacy_f32", exp2_of, 0.54L, 0x1p-30L, 125, true},
    {"v_log_f32", log2_of, 0.54L, 0x1p-126L, 0x1p127L, false},
    {"v_log_legacy_f32", log2_of, 0.54L, 0x1p-126L, 0x1p127L, false},
    {"v_rcp_f32", inverse, 0.5L, 0x1p-125L, 0x1p125L, true},
    {"v_rcp_iflag_f32", inverse, 0.5L, 0x1p-125L, 0x1p125L, true},
    {"v_rsq_f32", inverse_root, 0.5L, 0x1p-126L, 0x1p127L, false},
    {"v_sqrt_f32", root, 0.5L, 0x1p-126L, 0x1p127L, false},
    {"v_sin_f32", sine, 0.54L, 0x1p-30L, 256, true},
    {"v_cos_f32", cosine, 0.54L, 0x1p-30L, 256, true},
};
const function doubles[] = {
    {"v_rcp_f64", inverse, 0.501L, 0x1p-1020L, 0x1p1020L, true},
    {"v_rsq_f64", inverse_root, 1.5L, 0x1p-1022L, 0x1p1023L, false},
    {"v_sqrt_f64", root, 0.501L, 0x1p-1022L, 0x1p1023L, false},
};
const function halves[] = {
    {"v_exp_f16", exp2_of, 0.51L, 0x1p-14L, 13, true},      {"v_log_f16", log2_of, 0.51L, 0x1p-24L, 65504, false},
    {"v_rcp_f16", inverse, 0.51L, 0x1p-14L, 0x1p14L, true}, {"v_rsq_f16", inverse_root, 0.51L, 0x1p-24L, 65504, false},
    {"v_sqrt_f16", root, 0.51L, 0x1p-24L, 65504, false},    {"v_sin_f16", sine, 0.51L, 0x1p-14L, 256, true},
    {"v_cos_f16", cosine, 0.51L, 0x1p-14L, 256, true},
};

number last_place(number x, int digits, int lowest) {
  const int e = x == 0 ? lowest : std::max(std::ilogb(x), lowest);
  return std::ldexp(number{1}, e - digits + 1);
}

// `argument(n)` gives patterns, `value` reads them.
template <class Argument, class Value>
void check(const function& f, unsigned dwords, int digits, int lowest, int rounds, Argument argument, Value value) {
  const opcode_row& row = row_named(f.mnemonic);
  number worst = 0;
  for (int round = 0; round < rounds; ++round) {
    vector_machine m;
    m.state.mode = 0x3f0 | (static_cast<uint32_t>(round) % 4) * 5;  // denormals kept, every rounding mode
    if (digits != 24) m.state.mode = 0x3f0;
    lanes x;
    for (unsigned l = 0; l < wave_size; ++l) x[l] = argument(static_cast<uint64_t>(round) * wave_size + l, f);
    m.write(2, dwords, x);
    m.run({word_e32(row, 10, v(2))});
    const lanes r = m.read(10, dwords);
    for (unsigned l = 0; l < wave_size; ++l) {
      const number a = value(x[l]), want = f.exact(a), got = value(r[l]);
      const number unit = last_place(want, digits, lowest);
      const number error = std::fabs(got - want);
      worst = std::max(worst, error / unit);
      ASSERT_TRUE(error <= f.ulps * unit)
          << f.mnemonic << " of " << static_cast<double>(a) << ": got " << static_cast<double>(got) << " want "
          << static_cast<double>(want) << ", " << static_cast<double>(error / unit) << " units, mode " << std::hex
          << m.state.mode;
    }
  }
  std::printf("%s: worst error %.6f units in the last place\n", f.mnemonic, static_cast<double>(worst));
}

// A pseudo-random number with its logarithm evenly spread over the function's domain.
number spread(uint64_t n, const function& f) {
  const number u = static_cast<number>(random_value(n) >> 11) * 0x1p-53L;
  const number magnitude = std::exp2(std::log2(f.low) + u * (std::log2(f.high) - std::log2(f.low)));
  return f.both && (random_value(n) & 1) != 0 ? -magnitude : magnitude;
}

TEST(vector_accuracy, single_precision) {
  for (const function& f : singles)
    check(
        f, 1, 24, -126, 2000, [](uint64_t n, const function& g) { return bits_of(static_cast<float>(spread(n, g))); },
        [](uint64_t x) { return number{single(x)}; });
}

TEST(vector_accuracy, double_precision) {
  for (const function& f : doubles)
    check(
        f, 2, 53, -1022, 2000, [](uint64_t n, const function& g) { return bits_of(static_cast<double>(spread(n, g))); },
        [](uint64_t x) { return number{dbl(x)}; });
}

// Every half in the domain.
TEST(vector_accuracy, half_precision) {
  for (const function& f : halves)
    check(
        f, 1, 11, -14, 0x10000 / wave_size,
        [](uint64_t n, const function& g) {
          const number a = half_value(n);
          const bool inside = std::fabs(a) >= g.low && std::fabs(a) <= g.high && (a > 0 || g.both);
          return inside ? n : half_bits(1.0);
        },
        [](uint64_t x) { return number{half_value(x)}; });
}

}  // namespace

}  // namespace pws::isa::test::vector_accuracy_test
