// SPDX-License-Identifier: Apache-2.0
// Sums and products of counts and cycles that do not wrap around: a bound that did would be a small number for a long
// run. What does not fit in 64 bits is an input_error that names the quantity.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <initializer_list>

#include "base/error.h"

namespace pws::wcet {

inline uint64_t checked_sum(uint64_t a, uint64_t b, const char* quantity) {
  uint64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) throw input_error(fmt::format("{} does not fit in 64 bits", quantity));
  return sum;
}

inline uint64_t checked_product(uint64_t a, uint64_t b, const char* quantity) {
  uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) throw input_error(fmt::format("{} does not fit in 64 bits", quantity));
  return product;
}

inline uint64_t checked_sum(std::initializer_list<uint64_t> terms, const char* quantity) {
  uint64_t sum = 0;
  for (const uint64_t t : terms) sum = checked_sum(sum, t, quantity);
  return sum;
}

// 0 if a factor is 0, however large the others are.
inline uint64_t checked_product(std::initializer_list<uint64_t> factors, const char* quantity) {
  for (const uint64_t f : factors)
    if (f == 0) return 0;
  uint64_t product = 1;
  for (const uint64_t f : factors) product = checked_product(product, f, quantity);
  return product;
}

}  // namespace pws::wcet
