// SPDX-License-Identifier: Apache-2.0
// Transcendentals: special arguments, values that are exact, and numbers over the whole range against the reference's
// functions (PWS_RTL_VECTORS of them for each).
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "models/isa/host_fp.h"
#include "models/isa/vector/lane_transcendental.h"
#include "tests/cosim/float/float_unit.h"

namespace pws::rtl_test::float_trans_test {

namespace {

enum : uint32_t { keep_denormals = 0x30, dx10 = 0x100, infinity = 0x7f800000, nan = 0x7fc00000, minus = 0x80000000 };

uint32_t result(fpu_op op, uint32_t a, uint32_t mode = 0, unsigned omod = 0, bool clamp = false) {
  static float_units unit;
  float_inputs in;
  in.op = op;
  in.mode = mode;
  in.a = a;
  in.omod = omod;
  in.clamp = clamp;
  return static_cast<uint32_t>(unit.evaluate(in).result);
}
uint32_t pattern(float x) {
  return isa::bit_cast<uint32_t>(x);
}

TEST(rtl_float_trans, special_arguments) {
  struct special {
    fpu_op op;
    uint32_t zero, minus_zero, inf, minus_inf, minus_one;
  };
  const special table[] = {
      {fpu_op::exp, pattern(1), pattern(1), infinity, 0, pattern(0.5f)},
      {fpu_op::log, minus | infinity, minus | infinity, infinity, nan, nan},
      {fpu_op::rcp, infinity, minus | infinity, 0, minus, pattern(-1)},
      {fpu_op::sqrt, 0, minus, infinity, nan, nan},
      {fpu_op::rsq, infinity, minus | infinity, 0, nan, nan},
      {fpu_op::sin, 0, 0, nan, nan, 0},
      {fpu_op::cos, pattern(1), pattern(1), nan, nan, pattern(1)},
  };
  for (const special& s : table) {
    for (const uint32_t mode : {0u, uint32_t{keep_denormals}, 3u}) {  // MODE changes nothing: denormals are zero
      EXPECT_EQ(result(s.op, 0, mode), s.zero);
      EXPECT_EQ(result(s.op, 0x007fffff, mode), s.zero);
      EXPECT_EQ(result(s.op, minus, mode), s.minus_zero);
      EXPECT_EQ(result(s.op, minus | 0x007fffff, mode), s.minus_zero);
      EXPECT_EQ(result(s.op, infinity, mode), s.inf);
      EXPECT_EQ(result(s.op, minus | infinity, mode), s.minus_inf);
      EXPECT_EQ(result(s.op, pattern(-1), mode), s.minus_one);
      EXPECT_EQ(result(s.op, 0x7f800001, mode), 0x7fc00001u);
      EXPECT_EQ(result(s.op, 0xffd00000, mode), 0xffd00000u);
    }
  }
}

TEST(rtl_float_trans, limits_of_the_range) {
  EXPECT_EQ(result(fpu_op::exp, pattern(-126)), 0x00800000u);
  EXPECT_EQ(result(fpu_op::exp, pattern(-126) + 1), 0u);
  EXPECT_EQ(result(fpu_op::exp, pattern(128) - 1), pattern(std::exp2(127.99999f)));
  EXPECT_EQ(result(fpu_op::exp, pattern(128)), uint32_t{infinity});
  EXPECT_EQ(result(fpu_op::exp, 0x7f7fffff), uint32_t{infinity});
  EXPECT_EQ(result(fpu_op::exp, 0xff7fffff), 0u);
  EXPECT_EQ(result(fpu_op::exp, 0x80800000), pattern(1));
  EXPECT_EQ(result(fpu_op::rcp, 0x7e800000), 0x00800000u);  // 2^126
  EXPECT_EQ(result(fpu_op::rcp, 0xfe800001), 0x80000000u);  // and more: a denormal
  EXPECT_EQ(result(fpu_op::rcp, 0x00800000), 0x7e800000u);
  EXPECT_EQ(result(fpu_op::rsq, 0x40800000), 0x3f000000u);
  EXPECT_EQ(result(fpu_op::rsq, 0x40000000), pattern(0.70710678f));
  EXPECT_EQ(result(fpu_op::sqrt, 0x3f7fffff), 0x3f7fffffu);
  EXPECT_EQ(result(fpu_op::sin, pattern(256)), 0u);
  EXPECT_EQ(result(fpu_op::sin, pattern(-256) + 1), 0u);
  EXPECT_EQ(result(fpu_op::cos, pattern(256) + 1), pattern(1));
  EXPECT_EQ(result(fpu_op::sin, pattern(0.75f)), pattern(-1));
  EXPECT_EQ(result(fpu_op::cos, pattern(0.5f)), pattern(-1));
  EXPECT_EQ(result(fpu_op::cos, pattern(0.25f)), 0u);
  EXPECT_EQ(result(fpu_op::log, 0x3f800001), pattern(1.7198264e-7f));
}

TEST(rtl_float_trans, output_modifiers) {
  EXPECT_EQ(result(fpu_op::sqrt, pattern(4), 0, 1), pattern(4));
  EXPECT_EQ(result(fpu_op::exp, pattern(-126), 0, 3), 0u);  // half of the smallest normal number
  EXPECT_EQ(result(fpu_op::log, pattern(8), 0, 0, true), pattern(1));
  EXPECT_EQ(result(fpu_op::log, pattern(-1), dx10, 0, true), 0u);
  EXPECT_EQ(result(fpu_op::log, pattern(-1), 0, 0, true), uint32_t{nan});
  EXPECT_EQ(result(fpu_op::rcp, minus, 3, 1), minus | uint32_t{infinity});
}

TEST(rtl_float_trans, all_over_the_range) {
  struct function {
    fpu_op op;
    float (*reference)(float);
  };
  const function functions[] = {{fpu_op::exp, isa::exp2_lane},
                                {fpu_op::log, isa::log2_lane},
                                {fpu_op::rcp, [](float x) { return 1.0f / x; }},
                                {fpu_op::sqrt, [](float x) { return std::sqrt(x); }},
                                {fpu_op::rsq, [](float x) { return static_cast<float>(1.0 / std::sqrt(double{x})); }},
                                {fpu_op::sin, isa::sin_turns_lane},
                                {fpu_op::cos, isa::cos_turns_lane}};
  const char* const wanted = std::getenv("PWS_RTL_VECTORS");
  const uint64_t n = wanted == nullptr ? 200000 : std::strtoull(wanted, nullptr, 10);
  const uint64_t step = n == 0 || n > uint64_t{1} << 32 ? 1 : (uint64_t{1} << 32) / n | 1;
  const isa::host_fp_scope scope;
  isa::host_fp::want(isa::host_fp::current, isa::host_fp::nearest_flush);
  for (const function& f : functions)
    for (uint64_t u = 0; u < uint64_t{1} << 32; u += step) {
      const auto a = static_cast<uint32_t>(u);
      const auto x = isa::bit_cast<float>(a);
      ASSERT_EQ(result(f.op, a), pattern(isa::with_chosen_nan(f.reference(x), x)))
          << "operation " << static_cast<unsigned>(f.op) << " of " << std::hex << a;
    }
}

}  // namespace

}  // namespace pws::rtl_test::float_trans_test
