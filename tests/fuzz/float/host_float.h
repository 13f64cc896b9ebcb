// SPDX-License-Identifier: Apache-2.0
// What the operations of generated kernels must give: one correctly rounded result each, computed on the host.
#pragma once

#include <cstdint>

#include "tests/fuzz/float/number.h"

namespace pws::test {

enum class rounding : uint8_t { nearest, up, down, to_zero };  // in the order of MODE's fields

// How one precision is computed: rounding, and which denormals are read and written as zeros of the same sign.
struct float_mode {
  rounding round = rounding::nearest;
  bool flush_in = false, flush_out = false;
};

// Arithmetic in any float_mode, for the three formats. NaN results are quiet_nan_of(t).
enum class arithmetic : uint8_t { add, sub, mul, fma };
uint64_t evaluate(arithmetic op, scalar t, uint64_t a, uint64_t b, uint64_t c, float_mode mode = {});

// Division and square root, to nearest.
uint64_t divide(scalar t, uint64_t a, uint64_t b);
uint64_t square_root(scalar t, uint64_t a);

// Between two floating-point formats, to nearest.
uint64_t convert_float(scalar to, scalar from, uint64_t bits);
uint64_t from_integer(scalar to, scalar from, uint64_t bits);
// As to_integer of the device header: truncated, 77 where that is not in the type's range or no number.
uint64_t to_integer_or_77(scalar to, scalar from, uint64_t bits);

enum class exact_function : uint8_t {
  trunc,
  floor,
  ceil,
  rint,
  round,
  logb,
  mantissa,
  fraction,
  whole,
  fmod,
  remainder
};
// b is the second argument of fmod and remainder.
uint64_t evaluate(exact_function f, scalar t, uint64_t a, uint64_t b = 0);
// As 32-bit patterns. ilogb of 0, NaN and infinity is what OpenCL's FP_ILOGB0, FP_ILOGBNAN and INT_MAX say.
uint64_t exponent_of(scalar t, uint64_t a);  // of frexp, 0 for what has none
uint64_t ilogb_of(scalar t, uint64_t a);
uint64_t scale(scalar t, uint64_t a, int32_t n);  // ldexp

// -1, 0, 1 for less, equal, greater; 2 for unordered.
int compare(scalar t, uint64_t a, uint64_t b);

}  // namespace pws::test
