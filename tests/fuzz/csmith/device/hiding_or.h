// SPDX-License-Identifier: Apache-2.0
// What the operator | of generated programs becomes: `a |fuzz::hiding| b`, and `a |= fuzz::hiding| b`.
// LLVM 15 (SIFoldOperands, tryConstantFoldOp) takes `x | -1` for x. It happens to operands that turn out to be -1 only
// after instruction selection: one half of a 64-bit value, a value of another basic block.
#pragma once

#include "safe_math.h"

namespace fuzz {

enum hiding_or { hiding };

template <typename T>
struct left_of_or {
  T value;
};

// The unary + is the integer promotion that the built-in operator starts with.
template <typename T>
auto operator|(T a, hiding_or) -> left_of_or<decltype(+a)> {
  return {hidden(+a)};
}
template <typename T, typename U>
auto operator|(left_of_or<T> a, U b) {
  return a.value | hidden(+b);
}
template <typename T>
auto operator|(hiding_or, T b) {
  return hidden(+b);
}

}  // namespace fuzz
