// SPDX-License-Identifier: Apache-2.0
// Floating-point numbers as bits in registers.
#pragma once

#include <cstdint>
#include <string>

#include "models/isa/opcode_row.h"

namespace pws::check {

// What a dword is that is a number, or the upper half of one.
constexpr uint32_t without_sign = 0x7fffffff;

// NaN or infinity. Of other types none is.
inline bool is_no_number(isa::type t, uint64_t bits) {
  switch (t) {
    case isa::type::f16:
      return (bits & 0x7c00) == 0x7c00;
    case isa::type::f32:
      return (bits & 0x7f800000) == 0x7f800000;
    case isa::type::f64:
      return (bits >> 52 & 0x7ff) == 0x7ff;
    default:
      return false;
  }
}

// Whether integers are likely the bits of a NaN or an infinity: of a double or of its upper half, or of a float as
// compilers and hardware make them. No small negative number is, and no upper half of a large double.
inline bool may_be_no_number(uint64_t bits, unsigned dwords) {
  const auto top = static_cast<uint32_t>(dwords == 2 ? bits >> 32 : bits);
  if (top >= 0xffff0000 || top == 0x7fffffff) return false;
  const uint32_t magnitude = top & without_sign;
  return magnitude >= 0x7ff00000 || (dwords == 1 && (magnitude == 0x7f800000 || magnitude == 0x7fc00000));
}

// Formats f16, f32 and f64.
double number(isa::type t, uint64_t bits);
// In decimal; other types in hex.
std::string number_text(isa::type t, uint64_t bits);

// What compilers have as the constants INFINITY and NAN. A dword is the upper half of a double or a number of its own;
// which it is shows in its bits. type::none: another value.
isa::type type_of_constant(uint32_t bits);

}  // namespace pws::check
