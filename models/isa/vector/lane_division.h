// SPDX-License-Identifier: Apache-2.0
// The steps of a correctly rounded division on one lane (GCN3 ISA, V_DIV_SCALE, V_DIV_FMAS, V_DIV_FIXUP). Quotient q =
// n/d is computed from scaled operands; the flag says that the last step must scale back.
#pragma once

#include <cmath>
#include <cstdint>

#include "models/isa/vector/lane_float.h"

namespace pws::isa {

template <class T>
struct division_limits;
template <>
struct division_limits<float> {
  static constexpr int near_overflow = 96;   // exponent(n) - exponent(d) from here: q may overflow
  static constexpr int tiny_numerator = 23;  // biased exponent up to which n has too few bits for the residual
  static constexpr int underflow = -150;     // exponent difference below which q rounds to zero
  static constexpr float up = 0x1p64f, down = 0x1p-64f;
  static constexpr float reciprocal_limit = 0x1p126f;  // |d| beyond it: 1/d is denormal
  static constexpr float smallest_normal = 0x1p-126f;
  static constexpr float half_of_least_denormal = 0x1p-86f;  // times up
};
template <>
struct division_limits<double> {
  static constexpr int near_overflow = 768;
  static constexpr int tiny_numerator = 53;
  static constexpr int underflow = -1075;
  static constexpr double up = 0x1p128, down = 0x1p-128;
  static constexpr double reciprocal_limit = 0x1p1022;
  static constexpr double smallest_normal = 0x1p-1022;
  static constexpr double half_of_least_denormal = 0x1p-947;
};

// x is d or n, whichever is to be scaled. "Denormal quotient" includes one that underflows to zero.
template <class T>
inline with_flag<T> divide_scale(T x, T d, T n) {
  using limits = division_limits<T>;
  const T up = x * limits::up;
  const T down = x * limits::down;
  const bool x_is_d = x == d;
  const bool x_is_n = x == n;
  const bool undefined = n == T(0) || d == T(0);
  const bool huge_quotient = exponent_field(n) - exponent_field(d) >= limits::near_overflow;
  const bool denormal_divisor = is_denormal(d);
  const bool denormal_reciprocal = std::fabs(d) > limits::reciprocal_limit;
  const bool denormal_quotient = std::fabs(n / d) < limits::smallest_normal;
  const bool tiny = exponent_field(n) <= limits::tiny_numerator;
  // In order of precedence, the last assignment wins.
  T r = tiny ? up : x;
  r = denormal_quotient ? (x_is_n ? up : x) : r;
  r = denormal_reciprocal ? down : r;
  r = denormal_reciprocal && denormal_quotient ? (x_is_d ? down : x) : r;
  r = denormal_divisor ? up : r;
  r = huge_quotient ? (x_is_d ? up : x) : r;
  r = undefined ? std::numeric_limits<T>::quiet_NaN() : r;
  const bool flag = !undefined && (huge_quotient || (!denormal_divisor && denormal_quotient));
  return {r, flag};
}

// The last Newton step q + e * (1/d), scaled back where divide_scale said so: c is the quotient, whose size tells the
// direction. Rounded once: where the rounded sum lies halfway between two denormals, what it lacks of the exact one
// decides. (Directed rounding twice is rounding once.) c - r is exact for the operands of a division.
template <class T>
inline T divide_fma(T a, T b, T c, bool flag, bool to_nearest) {
  using limits = division_limits<T>;
  constexpr T least = std::numeric_limits<T>::denorm_min();
  const T r = std::fma(a, b, c);
  const bool large = exponent_field(c) > float_format<T>::bias;
  const T scaled = r * (large ? limits::up : limits::down);
  const T rest = r - scaled * (large ? limits::down : limits::up);
  const T lacking = std::fma(a, b, c - r);
  const bool tie = both(to_nearest, std::fabs(rest) == limits::half_of_least_denormal);
  const bool wrong_way = both(tie, either(both(rest > T(0), lacking > T(0)), both(rest < T(0), lacking < T(0))));
  const T step = std::copysign(least, rest);
  const T once = wrong_way ? scaled + step : scaled;
  return flag ? once : r;
}

// A quotient that is no number although neither operand is special comes from steps on an overflowed estimate:
// infinity.
template <class T>
inline T divide_fixup_special(T q, T d, T n, bool underflows) {
  const auto sign = static_cast<float_bits<T>>((to_bits(d) ^ to_bits(n)) & sign_bit<T>);
  const bool d_zero = d == T(0.0f), n_zero = n == T(0.0f);
  const bool d_infinite = magnitude_bits(d) == infinity_bits<T>, n_infinite = magnitude_bits(n) == infinity_bits<T>;
  const auto signed_infinity = static_cast<float_bits<T>>(infinity_bits<T> | sign);
  auto r = static_cast<float_bits<T>>(magnitude_bits(q) | sign);
  r = is_nan(q) ? signed_infinity : r;
  r = underflows || d_infinite || n_zero ? sign : r;
  r = d_zero || n_infinite ? signed_infinity : r;
  const bool invalid = (d_zero && n_zero) || (d_infinite && n_infinite);
  r = invalid ? static_cast<float_bits<T>>(sign_bit<T> | infinity_bits<T> | quiet_bit<T>) : r;
  r = is_nan(d) ? to_bits(quiet(d)) : r;
  r = is_nan(n) ? to_bits(quiet(n)) : r;
  return bit_cast<T>(static_cast<float_bits<T>>(r));
}
template <class T>
inline T divide_fixup(T q, T d, T n) {
  return divide_fixup_special(q, d, n, exponent_field(n) - exponent_field(d) < division_limits<T>::underflow);
}
inline half divide_fixup(half q, half d, half n) {
  return divide_fixup_special(q, d, n, false);
}

// Bits of 2/pi for the argument reduction of sin and cos in double precision (GCN3 ISA, V_TRIG_PREOP_F64): segment
// number `segment` of 53 bits, counted from the bit of x's exponent, with its weight.
double two_over_pi_segment(double x, uint32_t segment);

}  // namespace pws::isa
