// SPDX-License-Identifier: Apache-2.0
// Single cases whose results are known by hand: the corners that random vectors meet seldom.
#include <gtest/gtest.h>

#include "tests/cosim/float/float_check.h"

namespace pws::rtl_test::float_directed_test {

namespace {

enum : uint32_t { keep_denormals = 0x30, dx10 = 0x100, ieee = 0x200, up = 1, down = 2, to_zero = 3 };

uint64_t result(fpu_op op, uint32_t mode, uint64_t a, uint64_t b = 0, uint64_t c = 0, bool flag = false) {
  static float_units units;
  float_inputs in;
  in.op = op;
  in.mode = mode;
  in.a = a;
  in.b = b;
  in.c = c;
  in.flag = flag;
  return units.evaluate(in).result;
}

// A result is flushed if it would be below the smallest normal number even when rounded to 24 bits.
TEST(rtl_float_directed, tininess_is_seen_after_rounding) {
  // (1 + 2^-23) * 2^-126 times 1 - 2^-23 is (1 - 2^-46) * 2^-126, which rounds to the smallest normal number.
  EXPECT_EQ(result(fpu_op::mul, 0, 0x00800001, 0x3f7ffffe), 0x00800000u);
  EXPECT_EQ(result(fpu_op::mul, to_zero, 0x00800001, 0x3f7ffffe), 0u);
  EXPECT_EQ(result(fpu_op::mul, keep_denormals | to_zero, 0x00800001, 0x3f7ffffe), 0x007fffffu);
  // (2 - 2^-23) * 2^-127 has 24 bits: it is tiny, although as a denormal it rounds to the smallest normal number.
  EXPECT_EQ(result(fpu_op::mul, 0, 0x00ffffff, 0x3f000000), 0u);
  EXPECT_EQ(result(fpu_op::mul, keep_denormals, 0x00ffffff, 0x3f000000), 0x00800000u);
  // A denormal source, read as zero or as it is, with its product flushed.
  EXPECT_EQ(result(fpu_op::mul, 0, 0x00400000, 0x40000000), 0u);
  EXPECT_EQ(result(fpu_op::mul, 0x10, 0x00400000, 0x40000000), 0x00800000u);
  EXPECT_EQ(result(fpu_op::mul, 0x10, 0x00400000, 0x3fffffff), 0u);
}

TEST(rtl_float_directed, zeros_have_signs) {
  EXPECT_EQ(result(fpu_op::add, 0, 0x3f800000, 0xbf800000), 0u);
  EXPECT_EQ(result(fpu_op::add, down, 0x3f800000, 0xbf800000), 0x80000000u);
  EXPECT_EQ(result(fpu_op::add, 0, 0x80000000, 0x80000000), 0x80000000u);
  EXPECT_EQ(result(fpu_op::sub, 0, 0x80000000, 0x80000000), 0u);
  EXPECT_EQ(result(fpu_op::fma, down, 0x3f800000, 0x3f800000, 0xbf800000), 0x80000000u);
  EXPECT_EQ(result(fpu_op::mul, 0, 0x80000000, 0x3f800000), 0x80000000u);
  EXPECT_EQ(result(fpu_op::mul_legacy, 0, 0x80000000, 0x7fc00001), 0u);
  EXPECT_EQ(result(fpu_op::trunc, 0, 0xbf000000), 0x80000000u);
  EXPECT_EQ(result(fpu_op::fract, down, 0x40000000), 0x80000000u);
}

TEST(rtl_float_directed, nans_come_from_the_first_source_made_quiet) {
  EXPECT_EQ(result(fpu_op::add, 0, 0x7f800001, 0xffc12345), 0x7fc00001u);
  EXPECT_EQ(result(fpu_op::sub_rev, 0, 0xff812345, 0x7f800001), 0xffc12345u);
  EXPECT_EQ(result(fpu_op::fma, 0, 0x7f800000, 0, 0xffc12345), 0xffc12345u);
  EXPECT_EQ(result(fpu_op::fma, 0, 0x7f800000, 0x3f800000, 0xff800000), 0x7fc00000u);
  EXPECT_EQ(result(fpu_op::div_fixup, 0, 0, 0, 0), 0xffc00000u);
  EXPECT_EQ(result(fpu_op::div_scale, 0, 0x7f800001, 0x3f800000, 0x3f800000), 0x7f800001u);  // not touched at all
  EXPECT_EQ(result(fpu_op::min, 0, 0x7f800001, 0x3f800000), 0x3f800000u);
  EXPECT_EQ(result(fpu_op::min, ieee, 0x7f800001, 0x3f800000), 0x7fc00001u);
}

TEST(rtl_float_directed, products_round_before_they_are_added) {
  // (1 + 2^-23)^2 = 1 + 2^-22 + 2^-46
  EXPECT_EQ(result(fpu_op::fma, 0, 0x3f800001, 0x3f800001, 0xbf800002), 0x28800000u);
  EXPECT_EQ(result(fpu_op::mad, 0, 0x3f800001, 0x3f800001, 0xbf800002), 0u);
  EXPECT_EQ(result(fpu_op::mad, up, 0x3f800001, 0x3f800001, 0xbf800002), 0x34000000u);
}

// r = a * b + c is 2^-86 but for less than its last place, and becomes half the smallest denormal: what the rounding of
// r dropped decides, as long as the reference's own calculation of it, which rounds at 2^-149, does not lose it.
TEST(rtl_float_directed, quotients_halfway_between_denormals_round_once) {
  const uint32_t mode = keep_denormals;
  const uint32_t r = 0x14800000, one = 0x3f800000;                                       // 2^-86, 1
  EXPECT_EQ(result(fpu_op::div_fmas, mode, 0, one, r, true), 0u);                        // exactly half: to even
  EXPECT_EQ(result(fpu_op::div_fmas, mode, 0x00000001, one, r, true), 1u);               // and 2^-149
  EXPECT_EQ(result(fpu_op::div_fmas, mode, 0x80000001, one, r, true), 0u);               // less 2^-149
  EXPECT_EQ(result(fpu_op::div_fmas, mode, 0x00000001, 0x3f000000, r, true), 0u);        // 2^-150 rounds away
  EXPECT_EQ(result(fpu_op::div_fmas, mode, 0x00000001, 0x3f000001, r, true), 1u);        // a little more does not
  EXPECT_EQ(result(fpu_op::div_fmas, mode, 0x80000001, one, r + 0x00c00000, true), 1u);  // 3/2 less something
  EXPECT_EQ(result(fpu_op::div_fmas, mode, 0, one, r + 0x00c00000, true), 2u);           // 3/2: to even
  // 2^-86 + 2^-108 - (1 + 2^-21) * (1 - 2^-21) * 2^-108 is 2^-86 + 2^-150, and with a factor of 2 in it 2^-86 + 2^-149.
  EXPECT_EQ(result(fpu_op::div_fmas, mode, 0xa6800004, 0x227ffff8, r + 2, true), 0u);
  EXPECT_EQ(result(fpu_op::div_fmas, mode, 0xa7000004, 0x227ffff8, r + 4, true), 1u);
  EXPECT_EQ(result(fpu_op::div_fmas, mode & 0x10, 0x00000001, one, r, true), 0u);  // denormal results flushed
  EXPECT_EQ(result(fpu_op::div_fmas, mode | up, 0, one, r, true), 1u);
  EXPECT_EQ(result(fpu_op::div_fmas, mode, 0x00000001, one, r, false), r);           // not scaled
  EXPECT_EQ(result(fpu_op::div_fmas, mode, 0, one, 0x40000000, true), 0x60000000u);  // 2 * 2^64
}

TEST(rtl_float_directed, conversions_saturate) {
  EXPECT_EQ(result(fpu_op::cvt_i32_f32, 0, 0x4f000000), 0x7fffffffu);
  EXPECT_EQ(result(fpu_op::cvt_i32_f32, 0, 0xcf000000), 0x80000000u);
  EXPECT_EQ(result(fpu_op::cvt_i32_f32, 0, 0xff800000), 0x80000000u);
  EXPECT_EQ(result(fpu_op::cvt_i32_f32, 0, 0x7fc00000), 0u);
  EXPECT_EQ(result(fpu_op::cvt_u32_f32, 0, 0x4f800000), 0xffffffffu);
  EXPECT_EQ(result(fpu_op::cvt_u32_f32, 0, 0xbf800000), 0u);
  EXPECT_EQ(result(fpu_op::cvt_rpi_i32_f32, 0, 0xbf000000), 0u);
  EXPECT_EQ(result(fpu_op::cvt_rpi_i32_f32, 0, 0x3effffff), 0u);
  EXPECT_EQ(result(fpu_op::cvt_flr_i32_f32, keep_denormals, 0x80000001), 0xffffffffu);
  EXPECT_EQ(result(fpu_op::cvt_flr_i32_f32, 0, 0x80000001), 0u);
  EXPECT_EQ(result(fpu_op::cvt_f16_f32, 0, 0x477ff000), 0x7c00u);
  EXPECT_EQ(result(fpu_op::cvt_pkrtz_f16_f32, 0, 0x477ff000, 0xff7fffff), 0xfbff7bffu);
}

}  // namespace

}  // namespace pws::rtl_test::float_directed_test
