// SPDX-License-Identifier: Apache-2.0
// What is known of a pair of scalar registers, or EXEC, as a mask of lanes: one domain of what is known of a wavefront
// (lane_state.h).
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>

#include "sw/wcet/lanes/lane_value.h"

namespace pws::wcet {

// Masks of lanes by number. 0: the lanes that the wavefront was launched with.
constexpr unsigned max_masks = 256;
using mask_set = std::bitset<max_masks>;

// A 64-bit value in two vector registers, modulo 2^64: something that all lanes share plus these, without a carry lost
// between the halves.
using wide_offsets = std::array<int64_t, lanes_per_wave>;

// 64-bit values in the two registers: as such a sum of all lanes' own numbers, and in how few places these are.
struct wide_value {
  std::shared_ptr<const wide_offsets> offsets;  // null: not known
  lane_cover cover;                             // on the circle of 2^64
};

// The carry of a sum of low halves, for the sum of the high ones that follows.
struct carry_origin {
  unsigned row = 0, version = 0;  // the sum
  struct part {
    bool uniform = true;              // the low half is the same in all lanes
    wide_value wide;                  // if it is not
    unsigned upper = 0, version = 0;  // ... the vector register with its high half
  };
  std::array<part, 2> parts;
};

// What a compare with something that all lanes share says: in lanes of EXEC whose bit is set the vector register, as it
// was then, holds one of these.
struct compared_row {
  unsigned row = 0, version = 0;
  word_set in;
};

constexpr unsigned every_part = ~0u;

// A pair of scalar registers (or EXEC) as a mask. Within a split region the wavefront's other parts have lanes of their
// own_parts: what it is to them does not matter to what this part does, but to what it may be once they have merged.
struct lane_mask {
  mask_set within;                                      // it has no lanes but those of each of these masks
  bool within_exec = false;                             // ... of EXEC as it is now
  uint64_t lanes = ~uint64_t{0};                        // it has no others
  std::shared_ptr<const lane_value> bits;               // 0 or 1, in the lanes of EXEC as it is now; null: unknown
  std::shared_ptr<const carry_origin> carry = nullptr;  // in the lanes of EXEC as it is now; null: it is none
  mask_set is = {};                                     // each of these masks itself
  mask_set is_in_part = {};  // ... in the lanes of this part of the wavefront; those of `is` among them
  std::optional<uint64_t> number = std::nullopt;  // all 64 bits
  // It has no lanes outside of that many of the parts that this one is a part of, from the outermost on; 0: any.
  unsigned own_parts = 0;
  void name(unsigned number_of_mask) {
    is.set(number_of_mask);
    is_in_part.set(number_of_mask);
  }
  std::shared_ptr<const compared_row> compared = nullptr;  // of EXEC as it is now; null: nothing
};
bool operator==(const lane_mask& a, const lane_mask& b);
// Either of them. There is no widening: what is said of a mask only gets less, but for its bits, which are 0 and 1.
lane_mask join(const lane_mask& a, const lane_mask& b);
// Bit by bit, for isa::logic.
lane_mask operator&(const lane_mask& a, const lane_mask& b);
lane_mask operator|(const lane_mask& a, const lane_mask& b);
lane_mask operator^(const lane_mask& a, const lane_mask& b);
lane_mask operator~(const lane_mask& a);

}  // namespace pws::wcet
