// Transcendental functions of single precision on one lane: polynomials in double, rounded to single once, so that the
// error stays below 0.51 units in the last place (the hardware's is 1). Branch-free: lane loops vectorise.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "models/isa/vector/lane_float.h"

namespace pws::isa {

// 2^x. Taylor's series of e^t, |t| <= ln 2 / 2: the first term left out is below 2^-44.
inline float exp2_lane(float x) {
  const auto wide = static_cast<double>(x);
  const double limited = wide > 1000.0 ? 1000.0 : wide < -1000.0 ? -1000.0 : wide;
  const double whole = std::floor(limited + 0.5);
  const double t = (limited - whole) * 0.69314718055994530942;
  double p = 1.0 / 3628800.0;
  p = p * t + 1.0 / 362880.0;
  p = p * t + 1.0 / 40320.0;
  p = p * t + 1.0 / 5040.0;
  p = p * t + 1.0 / 720.0;
  p = p * t + 1.0 / 120.0;
  p = p * t + 1.0 / 24.0;
  p = p * t + 1.0 / 6.0;
  p = p * t + 0.5;
  p = p * t + 1.0;
  p = p * t + 1.0;
  const auto n = static_cast<int32_t>(limited != limited ? 0.0 : whole);
  const auto power = bit_cast<double>(static_cast<uint64_t>(n + 1023) << 52);
  return is_nan(x) ? quieted(x) : static_cast<float>(p * power);
}

// log2 x. x = m 2^k with m in [sqrt 1/2, sqrt 2): log2 m = 2/ln 2 (s + s^3/3 + ...), s = (m - 1)/(m + 1), s^2 < 0.0295.
inline float log2_lane(float x) {
  const auto wide = static_cast<double>(x);  // a normal double even for a denormal x
  const auto u = bit_cast<uint64_t>(wide);
  const auto lifted = u - bit_cast<uint64_t>(0.70710678118654752440) + bit_cast<uint64_t>(1.0);
  const auto k = static_cast<int32_t>((lifted >> 52) & 0x7ff) - 1023;
  const auto m = bit_cast<double>(u - (static_cast<uint64_t>(static_cast<int64_t>(k)) << 52));
  const double s = (m - 1.0) / (m + 1.0);
  const double q = s * s;
  double p = 1.0 / 17.0;
  p = p * q + 1.0 / 15.0;
  p = p * q + 1.0 / 13.0;
  p = p * q + 1.0 / 11.0;
  p = p * q + 1.0 / 9.0;
  p = p * q + 1.0 / 7.0;
  p = p * q + 1.0 / 5.0;
  p = p * q + 1.0 / 3.0;
  p = p * q + 1.0;
  const double r = static_cast<double>(k) + 2.0 / 0.69314718055994530942 * s * p;
  constexpr double inf = std::numeric_limits<double>::infinity();
  const double edge = wide == 0.0 ? -inf : wide < 0.0 ? std::numeric_limits<double>::quiet_NaN() : wide;
  return is_nan(x) ? quieted(x) : static_cast<float>(both(wide > 0.0, wide < inf) ? r : edge);
}

// sin of 2 pi r for r in [-1/2, 1/2], exactly 0 and +-1 where it should be. First term left out below 2^-44.
inline double sin_of_turn(double r) {
  const double folded = r > 0.25 ? 0.5 - r : r < -0.25 ? -0.5 - r : r;
  const double t = folded * 6.28318530717958647693;
  const double q = t * t;
  double p = 1.0 / 355687428096000.0;
  p = p * q - 1.0 / 1307674368000.0;
  p = p * q + 1.0 / 6227020800.0;
  p = p * q - 1.0 / 39916800.0;
  p = p * q + 1.0 / 362880.0;
  p = p * q - 1.0 / 5040.0;
  p = p * q + 1.0 / 120.0;
  p = p * q - 1.0 / 6.0;
  return t + t * q * p;
}
// Arguments are in turns; the hardware's domain is [-256, 256], beyond it sin is 0 and cos 1 (GCN3 ISA, V_SIN_F32,
// V_COS_F32).
inline float sin_turns_lane(float x) {
  const auto wide = static_cast<double>(x);
  const double r = wide - std::floor(wide + 0.5);  // infinity and NaN: NaN
  const double s = sin_of_turn(r);
  const bool outside = both(std::fabs(wide) > 256.0, std::fabs(wide) < std::numeric_limits<double>::infinity());
  return static_cast<float>(outside ? 0.0 : s);
}
inline float cos_turns_lane(float x) {
  const double wide = std::fabs(static_cast<double>(x));
  const double r = wide - std::floor(wide + 0.5);
  const double c = sin_of_turn(0.25 - std::fabs(r));
  const bool outside = both(wide > 256.0, wide < std::numeric_limits<double>::infinity());
  return static_cast<float>(outside ? 1.0 : c);
}

}  // namespace pws::isa
