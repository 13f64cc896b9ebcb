// SPDX-License-Identifier: Apache-2.0
// How often a counter that goes on in equal steps can be on the one side of a limit: arithmetic alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "models/isa/operation.h"

namespace pws::wcet {

// Numbers that all lie in [low, high]; of 64 bits or less, signed or not.
__extension__ using wide_number = __int128;
struct number_range {
  wide_number low = 0, high = 0;
  bool is_one() const { return low == high; }
};

// A loop goes on from pass k (from 0) to the next one if `value_k relation limit_k` holds.
struct counted_condition {
  enum class step_kind : uint8_t {
    adds,         // the counter becomes counter + step
    multiplies,   // counter * step; step > 1, one number
    shifts,       // counter >> step, zeros come in: the numbers are not signed; step > 0, one number
    clears_bits,  // one bit less each time: the counter is not signed
  };
  isa::relation relation = isa::relation::none;  // less, ..., equal, not_equal
  number_range first;                            // the counter at the beginning of the first pass
  step_kind kind = step_kind::adds;
  number_range step;         // in each pass one of these
  number_range ahead;        // adds: the value that is compared is the counter + one of these; shifts: >> low; else 0
  number_range limit;        // in each pass one of these
  bool limit_stays = false;  // it is the same one in all passes
  // Low bits of limit - (first + ahead) that are surely 0: the counter cannot step over a limit that it is to meet.
  unsigned distance_zeros = 0;
  unsigned bits = 32;
  bool is_signed = false;
};

// What has no bound.
enum class count_problem : uint8_t {
  no_relation,  // not an order of integers
  away,         // the counter goes away from its limit, stays, or may do either
  around,       // it may pass the largest number before it is on the other side
  steps_over,   // it may step over the limit that it is to meet
  limit_moves,  // it is to meet a limit that may move
};

// How often in a row, from the first pass on, the condition holds at most.
std::variant<uint64_t, count_problem> most_in_a_row(const counted_condition& c);

}  // namespace pws::wcet
