// SPDX-License-Identifier: Apache-2.0
// What is known of operands as numbers: the types of value on which the analysis runs the functions of integers that
// the machine's rows run (models/isa/integer.h).
#pragma once

#include <cstdint>
#include <utility>

#include "models/isa/integer.h"
#include "sw/wcet/lanes/lane_value.h"

namespace pws::wcet {

inline lane_value operator~(const lane_value& v) {
  static const lane_value ones = lane_value::constant(~uint32_t{0});
  return v ^ ones;
}

// A number of 16 or 32 bits in all lanes. Sums and logic are those of lane_value: no function looks at their sign.
struct lane_number : lane_value {
  lane_number(lane_value v = {}, bool has_sign = false, unsigned width = 32)  // NOLINT: a lane value is a number
      : lane_value(std::move(v)), is_signed(has_sign), bits(width) {}
  // The bits above those of the number as its sign, or 0.
  lane_value extended() const;

  bool is_signed;
  unsigned bits;                  // those above may be anything
  uint64_t lanes = ~uint64_t{0};  // of a flag: where anything has to hold
};
lane_number operator*(const lane_number& a, const lane_number& b);
lane_number product_high(const lane_number& a, const lane_number& b);
lane_number shifted_left(const lane_number& a, const lane_number& count);
lane_number shifted_right(const lane_number& a, const lane_number& count);
lane_number extracted(const lane_number& a, const lane_number& first, const lane_number& bits);
lane_number smaller(const lane_number& a, const lane_number& b);
lane_number larger(const lane_number& a, const lane_number& b);
lane_number median(const lane_number& a, const lane_number& b, const lane_number& c);
lane_number chosen(const lane_number& flag, const lane_number& if_set, const lane_number& if_clear);
// 0 or 1. Of signed numbers, which overflow: either.
lane_value carry_of(const lane_number& a, const lane_number& b);
lane_value borrow_of(const lane_number& a, const lane_number& b);

// A number of 64 bits.
struct lane_pair {
  lane_value low, high;
};
lane_pair operator+(const lane_pair& a, const lane_pair& b);
// A move, a selection by `flag`, a shift, or one of isa::is_logic().
lane_pair arithmetic(const isa::meaning& m, const lane_pair& a, const lane_pair& b, const lane_number& flag);

// Whether a relation can be true, and can be false.
struct outcome {
  explicit outcome(bool is_true) : yes(is_true), no(!is_true) {}
  outcome(bool may_be_true, bool may_be_false) : yes(may_be_true), no(may_be_false) {}
  outcome operator!() const { return {no, yes}; }
  bool yes, no;
};
outcome compare(isa::relation r, const word_set& a, const word_set& b, bool is_signed);

}  // namespace pws::wcet
