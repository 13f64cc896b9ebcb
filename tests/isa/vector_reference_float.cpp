// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "tests/isa/vector_reference.h"

namespace pws::isa::test {

float single(uint64_t bits) {
  const auto u = static_cast<uint32_t>(bits);
  float x;
  std::memcpy(&x, &u, sizeof x);
  return x;
}
double dbl(uint64_t bits) {
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
uint64_t bits_of(float x) {
  uint32_t u;
  std::memcpy(&u, &x, sizeof u);
  return u;
}
uint64_t bits_of(double x) {
  uint64_t u;
  std::memcpy(&u, &x, sizeof u);
  return u;
}
double half_value(uint64_t bits) {
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const auto fraction = static_cast<double>(bits & 0x3ff);
  if (exponent == 31) return fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * HUGE_VAL;
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}
uint64_t half_bits(double x) {
  if (std::isnan(x)) return 0x7e00;
  const uint64_t sign = std::signbit(x) ? 0x8000 : 0;
  const double m = std::fabs(x);
  if (m >= 65520) return sign | 0x7c00;
  if (m < 0x1p-25) return sign;
  const int exponent = std::max(std::ilogb(m), -14);
  const auto steps = static_cast<uint64_t>(std::nearbyint(std::ldexp(m, 10 - exponent)));  // up to 2048
  // The exponent's field and the steps add up, carry into the next binade included.
  return sign | (static_cast<uint64_t>(exponent + 14) * 1024 + steps);
}
float flushed(float x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x;
}

namespace vector_reference_float {
namespace {

using in = const lane_input&;

// Sources and result of single-precision arithmetic under the default MODE.
float s(in i, int n) {
  return flushed(single(i.src[n]));
}
lane_output result(float x) {
  return {bits_of(flushed(x)), false};
}
lane_output result(double x) {
  return {bits_of(x), false};
}
// To single precision, with what is below the smallest normal number before its rounding to a denormal flushed.
float to_single(double x) {
  const auto lifted = static_cast<float>(x * 0x1p64);
  return std::fabs(lifted) < 0x1p-62f ? std::copysign(0.0f, lifted) : static_cast<float>(x);
}
double d(in i, int n) {
  return dbl(i.src[n]);
}
float rounded(double x) {
  return to_single(x);
}

// Minimum and maximum as the ISA writes them, on patterns of any width.
struct pattern {
  uint64_t bits, infinity, quiet, sign;
  bool nan() const { return (bits & ~sign) > infinity; }
  bool signalling() const { return nan() && (bits & quiet) == 0; }
  double value;  // of no interest for a NaN
};
uint64_t extreme(const pattern& a, const pattern& b, bool minimum, bool ieee) {
  if (ieee && a.signalling()) return a.bits | a.quiet;
  if (ieee && b.signalling()) return b.bits | b.quiet;
  if (a.nan()) return b.bits;
  if (b.nan()) return a.bits;
  if (a.value == 0 && b.value == 0) return minimum == ((a.bits & a.sign) != 0) ? a.bits : b.bits;
  return minimum == (a.value < b.value) ? a.bits : b.bits;
}
pattern single_pattern(uint64_t x) {
  return {x & 0xffffffff, 0x7f800000, 0x400000, 0x80000000, single(x)};
}
pattern double_pattern(uint64_t x) {
  return {x, 0x7ff0000000000000, 0x8000000000000, 0x8000000000000000, dbl(x)};
}
pattern half_pattern(uint64_t x) {
  return {x & 0xffff, 0x7c00, 0x200, 0x8000, half_value(x)};
}
uint64_t extreme32(uint64_t a, uint64_t b, bool minimum, bool ieee) {
  return extreme(single_pattern(a), single_pattern(b), minimum, ieee);
}
uint64_t median32(in i) {
  const uint64_t a = i.src[0], b = i.src[1], c = i.src[2];
  if (single_pattern(a).nan() || single_pattern(b).nan() || single_pattern(c).nan())
    return extreme32(extreme32(a, b, true, i.ieee), c, true, i.ieee);
  const uint64_t top = extreme32(extreme32(a, b, false, i.ieee), c, false, i.ieee);
  if (top == (a & 0xffffffff)) return extreme32(b, c, false, i.ieee);
  if (top == (b & 0xffffffff)) return extreme32(a, c, false, i.ieee);
  return extreme32(a, b, false, i.ieee);
}

// Rounded once by the host; in long double only to see whether it is below the smallest normal number.
lane_output fused(float a, float b, float c) {
  const long double wide = static_cast<long double>(double{a} * b) + c;
  const float r = std::fma(a, b, c);
  return result(std::fabs(wide) < 0x1p-126L - 0x1p-152L ? std::copysign(0.0f, r) : r);
}

template <class T>
T fraction_of(T x) {
  const T r = x - std::floor(x);
  return r >= 1 ? std::nextafter(T(1), T(0)) : r;
}
template <class T>
T even(T x) {
  return std::nearbyint(x);  // the host's default rounding
}
template <class T>
T mantissa(T x) {
  int e = 0;
  return std::frexp(x, &e);
}
template <class T>
uint64_t exponent(T x) {
  int e = 0;
  if (!std::isfinite(x) || x == 0) return 0;
  std::frexp(x, &e);
  return static_cast<uint32_t>(e);
}
constexpr double tau = 6.283185307179586476925286766559;

// Turns, reduced exactly before the conversion to radians.
double sine(double turns) {
  if (!std::isfinite(turns)) return NAN;
  if (std::fabs(turns) > 256) return 0;
  const double r = std::remainder(turns, 1.0);
  if (r == 0.5 || r == -0.5 || r == 0) return 0;
  return std::sin(r * tau);
}
double cosine(double turns) {
  if (!std::isfinite(turns)) return NAN;
  if (std::fabs(turns) > 256) return 1;
  const double r = std::remainder(turns, 1.0);
  if (std::fabs(r) == 0.25) return 0;
  return std::cos(r * tau);
}

// Division: the special cases of v_div_fixup, in the ISA's order, then the quotient with the sign of the operands.
template <class T>
T fixed_up(T q, T den, T num, int exponent_difference, int underflow) {
  const bool negative = std::signbit(den) != std::signbit(num);
  if (std::isnan(num)) return num + num;  // quiet
  if (std::isnan(den)) return den + den;
  if (num == 0 && den == 0) return -std::numeric_limits<T>::quiet_NaN();
  if (std::isinf(num) && std::isinf(den)) return -std::numeric_limits<T>::quiet_NaN();
  const T sign = negative ? T(-1) : T(1);
  if (den == 0 || std::isinf(num)) return sign * std::numeric_limits<T>::infinity();
  if (std::isinf(den) || num == 0) return sign * T(0);
  if (exponent_difference < underflow) return sign * T(0);
  if (std::isnan(q)) return sign * std::numeric_limits<T>::infinity();  // the steps overflowed
  return std::copysign(q, sign);
}

double quantum_legacy(double a, double b) {
  return a == 0 || b == 0 ? 0 : a * b;
}

double h(in i, int n) {
  return half_value(i.src[n]);
}
lane_output half_result(double x) {
  return {half_bits(x), false};
}
double half_flushed(double x) {
  return std::fabs(x) < 0x1p-14 ? std::copysign(0.0, x) : x;
}
lane_output half_mad(double a, double b, double c) {
  const double product = half_flushed(half_value(half_bits(half_flushed(a) * half_flushed(b))));
  return half_result(half_flushed(half_value(half_bits(product + half_flushed(c)))));
}

}  // namespace
}  // namespace vector_reference_float

void add_single_references(std::vector<reference>& to) {
  using namespace vector_reference_float;
  const auto row = [&to](const char* name, lane_output (*f)(in)) { to.push_back({name, f, accuracy::any_nan}); };
  const auto own = [&to](const char* name, lane_output (*f)(in)) { to.push_back({name, f, accuracy::own_nan}); };
  const auto exact = [&to](const char* name, lane_output (*f)(in)) { to.push_back({name, f, accuracy::bits}); };
  const auto near = [&to](const char* name, lane_output (*f)(in)) { to.push_back({name, f, accuracy::one_ulp32}); };

  row("v_add_f32", [](in i) { return result(rounded(double{s(i, 0)} + s(i, 1))); });
  row("v_sub_f32", [](in i) { return result(rounded(double{s(i, 0)} - s(i, 1))); });
  row("v_subrev_f32", [](in i) { return result(rounded(double{s(i, 1)} - s(i, 0))); });
  row("v_mul_f32", [](in i) { return result(rounded(double{s(i, 0)} * s(i, 1))); });
  row("v_mul_legacy_f32", [](in i) { return result(rounded(quantum_legacy(s(i, 0), s(i, 1)))); });
  const auto mad = [](float a, float b, float c) {
    const float product = flushed(rounded(double{a} * b));
    return result(rounded(double{product} + c));
  };
  static const auto unfused = mad;
  row("v_mac_f32", [](in i) { return unfused(s(i, 0), s(i, 1), flushed(single(i.old))); });
  row("v_mad_f32", [](in i) { return unfused(s(i, 0), s(i, 1), s(i, 2)); });
  row("v_madak_f32", [](in i) { return unfused(s(i, 0), s(i, 1), s(i, 2)); });
  row("v_madmk_f32", [](in i) { return unfused(s(i, 0), s(i, 1), s(i, 2)); });
  row("v_mad_legacy_f32",
      [](in i) { return result(rounded(double{flushed(rounded(quantum_legacy(s(i, 0), s(i, 1))))} + s(i, 2))); });
  row("v_fma_f32", [](in i) { return fused(s(i, 0), s(i, 1), s(i, 2)); });

  exact("v_min_f32", [](in i) { return lane_output{extreme32(i.src[0], i.src[1], true, i.ieee), false}; });
  exact("v_max_f32", [](in i) { return lane_output{extreme32(i.src[0], i.src[1], false, i.ieee), false}; });
  exact("v_min3_f32", [](in i) {
    return lane_output{extreme32(extreme32(i.src[0], i.src[1], true, i.ieee), i.src[2], true, i.ieee), false};
  });
  exact("v_max3_f32", [](in i) {
    return lane_output{extreme32(extreme32(i.src[0], i.src[1], false, i.ieee), i.src[2], false, i.ieee), false};
  });
  exact("v_med3_f32", [](in i) { return lane_output{median32(i), false}; });

  row("v_fract_f32", [](in i) { return result(fraction_of(s(i, 0))); });
  row("v_trunc_f32", [](in i) { return result(std::trunc(s(i, 0))); });
  row("v_ceil_f32", [](in i) { return result(std::ceil(s(i, 0))); });
  row("v_floor_f32", [](in i) { return result(std::floor(s(i, 0))); });
  row("v_rndne_f32", [](in i) { return result(even(s(i, 0))); });
  row("v_frexp_mant_f32", [](in i) { return result(mantissa(s(i, 0))); });
  row("v_frexp_exp_i32_f32", [](in i) { return lane_output{exponent(s(i, 0)), false}; });
  row("v_ldexp_f32", [](in i) { return result(rounded(std::ldexp(double{s(i, 0)}, static_cast<int32_t>(i.src[1])))); });

  const auto near_pair = [&near](const char* a, const char* b, lane_output (*f)(in)) {
    near(a, f);
    near(b, f);
  };
  near_pair("v_exp_f32", "v_exp_legacy_f32", [](in i) { return result(rounded(std::exp2(double{s(i, 0)}))); });
  near_pair("v_log_f32", "v_log_legacy_f32", [](in i) { return result(rounded(std::log2(double{s(i, 0)}))); });
  near_pair("v_rcp_f32", "v_rcp_iflag_f32", [](in i) { return result(rounded(1.0 / s(i, 0))); });
  near("v_rsq_f32", [](in i) { return result(rounded(1.0 / std::sqrt(double{s(i, 0)}))); });
  near("v_sqrt_f32", [](in i) { return result(rounded(std::sqrt(double{s(i, 0)}))); });
  near("v_sin_f32", [](in i) { return result(rounded(sine(s(i, 0)))); });
  near("v_cos_f32", [](in i) { return result(rounded(cosine(s(i, 0)))); });

  struct cube {
    float face, s, t, axis;
  };
  // From the table of a cube map's faces: +x, -x, +y, -y, +z, -z. Comparisons flush denormals, coordinates are moved.
  static const auto project = [](in i) {
    const float x = single(i.src[0]), y = single(i.src[1]), z = single(i.src[2]);
    const float ax = std::fabs(s(i, 0)), ay = std::fabs(s(i, 1)), az = std::fabs(s(i, 2));
    if (az >= ax && az >= ay) return flushed(z) < 0 ? cube{5, -x, -y, z} : cube{4, x, -y, z};
    if (ay >= ax) return flushed(y) < 0 ? cube{3, x, -z, y} : cube{2, x, z, y};
    return flushed(x) < 0 ? cube{1, z, -y, x} : cube{0, -z, -y, x};
  };
  row("v_cubeid_f32", [](in i) { return result(project(i).face); });
  row("v_cubema_f32", [](in i) { return result(rounded(2.0 * double{flushed(project(i).axis)})); });
  row("v_cubesc_f32", [](in i) { return lane_output{bits_of(project(i).s), false}; });
  row("v_cubetc_f32", [](in i) { return lane_output{bits_of(project(i).t), false}; });

  own("v_div_fixup_f32", [](in i) {
    const int difference = static_cast<int>(i.src[2] >> 23 & 255) - static_cast<int>(i.src[1] >> 23 & 255);
    return lane_output{bits_of(fixed_up(single(i.src[0]), s(i, 1), s(i, 2), difference, -150)), false};
  });
  row("v_div_fmas_f32", [](in i) {
    const float r = single(fused(s(i, 0), s(i, 1), s(i, 2)).value);
    return result(i.flag ? rounded(std::ldexp(double{r}, std::fabs(s(i, 2)) >= 2.0f || std::isnan(s(i, 2)) ? 64 : -64))
                         : r);
  });
}

void add_double_references(std::vector<reference>& to) {
  using namespace vector_reference_float;
  const auto row = [&to](const char* name, lane_output (*f)(in)) { to.push_back({name, f, accuracy::any_nan}); };
  const auto own = [&to](const char* name, lane_output (*f)(in)) { to.push_back({name, f, accuracy::own_nan}); };
  const auto exact = [&to](const char* name, lane_output (*f)(in)) { to.push_back({name, f, accuracy::bits}); };
  row("v_add_f64", [](in i) { return result(d(i, 0) + d(i, 1)); });
  row("v_mul_f64", [](in i) { return result(d(i, 0) * d(i, 1)); });
  row("v_fma_f64", [](in i) { return result(std::fma(d(i, 0), d(i, 1), d(i, 2))); });
  exact("v_min_f64", [](in i) {
    return lane_output{extreme(double_pattern(i.src[0]), double_pattern(i.src[1]), true, i.ieee), false};
  });
  exact("v_max_f64", [](in i) {
    return lane_output{extreme(double_pattern(i.src[0]), double_pattern(i.src[1]), false, i.ieee), false};
  });
  row("v_trunc_f64", [](in i) { return result(std::trunc(d(i, 0))); });
  row("v_ceil_f64", [](in i) { return result(std::ceil(d(i, 0))); });
  row("v_floor_f64", [](in i) { return result(std::floor(d(i, 0))); });
  row("v_rndne_f64", [](in i) { return result(even(d(i, 0))); });
  row("v_fract_f64", [](in i) { return result(fraction_of(d(i, 0))); });
  row("v_frexp_mant_f64", [](in i) { return result(mantissa(d(i, 0))); });
  row("v_frexp_exp_i32_f64", [](in i) { return lane_output{exponent(d(i, 0)), false}; });
  row("v_ldexp_f64", [](in i) { return result(std::ldexp(d(i, 0), static_cast<int32_t>(i.src[1]))); });
  row("v_rcp_f64", [](in i) { return result(1.0 / d(i, 0)); });
  row("v_sqrt_f64", [](in i) { return result(std::sqrt(d(i, 0))); });
  to.push_back({"v_rsq_f64",
                [](in i) { return result(static_cast<double>(1.0L / std::sqrt(static_cast<long double>(d(i, 0))))); },
                accuracy::one_ulp64});
  own("v_div_fixup_f64", [](in i) {
    const int difference = static_cast<int>(i.src[2] >> 52 & 2047) - static_cast<int>(i.src[1] >> 52 & 2047);
    return result(fixed_up(d(i, 0), d(i, 1), d(i, 2), difference, -1075));
  });
  row("v_div_fmas_f64", [](in i) {
    const double r = std::fma(d(i, 0), d(i, 1), d(i, 2));
    return result(i.flag ? std::ldexp(r, std::fabs(d(i, 2)) >= 2.0 || std::isnan(d(i, 2)) ? 128 : -128) : r);
  });
}

void add_half_references(std::vector<reference>& to) {
  using namespace vector_reference_float;
  const auto row = [&to](const char* name, lane_output (*f)(in)) { to.push_back({name, f, accuracy::any_nan}); };
  const auto own = [&to](const char* name, lane_output (*f)(in)) { to.push_back({name, f, accuracy::own_nan}); };
  const auto exact = [&to](const char* name, lane_output (*f)(in)) { to.push_back({name, f, accuracy::bits}); };
  const auto near = [&to](const char* name, lane_output (*f)(in)) { to.push_back({name, f, accuracy::one_ulp16}); };
  row("v_add_f16", [](in i) { return half_result(h(i, 0) + h(i, 1)); });
  row("v_sub_f16", [](in i) { return half_result(h(i, 0) - h(i, 1)); });
  row("v_subrev_f16", [](in i) { return half_result(h(i, 1) - h(i, 0)); });
  row("v_mul_f16", [](in i) { return half_result(h(i, 0) * h(i, 1)); });
  row("v_mac_f16", [](in i) { return half_mad(h(i, 0), h(i, 1), half_value(i.old)); });
  row("v_mad_f16", [](in i) { return half_mad(h(i, 0), h(i, 1), h(i, 2)); });
  row("v_madak_f16", [](in i) { return half_mad(h(i, 0), h(i, 1), h(i, 2)); });
  row("v_madmk_f16", [](in i) { return half_mad(h(i, 0), h(i, 1), h(i, 2)); });
  row("v_fma_f16", [](in i) { return half_result(std::fma(h(i, 0), h(i, 1), h(i, 2))); });
  exact("v_min_f16", [](in i) {
    return lane_output{extreme(half_pattern(i.src[0]), half_pattern(i.src[1]), true, i.ieee), false};
  });
  exact("v_max_f16", [](in i) {
    return lane_output{extreme(half_pattern(i.src[0]), half_pattern(i.src[1]), false, i.ieee), false};
  });
  row("v_ldexp_f16", [](in i) { return half_result(std::ldexp(h(i, 0), static_cast<int16_t>(i.src[1]))); });
  row("v_floor_f16", [](in i) { return half_result(std::floor(h(i, 0))); });
  row("v_ceil_f16", [](in i) { return half_result(std::ceil(h(i, 0))); });
  row("v_trunc_f16", [](in i) { return half_result(std::trunc(h(i, 0))); });
  row("v_rndne_f16", [](in i) { return half_result(even(h(i, 0))); });
  row("v_fract_f16", [](in i) {
    const lane_output r = half_result(h(i, 0) - std::floor(h(i, 0)));
    return r.value == 0x3c00 ? lane_output{0x3bff, false} : r;
  });
  row("v_frexp_mant_f16", [](in i) { return half_result(mantissa(h(i, 0))); });
  row("v_frexp_exp_i16_f16", [](in i) { return lane_output{exponent(h(i, 0)) & 0xffff, false}; });
  near("v_rcp_f16", [](in i) { return half_result(1.0 / h(i, 0)); });
  near("v_sqrt_f16", [](in i) { return half_result(std::sqrt(h(i, 0))); });
  near("v_rsq_f16", [](in i) { return half_result(1.0 / std::sqrt(h(i, 0))); });
  near("v_log_f16", [](in i) { return half_result(std::log2(h(i, 0))); });
  near("v_exp_f16", [](in i) { return half_result(std::exp2(h(i, 0))); });
  near("v_sin_f16", [](in i) { return half_result(sine(h(i, 0))); });
  near("v_cos_f16", [](in i) { return half_result(cosine(h(i, 0))); });
  own("v_div_fixup_f16", [](in i) {
    for (const int n : {2, 1})
      if (std::isnan(h(i, n))) return lane_output{(i.src[n] & 0xffff) | 0x200, false};
    const double r = fixed_up(h(i, 0), h(i, 1), h(i, 2), 0, -1);
    return std::isnan(r) ? lane_output{0xfe00, false} : half_result(r);
  });
}

}  // namespace pws::isa::test
