// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/float/host_float.h"

#include <immintrin.h>

#include <cfenv>
#include <climits>
#include <cmath>
#include <cstring>

namespace pws::test {

namespace {

template <class To, class From>
To pun(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}
float as_float(uint64_t bits) {
  return pun<float>(static_cast<uint32_t>(bits));
}
uint64_t canonical(scalar t, uint64_t bits) {
  return is_nan(t, bits) ? quiet_nan_of(t) : bits;
}

// Sets MXCSR for a scope; the operands pass through volatile objects so that nothing is computed outside it.
class host_mode {
 public:
  explicit host_mode(float_mode m) : saved_(_mm_getcsr()) {
    constexpr unsigned rc[4] = {_MM_ROUND_NEAREST, _MM_ROUND_UP, _MM_ROUND_DOWN, _MM_ROUND_TOWARD_ZERO};
    _mm_setcsr(0x1f80u | rc[static_cast<size_t>(m.round)] | (m.flush_in ? 0x0040u : 0u) | (m.flush_out ? 0x8000u : 0u));
  }
  ~host_mode() { _mm_setcsr(saved_); }
  host_mode(const host_mode&) = delete;
  host_mode& operator=(const host_mode&) = delete;

 private:
  unsigned saved_;
};

template <class T>
T native(arithmetic op, T x, T y, T z, float_mode mode) {
  volatile T a = x, b = y, c = z, r = 0;
  {
    const host_mode scope(mode);
    const T p = a, q = b, s = c;
    switch (op) {
      case arithmetic::add:
        r = p + q;
        break;
      case arithmetic::sub:
        r = p - q;
        break;
      case arithmetic::mul:
        r = p * q;
        break;
      case arithmetic::fma:
        r = std::fma(p, q, s);
        break;
    }
  }
  return r;
}

// Half precision in fixed point: every value is a multiple of 2^-24, every product one of 2^-48.
constexpr int unit_exponent = -48;

wide_int half_units(uint64_t h) {  // of 2^-24
  return static_cast<wide_int>(std::ldexp(to_long_double(scalar::f16, h), 24));
}

// The magnitude `units` * 2^-48 with a sign, rounded to half precision.
uint64_t round_half(wide_int units, bool negative, rounding mode) {
  const uint64_t sign = negative ? 0x8000 : 0;
  int top = 0;
  while (units >> (top + 1) != 0) ++top;
  const int exponent = std::max(top + unit_exponent, -14);
  const int dropped = exponent - 10 - unit_exponent;  // bits below the last place
  const wide_int kept = units >> dropped;
  const wide_int rest = units - (kept << dropped);
  const wide_int half_place = static_cast<wide_int>(1) << (dropped - 1);
  bool up = false;
  switch (mode) {
    case rounding::nearest:
      up = rest > half_place || (rest == half_place && (kept & 1) != 0);
      break;
    case rounding::up:
      up = rest != 0 && !negative;
      break;
    case rounding::down:
      up = rest != 0 && negative;
      break;
    case rounding::to_zero:
      break;
  }
  const bool away = mode == rounding::nearest || mode == (negative ? rounding::down : rounding::up);
  if (exponent > 15) return sign | (away ? 0x7c00 : 0x7bff);
  const uint64_t bits = (static_cast<uint64_t>(exponent + 14) << 10) + static_cast<uint64_t>(kept) + (up ? 1 : 0);
  return sign | (bits >= 0x7c00 && !away ? 0x7bff : bits);
}

uint64_t flush_half(uint64_t h, bool flush) {
  return flush && is_denormal(scalar::f16, h) ? h & 0x8000 : h;
}

uint64_t half_arithmetic(arithmetic op, uint64_t a, uint64_t b, uint64_t c, float_mode mode) {
  a = flush_half(a, mode.flush_in);
  b = flush_half(b, mode.flush_in);
  c = flush_half(c, mode.flush_in);
  const auto x = static_cast<double>(to_long_double(scalar::f16, a));
  const auto y = static_cast<double>(to_long_double(scalar::f16, b));
  const auto z = static_cast<double>(to_long_double(scalar::f16, c));
  const double special = native<double>(op, x, y, z, {mode.round, false, false});
  if (std::isnan(special)) return quiet_nan_of(scalar::f16);
  // Zero and infinity with the sign that the mode gives them; double's range is too wide for any other cause.
  if (special == 0 || std::isinf(special)) return from_long_double(scalar::f16, special);
  wide_int exact = 0;
  const wide_int lift = static_cast<wide_int>(1) << 24;
  switch (op) {
    case arithmetic::add:
      exact = (half_units(a) + half_units(b)) * lift;
      break;
    case arithmetic::sub:
      exact = (half_units(a) - half_units(b)) * lift;
      break;
    case arithmetic::mul:
      exact = half_units(a) * half_units(b);
      break;
    case arithmetic::fma:
      exact = half_units(a) * half_units(b) + half_units(c) * lift;
      break;
  }
  return flush_half(round_half(exact < 0 ? -exact : exact, exact < 0, mode.round), mode.flush_out);
}

template <class T>
T apply(exact_function f, T a, T b) {
  int e = 0;
  T whole = 0;
  switch (f) {
    case exact_function::trunc:
      return std::trunc(a);
    case exact_function::floor:
      return std::floor(a);
    case exact_function::ceil:
      return std::ceil(a);
    case exact_function::rint:
      return std::nearbyint(a);
    case exact_function::round:
      return std::round(a);
    case exact_function::logb:
      return std::logb(a);
    case exact_function::mantissa:
      return std::frexp(a, &e);
    case exact_function::fraction:
      return std::modf(a, &whole);
    case exact_function::whole:
      std::modf(a, &whole);
      return whole;
    case exact_function::fmod:
      return std::fmod(a, b);
    case exact_function::remainder:
      return std::remainder(a, b);
  }
  return a;
}

}  // namespace

uint64_t evaluate(arithmetic op, scalar t, uint64_t a, uint64_t b, uint64_t c, float_mode mode) {
  if (t == scalar::f16) return half_arithmetic(op, a, b, c, mode);
  if (t == scalar::f32)
    return canonical(t, pun<uint32_t>(native<float>(op, as_float(a), as_float(b), as_float(c), mode)));
  return canonical(t, pun<uint64_t>(native<double>(op, pun<double>(a), pun<double>(b), pun<double>(c), mode)));
}

uint64_t divide(scalar t, uint64_t a, uint64_t b) {
  if (t == scalar::f32) return canonical(t, pun<uint32_t>(as_float(a) / as_float(b)));
  if (t == scalar::f64) return canonical(t, pun<uint64_t>(pun<double>(a) / pun<double>(b)));
  // Two roundings, of which the first is too fine to move a quotient of 11-bit numbers across a tie.
  return from_long_double(t, to_long_double(t, a) / to_long_double(t, b));
}

uint64_t square_root(scalar t, uint64_t a) {
  if (t == scalar::f32) return canonical(t, pun<uint32_t>(std::sqrt(as_float(a))));
  if (t == scalar::f64) return canonical(t, pun<uint64_t>(std::sqrt(pun<double>(a))));
  return from_long_double(t, std::sqrt(to_long_double(t, a)));
}

uint64_t convert_float(scalar to, scalar from, uint64_t bits) {
  return from_long_double(to, to_long_double(from, bits));
}

uint64_t from_integer(scalar to, scalar from, uint64_t bits) {
  return from_long_double(to, static_cast<long double>(to_integer(from, bits)));  // 64 bits: exact in long double
}

uint64_t to_integer_or_77(scalar to, scalar from, uint64_t bits) {
  const long double x = to_long_double(from, bits);
  const unsigned magnitude_width = width_of(to) - (is_signed_integer(to) ? 1 : 0);
  const long double limit = std::ldexp(1.0L, static_cast<int>(magnitude_width));
  const bool in_range = std::isfinite(x) && x < limit && x >= (is_signed_integer(to) ? -limit : 0.0L);
  return integer_bits(to, in_range ? static_cast<wide_int>(x) : 77);
}

uint64_t evaluate(exact_function f, scalar t, uint64_t a, uint64_t b) {
  if (t == scalar::f64) return canonical(t, pun<uint64_t>(apply(f, pun<double>(a), pun<double>(b))));
  const auto x = static_cast<float>(to_long_double(t, a));
  const auto y = static_cast<float>(to_long_double(t, b));
  return from_long_double(t, apply(f, x, y));
}

uint64_t exponent_of(scalar t, uint64_t a) {
  int e = 0;
  if (is_finite(t, a)) std::frexp(to_long_double(t, a), &e);
  return integer_bits(scalar::i32, e);
}

uint64_t ilogb_of(scalar t, uint64_t a) {
  const int r = is_nan(t, a)       ? INT_MAX
                : !is_finite(t, a) ? INT_MAX
                : is_zero(t, a)    ? INT_MIN
                                   : std::ilogb(to_long_double(t, a));
  return integer_bits(scalar::i32, r);
}

uint64_t scale(scalar t, uint64_t a, int32_t n) {
  const int limited = n > 5000 ? 5000 : n < -5000 ? -5000 : n;
  return from_long_double(t, std::ldexp(to_long_double(t, a), limited));
}

int compare(scalar t, uint64_t a, uint64_t b) {
  const long double x = to_long_double(t, a), y = to_long_double(t, b);
  return std::isnan(x) || std::isnan(y) ? 2 : x < y ? -1 : x > y ? 1 : 0;
}

}  // namespace pws::test
