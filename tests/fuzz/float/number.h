// SPDX-License-Identifier: Apache-2.0
// The types of generated kernels, their values as bit patterns in 64-bit slots, and interesting values of each.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "tests/fuzz/float/random.h"

namespace pws::test {

enum class scalar : uint8_t { f16, f32, f64, i8, u8, i16, u16, i32, u32, i64, u64, boolean };
inline constexpr std::array<scalar, 3> floats{scalar::f16, scalar::f32, scalar::f64};

__extension__ typedef __int128 wide_int;

inline bool is_float(scalar t) {
  return t <= scalar::f64;
}
inline bool is_signed_integer(scalar t) {
  return t == scalar::i8 || t == scalar::i16 || t == scalar::i32 || t == scalar::i64;
}
unsigned width_of(scalar t);    // bits
const char* name_of(scalar t);  // as the device header calls it

// An IEEE binary format: fraction bits, and the exponent of its largest binade.
struct format {
  unsigned fraction;
  int max_exponent;
};
format format_of(scalar t);  // of a floating-point type

uint64_t sign_of(scalar t);      // the sign bit
uint64_t infinity_of(scalar t);  // +inf
uint64_t quiet_nan_of(scalar t);
bool is_nan(scalar t, uint64_t bits);
bool is_signalling(scalar t, uint64_t bits);
bool is_zero(scalar t, uint64_t bits);
bool is_denormal(scalar t, uint64_t bits);
uint64_t flushed(scalar t, uint64_t bits);  // a denormal is a zero of its sign; integers stay
bool is_finite(scalar t, uint64_t bits);

// Exact, for every type but boolean; NaN is NaN.
long double to_long_double(scalar t, uint64_t bits);
// Value of an integer type.
wide_int to_integer(scalar t, uint64_t bits);
// The low bits of an integer, as a slot holds them.
uint64_t integer_bits(scalar t, wide_int value);
// Nearest, ties to even; denormals kept; any NaN becomes quiet_nan_of.
uint64_t from_long_double(scalar t, long double x);

// Any class: uniform bit patterns, special values, denormals, powers of two, small integers, ordinary sizes.
uint64_t random_float(scalar t, random_source& r);
uint64_t random_integer(scalar t, random_source& r);

// "0x3f800000 (1)"
std::string to_text(scalar t, uint64_t bits);

}  // namespace pws::test
