// SPDX-License-Identifier: Apache-2.0
// Floating-point operations that are more than one C++ operator, on one lane, branch-free so that lane loops vectorise:
// hence conditions joined by both() and either(), which evaluate all of them, and results chosen by ?: or choose().
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "models/isa/vector/half.h"
#include "models/isa/vector/vector_lane.h"

namespace pws::isa {

inline bool both(bool a, bool b) {
  return (static_cast<unsigned>(a) & static_cast<unsigned>(b)) != 0;
}
inline bool either(bool a, bool b) {
  return (static_cast<unsigned>(a) | static_cast<unsigned>(b)) != 0;
}

// --- Bit patterns --------------------------------------------------------------------------------

template <class T>
struct float_format;
template <>
struct float_format<float> {
  using bits = uint32_t;
  using key = int32_t;
  static constexpr int mantissa = 23, width = 32, max_exponent = 255, bias = 127;
};
template <>
struct float_format<double> {
  using bits = uint64_t;
  using key = int64_t;
  static constexpr int mantissa = 52, width = 64, max_exponent = 2047, bias = 1023;
};
template <>
struct float_format<half> {
  using bits = uint16_t;
  using key = int16_t;
  static constexpr int mantissa = 10, width = 16, max_exponent = 31, bias = 15;
};

template <class T>
using float_bits = typename float_format<T>::bits;

template <class T>
inline constexpr float_bits<T> sign_bit = static_cast<float_bits<T>>(float_bits<T>{1} << (float_format<T>::width - 1));
template <class T>
inline constexpr float_bits<T> infinity_bits = static_cast<float_bits<T>>(float_bits<T>{float_format<T>::max_exponent}
                                                                          << float_format<T>::mantissa);
template <class T>
inline constexpr float_bits<T> quiet_bit = static_cast<float_bits<T>>(float_bits<T>{1}
                                                                      << (float_format<T>::mantissa - 1));

template <class T>
inline float_bits<T> to_bits(T x) {
  return bit_cast<float_bits<T>>(x);
}
template <class T>
inline float_bits<T> magnitude_bits(T x) {
  return static_cast<float_bits<T>>(to_bits(x) & ~sign_bit<T>);
}
template <class T>
inline bool is_nan(T x) {
  return magnitude_bits(x) > infinity_bits<T>;
}
template <class T>
inline bool is_signalling(T x) {
  const auto without_quiet = static_cast<float_bits<T>>(to_bits(x) ^ quiet_bit<T>);
  return both(is_nan(x), (without_quiet & quiet_bit<T>) != 0);
}
template <class T>
inline bool is_denormal(T x) {
  const auto m = magnitude_bits(x);
  return both(m != 0, m < (float_bits<T>{1} << float_format<T>::mantissa));
}
// Biased exponent field.
template <class T>
inline int exponent_field(T x) {
  return static_cast<int>(magnitude_bits(x) >> float_format<T>::mantissa);
}
template <class T>
inline T quiet(T x) {
  return bit_cast<T>(static_cast<float_bits<T>>(to_bits(x) | quiet_bit<T>));
}

// c ? a : b by masking. For chains of conditions that imply each other: written with ?: the compiler turns them into
// branches, and the lane loop stays scalar.
template <class U>
inline U choose(bool c, U a, U b) {
  return static_cast<U>(b ^ ((a ^ b) & static_cast<U>(-static_cast<U>(c))));
}

// --- Minimum, maximum, median (GCN3 ISA, V_MIN_F32, V_MAX_F32, V_MED3_F32) -----------------------

// Bit patterns compared as integers: denormals count in every mode, -0 is below +0.
template <class T>
inline typename float_format<T>::key order_key(T x) {
  using key = typename float_format<T>::key;
  const auto k = static_cast<key>(to_bits(x));
  return static_cast<key>(k ^ ((k >> (float_format<T>::width - 1)) & std::numeric_limits<key>::max()));
}
template <class T>
inline T pick(T a, T b, bool first, fp_mode m) {
  auto r = choose(first, to_bits(a), to_bits(b));
  r = choose(is_nan(b), to_bits(a), r);
  r = choose(is_nan(a), to_bits(b), r);
  r = choose(both(m.ieee(), is_signalling(b)), to_bits(quiet(b)), r);
  r = choose(both(m.ieee(), is_signalling(a)), to_bits(quiet(a)), r);
  return bit_cast<T>(r);
}
template <class T>
inline T min_of(T a, T b, fp_mode m) {
  return pick(a, b, order_key(a) < order_key(b), m);
}
template <class T>
inline T max_of(T a, T b, fp_mode m) {
  return pick(a, b, order_key(a) > order_key(b), m);
}
template <class T>
inline T median_of(T a, T b, T c, fp_mode m) {
  const T low = min_of(min_of(a, b, m), c, m);
  const auto ka = order_key(a), kb = order_key(b), kc = order_key(c);
  const auto min_ab = ka < kb ? ka : kb;
  const auto max_ab = ka < kb ? kb : ka;
  const auto upper = max_ab < kc ? max_ab : kc;
  const auto middle = min_ab > upper ? min_ab : upper;
  const T median = ka == middle ? a : kb == middle ? b : c;
  return either(is_nan(a), either(is_nan(b), is_nan(c))) ? low : median;
}

// --- Classes (GCN3 ISA, V_CMP_CLASS_F32) ---------------------------------------------------------

// Is x in one of the classes of the mask? Bits: 0 sNaN, 1 qNaN, 2 -inf, 3 -normal, 4 -denormal, 5 -0, 6 +0, 7
// +denormal, 8 +normal, 9 +inf.
template <class T>
inline bool in_class(T x, uint32_t mask) {
  const auto m = magnitude_bits(x);
  const bool negative = (to_bits(x) & sign_bit<T>) != 0;
  uint32_t which = choose<uint32_t>(m == infinity_bits<T>, 9, 8);
  which = choose<uint32_t>(is_denormal(x), 7, which);
  which = choose<uint32_t>(m == 0, 6, which);
  which = choose<uint32_t>(negative, 11 - which, which);
  which = choose<uint32_t>(is_nan(x), 1, which);
  which = choose<uint32_t>(is_signalling(x), 0, which);
  return ((mask >> which) & 1) != 0;
}

// --- Conversions to integers: truncate, saturate, NaN is 0 ---------------------------------------

template <class Int, class T>
inline Int saturating(T x) {
  constexpr Int lowest = std::numeric_limits<Int>::min();
  constexpr Int highest = std::numeric_limits<Int>::max();
  constexpr T low = static_cast<T>(lowest);
  constexpr Int half_range = highest / 2 + 1;
  constexpr T beyond = static_cast<T>(half_range) * 2;  // exact: a power of two
  const bool above = x >= beyond;
  const bool below = !(x > low);  // NaN too
  const T inside = above || below ? T(0) : x;
  const Int r = static_cast<Int>(inside);
  const Int limited = below ? (x <= low ? lowest : Int{0}) : r;
  return above ? highest : limited;
}

// x limited to [low, 1]; NaN is 0.
inline float clamp_float(float x, float low) {
  const float above = x > low ? x : low;
  const float both = above < 1.0f ? above : 1.0f;
  return x != x ? 0.0f : both;
}

// --- Rounding ------------------------------------------------------------------------------------

// std::floor and its relatives in every rounding mode. Processors without an instruction for them (before SSE4.1) add
// and subtract 2^23 or 2^52, which makes -0 of small positive numbers where MODE rounds down: the sign is always x's.
template <class T>
inline T signed_as(T whole, T x) {
#ifdef __SSE4_1__
  static_cast<void>(x);
  return whole;
#else
  return std::copysign(whole, x);
#endif
}
template <class T>
inline T whole_below(T x) {
  return signed_as(std::floor(x), x);
}
template <class T>
inline T whole_above(T x) {
  return signed_as(std::ceil(x), x);
}
template <class T>
inline T truncated(T x) {
  return signed_as(std::trunc(x), x);
}

// To nearest even in every rounding mode.
template <class T>
inline T round_even(T x) {
  const T whole = truncated(x);
  const T rest = std::fabs(x - whole);
  const T halved = whole * T(0.5);
  const bool odd = halved != truncated(halved);
  const bool away = either(rest > T(0.5), both(rest == T(0.5), odd));
  return away ? whole + std::copysign(T(1), x) : whole;
}

// x - floor(x), below 1 even where the subtraction rounds up to it.
template <class T>
inline T fraction(T x) {
  constexpr T below_one = T(1) - std::numeric_limits<T>::epsilon() / 2;
  const T r = x - whole_below(x);
  return r >= T(1) ? below_one : r;
}

inline half half_fraction(half h) {
  const auto x = static_cast<float>(h);
  const half r(x - whole_below(x));
  return r.bits == 0x3c00 ? half::from_bits(0x3bff) : r;
}

// Legacy multiplication: zero times anything, infinity and NaN included, is zero.
inline float multiply_legacy(float a, float b) {
  return a == 0.0f || b == 0.0f ? 0.0f : a * b;
}
// v_mad_f16 and v_mac_f16: the product is rounded, denormals are flushed on the way.
inline half multiply_add_flushed(half a, half b, half c) {
  const half product = half(a.flushed() * b.flushed()).flushed();
  return half(product + c.flushed()).flushed();
}

// A signalling NaN made quiet, anything else as it is.
template <class T>
inline T quieted(T x) {
  return bit_cast<T>(static_cast<float_bits<T>>(is_nan(x) ? to_bits(x) | quiet_bit<T> : to_bits(x)));
}

// --- Exponents -----------------------------------------------------------------------------------

// |x| as a normal number and the power of two it was multiplied by; a flushing mode reads denormals as zero.
template <class T>
struct normalised {
  using format = float_format<T>;
  float_bits<T> bits;  // sign included
  int exponent;        // biased, of the original x; may be below 1
  bool zero, special;  // special: infinity or NaN

  explicit normalised(T x) {
    constexpr int lift = format::mantissa + 1;
    const T lifted = x * static_cast<T>(float_bits<T>{1} << lift);
    const bool small = exponent_field(x) == 0;
    bits = small ? to_bits(lifted) : to_bits(x);
    const auto m = static_cast<float_bits<T>>(bits & ~sign_bit<T>);
    exponent = static_cast<int>(m >> format::mantissa) - (small ? lift : 0);
    zero = m == 0;
    special = !small && m >= infinity_bits<T>;
  }
  // The same sign and fraction with another biased exponent (1 to max - 1).
  T with_exponent(int e) const {
    const auto fraction_and_sign = static_cast<float_bits<T>>(bits & ~infinity_bits<T>);
    return bit_cast<T>(
        static_cast<float_bits<T>>(fraction_and_sign | static_cast<float_bits<T>>(e) << format::mantissa));
  }
};

// Mantissa in [0.5, 1) with x's sign; zero, infinity and NaN as they are.
template <class T>
inline T frexp_mantissa(T x) {
  const normalised<T> n(x);
  const T m = n.with_exponent(float_format<T>::bias - 1);
  return n.special ? quieted(x) : n.zero ? bit_cast<T>(n.bits) : m;
}
template <class T>
inline int32_t frexp_exponent(T x) {
  const normalised<T> n(x);
  return n.special || n.zero ? 0 : n.exponent - (float_format<T>::bias - 1);
}

// x * 2^n, rounded once, overflow and underflow included.
inline double scale_by_power(double x, int32_t n) {
  const normalised<double> v(x);
  const int32_t step = n > 5000 ? 5000 : n < -5000 ? -5000 : n;
  const int e = v.exponent + step;
  const int normal = e < 1 ? 1 : e > 2046 ? 2046 : e;
  const int lowered = e < -60 ? 4 : e > 0 ? 64 : e + 64;  // + 64: undone by the rounding multiplication
  const double in_range = v.with_exponent(normal);
  const double underflow = v.with_exponent(lowered) * 0x1p-64;
  const double overflow = v.with_exponent(2046) * 0x1p1023;
  const double finite = e < 1 ? underflow : e > 2046 ? overflow : in_range;
  return v.special ? quieted(x) : v.zero ? bit_cast<double>(v.bits) : finite;
}
// Through double, whose range makes the scaling exact: only the conversion rounds.
inline float scale_by_power(float x, int32_t n) {
  const int32_t step = n > 300 ? 300 : n < -300 ? -300 : n;
  const auto power = bit_cast<double>(static_cast<uint64_t>(step + 1023) << 52);
  return static_cast<float>(static_cast<double>(x) * power);
}

}  // namespace pws::isa
