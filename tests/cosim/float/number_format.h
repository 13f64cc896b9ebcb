// SPDX-License-Identifier: Apache-2.0
// A floating-point format by its widths, and random bit patterns of it.
#pragma once

#include <cstdint>

#include "tests/cosim/float/float_operands.h"

namespace pws::rtl_test {

struct number_format {
  unsigned fraction_bits;
  unsigned exponent_bits;

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr int special() const { return (1 << exponent_bits) - 1; }  // exponent field of infinity and NaN
  constexpr uint64_t sign() const { return uint64_t{1} << (fraction_bits + exponent_bits); }
  constexpr uint64_t fraction() const { return (uint64_t{1} << fraction_bits) - 1; }
  constexpr uint64_t quiet() const { return uint64_t{1} << (fraction_bits - 1); }
  constexpr uint64_t infinity() const { return static_cast<uint64_t>(special()) << fraction_bits; }
  constexpr uint64_t all() const { return sign() | infinity() | fraction(); }
  constexpr int exponent_of(uint64_t number) const {
    return static_cast<int>(number >> fraction_bits & static_cast<uint64_t>(special()));
  }

  // A pattern's value, which every double has, and a value rounded to the format.
  double value(uint64_t bits) const;
  uint64_t bits(double value) const;

  // Random, few bits set, nearly all of them, or near a power of two from above.
  uint64_t random_fraction(random_bits& random) const;
  // A number with that biased exponent, limited to normal numbers.
  uint64_t with_exponent(random_bits& random, int exponent) const;
  uint64_t neighbour(random_bits& random, uint64_t number) const;
  uint64_t random_number(random_bits& random) const;
};

constexpr number_format format_of(precision p) {
  switch (p) {
    case precision::half_precision:
      return {10, 5};
    case precision::single_precision:
      return {23, 8};
    case precision::double_precision:
      break;
  }
  return {52, 11};
}

// centre +- spread.
inline int near(random_bits& random, int centre, int spread) {
  return centre - spread + static_cast<int>(random.below(static_cast<uint32_t>(2 * spread + 1)));
}

}  // namespace pws::rtl_test
