// SPDX-License-Identifier: Apache-2.0
// The interpolated transcendentals of single precision against double over all arguments (PWS_ALL_NUMBERS set; a minute
// or two), else over a stride: the error that docs/rtl.md states, values that are exact, and monotonicity.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "models/isa/host_fp.h"
#include "models/isa/vector/lane_transcendental.h"

namespace pws::isa::test::trans_accuracy_test {

namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double largest_error = 0.535;  // units in the last place

float number(uint32_t bits) {
  return bit_cast<float>(bits);
}
class trans_accuracy : public testing::Test {
 protected:
  trans_accuracy() { host_fp::want(host_fp::current, host_fp::nearest_flush); }
  const host_fp_scope scope_;
  const uint32_t step_ = std::getenv("PWS_ALL_NUMBERS") == nullptr ? 997 : 1;

  // All normal numbers whose patterns are in [first, last]; `order`: 1 never falls, -1 never rises, 0 neither.
  template <class F, class Exact>
  void check(uint32_t first, uint32_t last, int order, F f, Exact exact) {
    double worst = 0;
    float before = f(number(first));
    for (uint64_t u = first; u <= last; u += step_) {
      const float x = number(static_cast<uint32_t>(u));
      const float y = f(x);
      const double want = exact(static_cast<double>(x));
      const double unit = std::ldexp(1.0, std::ilogb(want) - 23);
      const double error =
          want == 0.0 ? std::fabs(static_cast<double>(y)) : std::fabs(static_cast<double>(y) - want) / unit;
      if (error > worst) worst = error;
      ASSERT_LE(error, largest_error) << "of " << x << ": " << y << " is not " << want;
      ASSERT_FALSE(order > 0 ? y < before : order < 0 && y > before) << "not monotone at " << x;
      before = y;
    }
    RecordProperty("worst", std::to_string(worst));
  }
};
uint32_t pattern(float x) {
  return bit_cast<uint32_t>(x);
}

TEST_F(trans_accuracy, exp) {
  const auto exact = [](double x) { return std::exp2(x); };
  check(pattern(0x1p-126f), pattern(127.99999f), 1, exp2_lane, exact);
  check(pattern(-0x1p-126f), pattern(-126.0f), -1, exp2_lane, exact);
  for (int n = -126; n < 128; ++n) EXPECT_EQ(exp2_lane(static_cast<float>(n)), std::ldexp(1.0f, n));
  EXPECT_EQ(exp2_lane(-126.00001f), 0.0f);
  EXPECT_EQ(exp2_lane(128.0f), std::numeric_limits<float>::infinity());
}

TEST_F(trans_accuracy, log) {
  const auto exact = [](double x) { return std::fabs(x - 1) < 0.3 ? std::log1p(x - 1) / std::log(2.0) : std::log2(x); };
  check(pattern(0x1p-126f), pattern(std::numeric_limits<float>::max()), 1, log2_lane, exact);
  for (int n = -126; n < 128; ++n) EXPECT_EQ(log2_lane(std::ldexp(1.0f, n)), static_cast<float>(n));
}

// In turns, reduced exactly to an eighth of one.
double sine(double turns) {
  const double r = std::remainder(turns, 1.0), a = std::fabs(r);
  const double s = a <= 0.125  ? std::sin(2 * pi * a)
                   : a < 0.375 ? std::cos(2 * pi * (a - 0.25))
                               : std::sin(2 * pi * (0.5 - a));
  return r < 0 ? -s : s;
}
double cosine(double turns) {
  const double a = std::fabs(std::remainder(turns, 1.0));
  return a <= 0.125 ? std::cos(2 * pi * a) : a < 0.375 ? std::sin(2 * pi * (0.25 - a)) : -std::cos(2 * pi * (0.5 - a));
}

TEST_F(trans_accuracy, sin_and_cos) {
  for (const float sign : {1.0f, -1.0f}) {
    check(pattern(sign * 0x1p-126f), pattern(sign * 256.0f), 0, sin_turns_lane, sine);
    check(pattern(sign * 0x1p-126f), pattern(sign * 256.0f), 0, cos_turns_lane, cosine);
  }
  constexpr float sines[4] = {0, 1, 0, -1};
  for (int n = -1024; n <= 1024; ++n) {
    EXPECT_EQ(pattern(sin_turns_lane(static_cast<float>(n) * 0.25f)), pattern(sines[n & 3])) << n;
    EXPECT_EQ(pattern(cos_turns_lane(static_cast<float>(n) * 0.25f)), pattern(sines[(n + 1) & 3])) << n;
  }
}

// float(1 / sqrt(double(x))) is the correctly rounded inverse root: between the squares of its neighbours' midpoints.
TEST_F(trans_accuracy, inverse_root_is_rounded_once) {
  for (uint32_t u = 0x3f800000; u < 0x40800000; u += step_) {
    const auto r = static_cast<float>(1.0 / std::sqrt(static_cast<double>(number(u))));
    const auto x = static_cast<long double>(number(u));
    const auto below = (static_cast<long double>(r) + std::nextafter(r, 0.0f)) / 2;
    const auto above = (static_cast<long double>(r) + std::nextafter(r, 2.0f)) / 2;
    // Squares of 25 bits times 24 bits: the difference to 1 is exact where it is small, in two steps.
    ASSERT_LE(std::fma(below * below, x, -1.0L), 0.0L) << number(u);
    ASSERT_GE(std::fma(above * above, x, -1.0L), 0.0L) << number(u);
  }
}

}  // namespace

}  // namespace pws::isa::test::trans_accuracy_test
