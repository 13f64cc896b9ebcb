// SPDX-License-Identifier: Apache-2.0
// What the operations that work bit by bit make of their sources, over any type of value that has &, |, ^ and ~:
// numbers, for the machine's rows; what a check or an analysis knows of numbers, for those. Each of them runs these
// same functions.
#pragma once

#include "models/isa/operation.h"

namespace pws::isa {

// One of is_logic(), or a move. The second source of a move and of bit_not does not count.
template <class V>
constexpr V logic(operation does, const V& a, const V& b) {
  switch (does) {
    case operation::bit_and:
      return a & b;
    case operation::bit_or:
      return a | b;
    case operation::bit_xor:
      return a ^ b;
    case operation::bit_andn2:
      return a & ~b;
    case operation::bit_orn2:
      return a | ~b;
    case operation::bit_nand:
      return ~(a & b);
    case operation::bit_nor:
      return ~(a | b);
    case operation::bit_xnor:
      return ~(a ^ b);
    case operation::bit_not:
      return ~a;
    default:
      return a;
  }
}

}  // namespace pws::isa
