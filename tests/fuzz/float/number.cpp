// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/float/number.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace pws::test {

namespace {

uint64_t low_bits(uint64_t x, unsigned width) {
  return width == 64 ? x : x & ((uint64_t{1} << width) - 1);
}
uint64_t fraction_mask(scalar t) {
  return (uint64_t{1} << format_of(t).fraction) - 1;
}
uint64_t with_exponent(scalar t, int exponent, random_source& r) {
  const format f = format_of(t);
  const auto biased = static_cast<uint64_t>(exponent + f.max_exponent);
  return (r.next() & (sign_of(t) | fraction_mask(t))) | biased << f.fraction;
}

}  // namespace

unsigned width_of(scalar t) {
  constexpr std::array<unsigned, 12> widths{16, 32, 64, 8, 8, 16, 16, 32, 32, 64, 64, 1};
  return widths[static_cast<size_t>(t)];
}

const char* name_of(scalar t) {
  constexpr std::array<const char*, 12> names{"f16", "f32", "f64", "i8",  "u8",  "i16",
                                              "u16", "i32", "u32", "i64", "u64", "bool"};
  return names[static_cast<size_t>(t)];
}

format format_of(scalar t) {
  if (t == scalar::f16) return {10, 15};
  if (t == scalar::f32) return {23, 127};
  return {52, 1023};
}

uint64_t sign_of(scalar t) {
  return uint64_t{1} << (width_of(t) - 1);
}
uint64_t infinity_of(scalar t) {
  const format f = format_of(t);
  return static_cast<uint64_t>(2 * f.max_exponent + 1) << f.fraction;
}
uint64_t quiet_nan_of(scalar t) {
  return infinity_of(t) | uint64_t{1} << (format_of(t).fraction - 1);
}
bool is_nan(scalar t, uint64_t bits) {
  return is_float(t) && (bits & ~sign_of(t)) > infinity_of(t);
}
bool is_signalling(scalar t, uint64_t bits) {
  return is_nan(t, bits) && (bits & uint64_t{1} << (format_of(t).fraction - 1)) == 0;
}
bool is_zero(scalar t, uint64_t bits) {
  return (bits & ~sign_of(t)) == 0;
}
bool is_denormal(scalar t, uint64_t bits) {
  const uint64_t m = bits & ~sign_of(t);
  return m != 0 && m <= fraction_mask(t);
}
uint64_t flushed(scalar t, uint64_t bits) {
  return is_float(t) && is_denormal(t, bits) ? bits & sign_of(t) : bits;
}
bool is_finite(scalar t, uint64_t bits) {
  return (bits & ~sign_of(t)) < infinity_of(t);
}

long double to_long_double(scalar t, uint64_t bits) {
  if (!is_float(t)) return static_cast<long double>(to_integer(t, bits));
  const format f = format_of(t);
  const uint64_t m = bits & ~sign_of(t);
  const auto biased = static_cast<int>(m >> f.fraction);
  const uint64_t fraction = m & fraction_mask(t);
  long double x = 0;
  if (m > infinity_of(t)) return std::numeric_limits<long double>::quiet_NaN();
  if (m == infinity_of(t)) {
    x = std::numeric_limits<long double>::infinity();
  } else {
    const uint64_t significand = biased == 0 ? fraction : fraction | uint64_t{1} << f.fraction;
    const int exponent = (biased == 0 ? 1 : biased) - f.max_exponent - static_cast<int>(f.fraction);
    x = std::ldexp(static_cast<long double>(significand), exponent);
  }
  return (bits & sign_of(t)) != 0 ? -x : x;
}

wide_int to_integer(scalar t, uint64_t bits) {
  const unsigned width = width_of(t);
  const uint64_t low = low_bits(bits, width);
  if (!is_signed_integer(t) || (low >> (width - 1) & 1) == 0) return static_cast<wide_int>(low);
  return static_cast<wide_int>(low) - (static_cast<wide_int>(1) << width);
}

uint64_t integer_bits(scalar t, wide_int value) {
  return low_bits(static_cast<uint64_t>(value), width_of(t));
}

uint64_t from_long_double(scalar t, long double x) {
  if (std::isnan(x)) return quiet_nan_of(t);
  const uint64_t sign = std::signbit(x) ? sign_of(t) : 0;
  const long double magnitude = std::fabs(x);
  if (std::isinf(x)) return sign | infinity_of(t);
  if (magnitude == 0) return sign;
  const format f = format_of(t);
  const int lowest = 1 - f.max_exponent;
  const int exponent = std::max(std::ilogb(magnitude), lowest);
  if (exponent > f.max_exponent) return sign | infinity_of(t);
  // An integer of fraction + 1 bits: in units of the last place, rounded by the host in its default mode.
  const long double units = std::nearbyint(std::ldexp(magnitude, static_cast<int>(f.fraction) - exponent));
  const auto biased = static_cast<uint64_t>(exponent - lowest);  // 0 for denormals too: the carry makes them normal
  return sign | ((biased << f.fraction) + static_cast<uint64_t>(units));
}

uint64_t random_float(scalar t, random_source& r) {
  const format f = format_of(t);
  const uint64_t one = static_cast<uint64_t>(f.max_exponent) << f.fraction;
  const uint64_t sign = r.chance(50) ? sign_of(t) : 0;
  switch (r.below(12)) {
    case 0:
    case 1:
      return low_bits(r.next(), width_of(t));
    case 2: {
      const uint64_t least_normal = uint64_t{1} << f.fraction;
      const std::array<uint64_t, 14> specials{0,
                                              infinity_of(t),
                                              quiet_nan_of(t),
                                              infinity_of(t) | 1,  // signalling
                                              infinity_of(t) - 1,
                                              1,
                                              least_normal - 1,
                                              least_normal,
                                              least_normal + 1,
                                              one,
                                              one + 1,
                                              one - 1,
                                              one | uint64_t{1} << (f.fraction - 1),
                                              one - least_normal};
      return sign | r.one_of(specials);
    }
    case 3:
      return sign | (r.next() & fraction_mask(t));  // denormal
    case 4:
      return sign | r.below(uint64_t{1} << std::min(f.fraction, 12u));
    case 5:
      return from_long_double(t, static_cast<long double>(static_cast<int64_t>(r.below(201)) - 100));
    case 6:
      return sign | (one + r.below(9) - 4);
    case 7:
      return with_exponent(t, static_cast<int>(r.below(5)) - 2, r) & ~(fraction_mask(t) >> r.below(f.fraction));
    case 8:
      return sign | static_cast<uint64_t>(1 + r.below(2 * static_cast<uint64_t>(f.max_exponent))) << f.fraction;
    case 9:
      return with_exponent(t, f.max_exponent - static_cast<int>(r.below(3)), r);
    default:
      return with_exponent(t, static_cast<int>(r.below(9)) - 4, r);
  }
}

uint64_t random_integer(scalar t, random_source& r) {
  const uint64_t edge = uint64_t{1} << r.below(width_of(t));
  switch (r.below(4)) {
    case 0:
      return low_bits(r.next(), width_of(t));
    case 1:
      return low_bits(edge + r.below(5) - 2, width_of(t));
    case 2:
      return low_bits(r.next() & (edge - 1), width_of(t));
    default:
      return low_bits(r.below(129) - 64, width_of(t));
  }
}

std::string to_text(scalar t, uint64_t bits) {
  if (t == scalar::boolean) return bits != 0 ? "true" : "false";
  if (is_float(t)) {
    const char* kind = is_signalling(t, bits) ? ", signalling" : is_denormal(t, bits) ? ", denormal" : "";
    return fmt::format("0x{:0{}x} ({:.{}g}{})", bits, width_of(t) / 4, to_long_double(t, bits),
                       t == scalar::f64 ? 17 : 9, kind);
  }
  return fmt::format("0x{:0{}x} ({})", bits, width_of(t) / 4, static_cast<long double>(to_integer(t, bits)));
}

}  // namespace pws::test
