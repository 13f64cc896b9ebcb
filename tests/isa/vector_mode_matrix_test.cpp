// SPDX-License-Identifier: Apache-2.0
// Every rounding and denormal mode of each precision, set by s_setreg, for sums, products, fused multiply-adds and
// conversions: against exact values in 113 bits, rounded here by the definition.
#include <gtest/gtest.h>

#include <cmath>

#include "models/isa/host_fp.h"
#include "tests/isa/vector_machine.h"
#include "tests/isa/vector_reference.h"

namespace pws::isa::test::vector_mode_matrix_test {

namespace {

__extension__ using quad = __float128;

quad power(int n) {
  return static_cast<quad>(std::ldexp(1.0L, n));
}
quad magnitude(quad x) {
  return x < 0 ? -x : x;
}
int exponent_of(quad x) {
  int e = std::ilogb(static_cast<long double>(magnitude(x)));
  while (power(e) > magnitude(x)) --e;  // the conversion may have rounded up
  return e;
}

struct precision {
  type t;
  int digits, lowest, highest;  // of the significand; exponents of the smallest normal and of the largest number
  unsigned round_shift, denormal_shift;
};
constexpr precision half_format{type::f16, 11, -14, 15, 2, 6};
constexpr precision single_format{type::f32, 24, -126, 127, 0, 4};
constexpr precision double_format{type::f64, 53, -1022, 1023, 2, 6};

enum rounding : unsigned { nearest, upwards, downwards, to_zero };

// x rounded once. `ambiguous`: below the smallest normal number before rounding and not after it: whether that flushes
// is the implementation's choice.
quad rounded(quad x, const precision& p, unsigned mode, bool& ambiguous) {
  ambiguous = false;
  if (x == 0 || magnitude(x) > power(16000)) return x;
  const bool negative = x < 0;
  const int e = std::max(exponent_of(x), p.lowest);
  const quad unit = power(e - p.digits + 1);
  const quad scaled = magnitude(x) / unit;  // below 2^digits
  auto whole = static_cast<int64_t>(scaled);
  const quad rest = scaled - static_cast<quad>(whole);
  const bool away = mode == nearest   ? rest > 0.5 || (rest == 0.5 && (whole & 1) != 0)
                    : mode == to_zero ? false
                                      : rest != 0 && negative == (mode == downwards);
  if (away) ++whole;
  quad r = static_cast<quad>(whole) * unit;
  const quad largest = (power(p.digits) - 1) * power(p.highest - p.digits + 1);
  if (r > largest) {
    const bool to_infinity = mode == nearest || (mode == upwards && !negative) || (mode == downwards && negative);
    r = to_infinity ? static_cast<quad>(INFINITY) : largest;
  }
  ambiguous = magnitude(x) < power(p.lowest) && r >= power(p.lowest);
  return negative ? -r : r;
}

quad value_of(uint64_t bits, const precision& p) {
  return p.t == type::f16 ? half_value(bits & 0xffff) : p.t == type::f32 ? single(bits) : dbl(bits);
}

// A number whose exponent is near 0, near the smallest, or near the largest, with few enough bits that sums of products
// are exact in 113 bits.
uint64_t operand_bits(uint64_t n, const precision& p, unsigned kind) {
  const uint64_t r = random_value(n);
  const int spread = static_cast<int>(r % 13) - 6;
  const int base[] = {0, p.lowest / 2, p.highest / 2, p.lowest + 3};
  const int digits = std::min(p.digits, 28);
  const long double significand = 1.0L + static_cast<long double>(r >> 20 & ((uint64_t{1} << (digits - 1)) - 1)) /
                                             static_cast<long double>(uint64_t{1} << (digits - 1));
  const long double x = std::ldexp((r >> 19 & 1) != 0 ? -significand : significand, base[kind] + spread);
  if (p.t == type::f16) return half_bits(static_cast<double>(x));
  return p.t == type::f32 ? bits_of(static_cast<float>(x)) : bits_of(static_cast<double>(x));
}

struct operation_case {
  const char* mnemonic;
  const precision* source;
  const precision* result;
  unsigned n_sources;
  quad (*exact)(quad, quad, quad);
};
quad sum(quad a, quad b, quad) {
  return a + b;
}
quad product(quad a, quad b, quad) {
  return a * b;
}
quad fused(quad a, quad b, quad c) {
  return a * b + c;
}
quad same(quad a, quad, quad) {
  return a;
}

const operation_case cases[] = {
    {"v_add_f16", &half_format, &half_format, 2, sum},
    {"v_mul_f16", &half_format, &half_format, 2, product},
    {"v_fma_f16", &half_format, &half_format, 3, fused},
    {"v_add_f32", &single_format, &single_format, 2, sum},
    {"v_mul_f32", &single_format, &single_format, 2, product},
    {"v_fma_f32", &single_format, &single_format, 3, fused},
    {"v_add_f64", &double_format, &double_format, 2, sum},
    {"v_mul_f64", &double_format, &double_format, 2, product},
    {"v_fma_f64", &double_format, &double_format, 3, fused},
    {"v_cvt_f16_f32", &single_format, &half_format, 1, same},
    {"v_cvt_f32_f64", &double_format, &single_format, 1, same},
};

// s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), mode
void set_mode(vector_machine& m, uint32_t mode) {
  m.run({0xb0000000u | 20u << 23 | 1u | 7u << 11, mode});
}

void check(const operation_case& c, unsigned round, unsigned denormals, unsigned kind) {
  const precision &in = *c.source, &out = *c.result;
  vector_machine m;
  m.state.mode = 0x300;
  // The other precisions' fields say the opposite: they must not matter.
  const bool single_rules = out.t == type::f32;
  const unsigned other_round = (round + 2) % 4, other_denormals = 3 - denormals;
  const bool mixed = in.t != out.t;
  const uint32_t f32 = (single_rules ? round : other_round) | (single_rules || mixed ? denormals : other_denormals)
                                                                  << 4;
  const uint32_t f64 =
      (single_rules ? other_round : round) << 2 | (single_rules && !mixed ? other_denormals : denormals) << 6;
  set_mode(m, f32 | f64);
  ASSERT_EQ(m.state.mode, 0x300 | f32 | f64);
  lanes x[3];
  for (unsigned k = 0; k < c.n_sources; ++k) {
    // Sums need operands of one size, and what products are added to the size of the product.
    const bool near_one =
        k == 0 && ((kind == 3 && (c.exact == product || c.exact == fused)) || (kind == 2 && c.exact == fused));
    const unsigned own = near_one ? 0 : k == 2 && kind == 1 ? 3 : kind;
    for (unsigned l = 0; l < wave_size; ++l)
      x[k][l] = operand_bits(((kind * 4 + round) * 4 + denormals) * 1000 + k * 100 + l, in, own);
    m.write(2 + 2 * k, dwords_of(in.t), x[k]);
  }
  vop3_fields f;
  f.dst = 10;
  for (unsigned k = 0; k < c.n_sources; ++k) f.src[k] = v(2 + 2 * k);
  m.run(words_vop3(row_named(c.mnemonic), f));
  const lanes got = m.read(10, dwords_of(out.t));
  const bool keeps_in = (denormals & 1) != 0, keeps_out = (denormals & 2) != 0;
  for (unsigned l = 0; l < wave_size; ++l) {
    quad s[3] = {};
    for (unsigned k = 0; k < c.n_sources; ++k) {
      s[k] = value_of(x[k][l], in);
      if (!keeps_in && magnitude(s[k]) < power(in.lowest)) s[k] = 0;
    }
    bool ambiguous;
    quad want = rounded(c.exact(s[0], s[1], s[2]), out, round, ambiguous);
    if (ambiguous) continue;
    if (!keeps_out && magnitude(want) < power(out.lowest)) want = 0;
    ASSERT_TRUE(value_of(got[l], out) == want)
        << c.mnemonic << " round " << round << " denormals " << denormals << " kind " << kind << " lane " << l
        << std::hex << ": 0x" << x[0][l] << " 0x" << x[1][l] << " 0x" << x[2][l] << " got 0x" << got[l] << " want "
        << static_cast<double>(want);
  }
}

TEST(vector_mode_matrix, sums_products_and_conversions) {
  for (const operation_case& c : cases)
    for (unsigned round = 0; round < 4; ++round)
      for (unsigned denormals = 0; denormals < 4; ++denormals)
        for (unsigned kind = 0; kind < 4; ++kind) {
          check(c, round, denormals, kind);
          if (HasFatalFailure()) return;
        }
}

// The unfused multiply-add: rounds twice, flushes always, whatever the denormal bits say.
TEST(vector_mode_matrix, unfused_multiply_add) {
  for (unsigned round = 0; round < 4; ++round)
    for (unsigned denormals = 0; denormals < 4; ++denormals)
      for (unsigned kind = 0; kind < 4; ++kind) {
        vector_machine m;
        m.state.mode = 0x300;
        set_mode(m, round | denormals << 4 | 0xc0);
        lanes x[3];
        for (unsigned k = 0; k < 3; ++k) {
          for (unsigned l = 0; l < wave_size; ++l)
            x[k][l] =
                operand_bits(kind * 7777 + round * 999 + k * 100 + l, single_format, k == 2 && kind == 1 ? 3 : kind);
          m.write(2 + 2 * k, 1, x[k]);
        }
        vop3_fields f;
        f.dst = 10;
        for (unsigned k = 0; k < 3; ++k) f.src[k] = v(2 + 2 * k);
        m.run(words_vop3(row_named("v_mad_f32"), f));
        for (unsigned l = 0; l < wave_size; ++l) {
          bool first, second;
          const quad smallest = power(-126);
          const auto normal = [&](quad y) { return magnitude(y) < smallest ? quad{0} : y; };
          const quad a = normal(single(x[0][l])), b = normal(single(x[1][l])), c = normal(single(x[2][l]));
          const quad p = normal(rounded(a * b, single_format, round, first));
          const quad want = normal(rounded(p + c, single_format, round, second));
          if (first || second) continue;
          ASSERT_TRUE(single(m.read(10, 1)[l]) == want) << "round " << round << " kind " << kind << " lane " << l;
        }
      }
}

}  // namespace

}  // namespace pws::isa::test::vector_mode_matrix_test
