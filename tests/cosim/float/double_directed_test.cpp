// SPDX-License-Identifier: Apache-2.0
// Single cases of double and half precision whose results are known by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "models/isa/vector/lane_division.h"
#include "tests/cosim/float/float_check.h"

namespace pws::rtl_test::double_directed_test {

namespace {

enum : uint32_t {
  keep_denormals = 0xc0,
  keep_sources = 0x40,
  ieee = 0x200,
  up = 1 << 2,
  down = 2 << 2,
  to_zero = 3 << 2,
  single_up = 1,
  keep_single_denormals = 0x30
};
enum : uint64_t {
  one = 0x3ff0000000000000,
  minus_one = 0xbff0000000000000,
  infinity = 0x7ff0000000000000,
  largest = 0x7fefffffffffffff,
  smallest = 0x0010000000000000,
  negative = 0x8000000000000000,
  default_nan = 0x7ff8000000000000
};

float_outputs run(precision unit, fpu_op op, uint32_t mode, uint64_t a, uint64_t b, uint64_t c, bool flag) {
  static float_units units;
  float_inputs in;
  in.unit = unit;
  in.op = op;
  in.mode = mode;
  in.a = a;
  in.b = b;
  in.c = c;
  in.flag = flag;
  return units.evaluate(in);
}
uint64_t result(fpu_op op, uint32_t mode, uint64_t a, uint64_t b = 0, uint64_t c = 0, bool flag = false) {
  return run(precision::double_precision, op, mode, a, b, c, flag).result;
}
uint64_t half_result(fpu_op op, uint32_t mode, uint64_t a, uint64_t b = 0, uint64_t c = 0) {
  return run(precision::half_precision, op, mode, a, b, c, false).result;
}

TEST(rtl_double_directed, sums_round_at_halfway) {
  const uint64_t half_place = 0x3ca0000000000000;  // 2^-53
  EXPECT_EQ(result(fpu_op::add, 0, one, half_place), one);
  EXPECT_EQ(result(fpu_op::add, 0, one + 1, half_place), one + 2);
  EXPECT_EQ(result(fpu_op::add, 0, one, half_place + 1), one + 1);
  EXPECT_EQ(result(fpu_op::add, up, one, 1), one);  // a denormal that is flushed
  EXPECT_EQ(result(fpu_op::add, up | keep_denormals, one, 1), one + 1);
  EXPECT_EQ(result(fpu_op::add, down | keep_denormals, one, negative | 1), one - 1);
  EXPECT_EQ(result(fpu_op::add, 0, one, minus_one), 0u);
  EXPECT_EQ(result(fpu_op::add, down, one, minus_one), uint64_t{negative});
  EXPECT_EQ(result(fpu_op::add, to_zero, largest, largest), uint64_t{largest});
  EXPECT_EQ(result(fpu_op::add, 0, largest, largest), uint64_t{infinity});
  EXPECT_EQ(result(fpu_op::add, 0, infinity, infinity | negative), uint64_t{default_nan});
}

TEST(rtl_double_directed, products_at_the_smallest_normal_number) {
  // (1 + 2^-52) * 2^-1022 times 1 - 2^-52 rounds to the smallest normal number, in 53 bits: it is not tiny.
  EXPECT_EQ(result(fpu_op::mul, 0, smallest + 1, one - 2), uint64_t{smallest});
  EXPECT_EQ(result(fpu_op::mul, to_zero, smallest + 1, one - 2), 0u);
  // (2 - 2^-52) * 2^-1023 has 53 bits, and is.
  EXPECT_EQ(result(fpu_op::mul, 0, 2 * smallest - 1, one - smallest), 0u);
  EXPECT_EQ(result(fpu_op::mul, keep_denormals, 2 * smallest - 1, one - smallest), uint64_t{smallest});
  EXPECT_EQ(result(fpu_op::mul, keep_denormals, 1, one), 1u);
  EXPECT_EQ(result(fpu_op::mul, keep_sources, 1, one), 0u);
}

TEST(rtl_double_directed, fused_sums_round_once) {
  // (1 + 2^-52)^2 - (1 + 2^-51) = 2^-104
  EXPECT_EQ(result(fpu_op::fma, 0, one + 1, one + 1, (one + 2) | negative), 0x3970000000000000u);
  EXPECT_EQ(result(fpu_op::fma, up | keep_denormals, one, one, 1), one + 1);
  EXPECT_EQ(result(fpu_op::fma, 0, largest, largest, infinity | negative), infinity | negative);
  EXPECT_EQ(result(fpu_op::fma, 0, infinity, 0, one), uint64_t{default_nan});
  EXPECT_EQ(result(fpu_op::fma, 0, 0, infinity, 0xfff4000000000001), 0xfffc000000000001u);
  EXPECT_EQ(result(fpu_op::fma, down, one, minus_one, one), uint64_t{negative});
}

TEST(rtl_double_directed, conversions_saturate_and_round) {
  EXPECT_EQ(result(fpu_op::cvt_i32_f64, 0, 0x41dfffffffffffff), 0x7fffffffu);  // 2^31 less the last place
  EXPECT_EQ(result(fpu_op::cvt_i32_f64, 0, 0x41e0000000000000), 0x7fffffffu);  // 2^31
  EXPECT_EQ(result(fpu_op::cvt_i32_f64, 0, 0xc1e0000000000000), 0x80000000u);  // -2^31
  EXPECT_EQ(result(fpu_op::cvt_i32_f64, 0, 0xc1dfffffffe00000), 0x80000001u);  // -2^31 + 1/2
  EXPECT_EQ(result(fpu_op::cvt_i32_f64, 0, 0x4330000000000001), 0x7fffffffu);  // 2^52 + 1
  EXPECT_EQ(result(fpu_op::cvt_u32_f64, 0, 0x41efffffffffffff), 0xffffffffu);  // 2^32 less the last place
  EXPECT_EQ(result(fpu_op::cvt_u32_f64, 0, 0x41f0000000000000), 0xffffffffu);  // 2^32
  EXPECT_EQ(result(fpu_op::cvt_u32_f64, 0, minus_one), 0u);
  EXPECT_EQ(result(fpu_op::cvt_u32_f64, 0, default_nan), 0u);
  EXPECT_EQ(result(fpu_op::cvt_f64_i32, 0, 0x80000000), 0xc1e0000000000000u);
  EXPECT_EQ(result(fpu_op::cvt_f64_u32, 0, 0x80000000), 0x41e0000000000000u);
  EXPECT_EQ(result(fpu_op::cvt_f64_i32, 0, 0), 0u);
  EXPECT_EQ(result(fpu_op::cvt_f32_f64, 0, 0x3ff0000010000000), 0x3f800000u);  // 1 + 2^-24: to even
  EXPECT_EQ(result(fpu_op::cvt_f32_f64, 0, 0x3ff0000010000001), 0x3f800001u);
  EXPECT_EQ(result(fpu_op::cvt_f32_f64, up, 0x3ff0000010000000), 0x3f800000u);  // not double's mode
  EXPECT_EQ(result(fpu_op::cvt_f32_f64, single_up, 0x3ff0000000000001), 0x3f800001u);
  EXPECT_EQ(result(fpu_op::cvt_f32_f64, 0, 0x47effffff0000000), 0x7f800000u);  // overflows when rounded
  EXPECT_EQ(result(fpu_op::cvt_f32_f64, 0, 0x36a0000000000000), 0u);           // 2^-149
  EXPECT_EQ(result(fpu_op::cvt_f32_f64, keep_single_denormals, 0x36a0000000000000), 1u);
  EXPECT_EQ(result(fpu_op::cvt_f32_f64, 0, 0xfff0000000000001), 0xffc00000u);
  EXPECT_EQ(result(fpu_op::cvt_f64_f32, 0, 0x00000001), 0u);
  EXPECT_EQ(result(fpu_op::cvt_f64_f32, keep_single_denormals, 0x80000001), 0xb6a0000000000000u);
  EXPECT_EQ(result(fpu_op::cvt_f64_f32, 0, 0x7f800001), 0x7ff8000020000000u);
}

TEST(rtl_double_directed, whole_numbers_fractions_and_exponents) {
  EXPECT_EQ(result(fpu_op::rndne, 0, 0x4330000000000001), 0x4330000000000001u);  // 2^52 + 1 has no fraction
  EXPECT_EQ(result(fpu_op::rndne, 0, 0x432ffffffffffffe), 0x432ffffffffffffeu);  // 2^52 - 1
  EXPECT_EQ(result(fpu_op::rndne, 0, 0x432fffffffffffff), 0x4330000000000000u);  // 2^52 - 1/2
  EXPECT_EQ(result(fpu_op::ceil, keep_denormals, 1), uint64_t{one});
  EXPECT_EQ(result(fpu_op::floor, keep_denormals, negative | 1), uint64_t{minus_one});
  EXPECT_EQ(result(fpu_op::floor, 0, negative | 1), uint64_t{negative});
  EXPECT_EQ(result(fpu_op::fract, keep_denormals, negative | 1), one - 1);
  EXPECT_EQ(result(fpu_op::ldexp, 0, one, 0x7fffffff), uint64_t{infinity});
  EXPECT_EQ(result(fpu_op::ldexp, keep_denormals, one, static_cast<uint32_t>(-1074)), 1u);
  EXPECT_EQ(result(fpu_op::ldexp, keep_denormals, one, static_cast<uint32_t>(-1075)), 0u);
  EXPECT_EQ(result(fpu_op::ldexp, keep_denormals | up, one, 0x80000000), 1u);
  EXPECT_EQ(result(fpu_op::ldexp, keep_denormals, 1, 2097), 0x7fe0000000000000u);
  EXPECT_EQ(result(fpu_op::frexp_exp, keep_denormals, 1), 0xfffffbcfu);  // -1073
  EXPECT_EQ(result(fpu_op::frexp_mant, keep_denormals, 1), 0x3fe0000000000000u);
}

TEST(rtl_double_directed, reciprocals_and_roots) {
  EXPECT_EQ(result(fpu_op::rcp, 0, 0x4008000000000000), 0x3fd5555555555555u);
  EXPECT_EQ(result(fpu_op::rcp, up, 0x4008000000000000), 0x3fd5555555555556u);
  EXPECT_EQ(result(fpu_op::rcp, 0, negative), infinity | negative);
  EXPECT_EQ(result(fpu_op::rcp, 0, infinity | negative), uint64_t{negative});
  EXPECT_EQ(result(fpu_op::rcp, 0, largest), 0u);
  EXPECT_EQ(result(fpu_op::rcp, keep_denormals, largest), 0x0004000000000000u);
  EXPECT_EQ(result(fpu_op::rcp, keep_denormals, 1), uint64_t{infinity});
  EXPECT_EQ(result(fpu_op::sqrt, 0, 0x4000000000000000), 0x3ff6a09e667f3bcdu);
  EXPECT_EQ(result(fpu_op::sqrt, to_zero, 0x4000000000000000), 0x3ff6a09e667f3bccu);
  EXPECT_EQ(result(fpu_op::sqrt, keep_denormals, 1), 0x1e60000000000000u);  // 2^-537
  EXPECT_EQ(result(fpu_op::sqrt, 0, negative), uint64_t{negative});
  EXPECT_EQ(result(fpu_op::sqrt, 0, minus_one), uint64_t{default_nan});
  EXPECT_EQ(result(fpu_op::rsq, 0, negative), infinity | negative);
  EXPECT_EQ(result(fpu_op::rsq, 0, infinity), 0u);
  EXPECT_EQ(result(fpu_op::rsq, 0, 0x4010000000000000), 0x3fe0000000000000u);
}

// r is half the smallest denormal after scaling by 2^-128: what it lacks of a * b + c decides.
TEST(rtl_double_directed, quotients_halfway_between_denormals_round_once) {
  const uint32_t mode = keep_denormals;
  const uint64_t r = uint64_t{1023 - 947} << 52;
  EXPECT_EQ(result(fpu_op::div_fmas, mode, 0, one, r, true), 0u);
  EXPECT_EQ(result(fpu_op::div_fmas, mode, 1, one, r, true), 1u);
  EXPECT_EQ(result(fpu_op::div_fmas, mode, negative | 1, one, r, true), 0u);
  EXPECT_EQ(result(fpu_op::div_fmas, mode, 1, one - smallest, r, true), 0u);  // 2^-1075 rounds away
  EXPECT_EQ(result(fpu_op::div_fmas, mode, 1, one - smallest + 1, r, true), 1u);
  EXPECT_EQ(result(fpu_op::div_fmas, mode, negative | 1, one, r + 0x0018000000000000, true), 1u);
  EXPECT_EQ(result(fpu_op::div_fmas, mode, 0, one, r + 0x0018000000000000, true), 2u);
  EXPECT_EQ(result(fpu_op::div_fmas, mode, 0, one, r, false), r);
  EXPECT_EQ(result(fpu_op::div_fixup, 0, 0, 0, 0), 0xfff8000000000000u);
  EXPECT_EQ(result(fpu_op::div_fixup, 0, default_nan, one, minus_one), infinity | negative);
  // Exponents 1076 apart: zero whatever the quotient says; 1075 apart it counts.
  const uint64_t d = uint64_t{2000} << 52;
  EXPECT_EQ(result(fpu_op::div_fixup, 0, one, d, uint64_t{924} << 52), 0u);
  EXPECT_EQ(result(fpu_op::div_fixup, 0, one, d, uint64_t{925} << 52), uint64_t{one});
}

// Every segment of every exponent, and those beyond the last bit.
TEST(rtl_double_directed, segments_of_two_over_pi) {
  for (uint64_t field = 0; field < 2048; ++field)
    for (uint64_t segment = 0; segment < 33; ++segment) {
      const uint64_t x = field << 52 | 0x123456789abcd;
      double value, want;
      std::memcpy(&value, &x, sizeof value);
      want = isa::two_over_pi_segment(value, static_cast<uint32_t>(segment));
      uint64_t bits;
      std::memcpy(&bits, &want, sizeof bits);
      ASSERT_EQ(result(fpu_op::trig_preop, keep_denormals, x, segment), bits) << field << ' ' << segment;
    }
}

TEST(rtl_half_directed, corners) {
  EXPECT_EQ(half_result(fpu_op::add, 0, 0x3c00, 0x1000), 0x3c00u);  // 1 + 2^-11: to even
  EXPECT_EQ(half_result(fpu_op::add, up, 0x3c00, 0x0400), 0x3c01u);
  EXPECT_EQ(half_result(fpu_op::add, 0, 0x7bff, 0x4c00), 0x7c00u);  // 65504 + 16
  EXPECT_EQ(half_result(fpu_op::add, 0, 0x7bff, 0x4bff), 0x7bffu);
  EXPECT_EQ(half_result(fpu_op::mul, keep_denormals, 1, 0x3800), 0u);
  EXPECT_EQ(half_result(fpu_op::mul, keep_denormals, 3, 0x3800), 2u);
  // A product that becomes the smallest normal half when rounded is not flushed.
  EXPECT_EQ(half_result(fpu_op::mul, 0, 0x07ff, 0x3800), 0x0400u);
  // v_mad rounds the product, v_fma does not: (1 + 2^-10)^2 - (1 + 2^-9).
  EXPECT_EQ(half_result(fpu_op::mad, keep_denormals, 0x3c01, 0x3c01, 0xbc02), 0u);
  EXPECT_EQ(half_result(fpu_op::fma, keep_denormals, 0x3c01, 0x3c01, 0xbc02), 0x0010u);
  EXPECT_EQ(half_result(fpu_op::mad, keep_denormals, 1, 0x3c00, 0), 0u);
  EXPECT_EQ(half_result(fpu_op::min, 0, 1, 0x3c00), 1u);
  EXPECT_EQ(half_result(fpu_op::min, ieee, 0x7c01, 0x3c00), 0x7e01u);
  EXPECT_EQ(half_result(fpu_op::cvt_u16_f16, 0, 0x7c00), 0xffffu);
  EXPECT_EQ(half_result(fpu_op::cvt_u16_f16, 0, 0xbc00), 0u);
  EXPECT_EQ(half_result(fpu_op::cvt_i16_f16, 0, 0x7800), 0x7fffu);
  EXPECT_EQ(half_result(fpu_op::cvt_i16_f16, 0, 0xf800), 0x8000u);
  EXPECT_EQ(half_result(fpu_op::cvt_f16_u16, 0, 0xffff), 0x7c00u);
  EXPECT_EQ(half_result(fpu_op::cvt_f16_u16, to_zero, 0xffff), 0x7bffu);
  EXPECT_EQ(half_result(fpu_op::cvt_f16_i16, 0, 0x8000), 0xf800u);
  EXPECT_EQ(half_result(fpu_op::fract, keep_denormals, 0x8001), 0x3bffu);
  EXPECT_EQ(half_result(fpu_op::ldexp, keep_denormals | up, 1, 0x8000), 1u);
  EXPECT_EQ(half_result(fpu_op::ldexp, keep_denormals, 1, 39), 0x7800u);
  EXPECT_EQ(half_result(fpu_op::div_fixup, 0, 0x3c00, 0x7bff, 0x0400), 0x3c00u);  // never zero by the exponents alone
  EXPECT_EQ(half_result(fpu_op::frexp_exp, keep_denormals, 1), 0xffe9u);          // -23
}

// All halves, against the reference in each mode of rounding.
TEST(rtl_half_directed, roots_and_reciprocals_of_all_halves) {
  for (const float_case& c : float_cases()) {
    if (c.unit != precision::half_precision || (c.op != fpu_op::rcp && c.op != fpu_op::sqrt && c.op != fpu_op::rsq))
      continue;
    float_units units;
    for (uint32_t mode = 0; mode < 4; ++mode)
      for (uint32_t first = 0; first < 0x10000; first += isa::wave_size) {
        float_batch batch;
        batch.what = &c;
        batch.mode = mode << 2;
        for (uint32_t l = 0; l < isa::wave_size; ++l) batch.operands[l] = {{first + l, 0, 0}};
        const auto lines = differences(batch, run_unit(units, batch), run_reference(batch));
        ASSERT_TRUE(lines.empty()) << lines.front();
      }
  }
}

}  // namespace

}  // namespace pws::rtl_test::double_directed_test
