// SPDX-License-Identifier: Apache-2.0
// Operands that make trouble for floating-point hardware, drawn at random from classes, repeatably.
#pragma once

#include <cstdint>

namespace pws::rtl_test {

// A generator of 64 random bits at a time (a counter, hashed).
class random_bits {
 public:
  explicit random_bits(uint64_t seed) : state_(seed) {}
  uint64_t next();
  // 0 to limit - 1; limit is not 0.
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(next() >> 32) % limit; }
  bool one_in(uint32_t n) { return below(n) == 0; }

 private:
  uint64_t state_;
};

enum class precision : uint8_t { half_precision, single_precision, double_precision };

// What a source is read as.
enum class operand_class : uint8_t {
  unused,
  number,    // of the instruction's precision
  narrowed,  // a number to become one of the next smaller format: often near the limits of those
  half,
  single,
  integer,
  exponent,
  mask,
  byte_number,
  logarithm,  // of a number near the smallest and largest, or near 1
  turns,      // near multiples of an eighth turn
  bits
};
// How the sources of one work-item depend on each other.
enum class operand_relation : uint8_t {
  none,
  sum,        // magnitudes near each other: cancellation
  product,    // the product is near the smallest or the largest normal number
  fused,      // c nearly cancels a * b
  quotient,   // a is one of b and c, whose quotient is near the limits
  last_step,  // quotients that v_div_fmas scales down to halfway between two denormals
};

struct operand_triple {
  uint64_t value[3];
};

// Numbers are zeros, denormals, the smallest and largest normals, infinities, quiet and signalling NaNs with payloads,
// small whole numbers and halves, fractions of few bits, numbers around the limits of integers, uniform bits.
operand_triple random_operands(random_bits& random, precision p, const operand_class (&kinds)[3],
                               operand_relation relation);

}  // namespace pws::rtl_test
