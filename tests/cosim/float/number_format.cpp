// SPDX-License-Identifier: Apache-2.0
#include "tests/cosim/float/number_format.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace pws::rtl_test {

double number_format::value(uint64_t bits) const {
  const double sign_of = (bits & sign()) != 0 ? -1.0 : 1.0;
  const int field = exponent_of(bits);
  const auto rest = static_cast<double>(bits & fraction());
  if (field == special()) return sign_of * (rest == 0 ? HUGE_VAL : std::nan(""));
  const double hidden = field == 0 ? 0.0 : static_cast<double>(fraction() + 1);
  return sign_of * std::ldexp(hidden + rest, std::max(field, 1) - bias() - static_cast<int>(fraction_bits));
}

uint64_t number_format::bits(double value) const {
  const uint64_t sign_of = std::signbit(value) ? sign() : 0;
  if (std::isnan(value)) return sign_of | infinity() | quiet();
  if (value == 0.0) return sign_of;
  const double magnitude = std::fabs(value);
  const int exponent = std::max(std::isinf(value) ? special() : std::ilogb(magnitude), 1 - bias());
  if (exponent > bias()) return sign_of | infinity();
  const auto units =
      static_cast<uint64_t>(std::nearbyint(std::ldexp(magnitude, static_cast<int>(fraction_bits) - exponent)));
  // The hidden bit adds one to the field; a significand rounded up to the next power of two, another one.
  return sign_of | ((static_cast<uint64_t>(exponent + bias() - 1) << fraction_bits) + units);
}

uint64_t number_format::random_fraction(random_bits& random) const {
  const uint64_t any = random.next() & fraction();
  switch (random.below(6)) {
    case 0:
      return (uint64_t{1} << random.below(fraction_bits)) | (uint64_t{1} << random.below(fraction_bits));
    case 1:
      return fraction() - random.below(4);
    case 2:
      return random.below(4);
    case 3:
      return any & (fraction() << random.below(fraction_bits + 1));
    default:
      return any;
  }
}

uint64_t number_format::with_exponent(random_bits& random, int exponent) const {
  const auto field = static_cast<uint64_t>(std::clamp(exponent, 1, special() - 1));
  return (random.one_in(2) ? sign() : 0) | field << fraction_bits | random_fraction(random);
}

uint64_t number_format::neighbour(random_bits& random, uint64_t number) const {
  return (number + static_cast<uint64_t>(static_cast<int64_t>(near(random, 0, 3)))) & all();
}

uint64_t number_format::random_number(random_bits& random) const {
  const uint64_t sign_of = random.one_in(2) ? sign() : 0;
  const uint64_t payload = std::max<uint64_t>(1, random_fraction(random) & (quiet() - 1));
  const uint64_t smallest = uint64_t{1} << fraction_bits;
  switch (random.below(15)) {
    case 0:
      return sign_of;
    case 1:
      return sign_of | random_fraction(random);
    case 2:
      return sign_of | (smallest + static_cast<uint64_t>(static_cast<int64_t>(near(random, 0, 3))));
    case 3:
      return sign_of | (infinity() - random.below(4));
    case 4:
      return sign_of | infinity();
    case 5:
      return sign_of | infinity() | quiet() | payload;
    case 6:
      return sign_of | infinity() | payload;
    case 7:
      return sign_of | bits(random.below(600) * 0.5);
    case 8:  // around the last place of whole numbers
      return with_exponent(random, near(random, bias() + static_cast<int>(fraction_bits), 12));
    case 9:
      return with_exponent(random, near(random, bias() - 15, 14));
    case 10:
      return with_exponent(random, near(random, bias(), 3));
    case 11:
      return with_exponent(random, near(random, bias(), bias() - 1));
    case 12:  // limits of 32-bit integers, and of 16-bit ones
      return with_exponent(random, near(random, bias() + (random.one_in(2) ? 31 : 15), 2));
    default:
      return random.next() & all();
  }
}

}  // namespace pws::rtl_test
