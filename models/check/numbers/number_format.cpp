// SPDX-License-Identifier: Apache-2.0
#include "models/check/numbers/number_format.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

namespace pws::check {

using isa::type;

double number(type t, uint64_t bits) {
  if (t == type::f64) {
    double d;
    std::memcpy(&d, &bits, sizeof d);
    return d;
  }
  if (t == type::f32) {
    float f;
    std::memcpy(&f, &bits, sizeof f);
    return static_cast<double>(f);
  }
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double fraction = static_cast<double>(bits & 0x3ff);
  if (exponent == 31) return fraction != 0 ? std::nan("") : sign * static_cast<double>(INFINITY);
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

std::string number_text(type t, uint64_t bits) {
  if (isa::is_float(t)) return fmt::format("{:g}", number(t, bits));
  return fmt::format("{:#x}", bits);
}

type type_of_constant(uint32_t bits) {
  switch (bits & without_sign) {
    case 0x7f800000:
    case 0x7fc00000:
      return type::f32;
    case 0x7ff00000:
    case 0x7ff80000:
      return type::f64;
    default:
      return type::none;
  }
}

}  // namespace pws::check
