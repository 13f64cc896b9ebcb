// SPDX-License-Identifier: Apache-2.0
// What one pass of a loop makes of a work-item's registers, in terms of what they held at its beginning: counters.
//
// The walks of a work-item through the loop (lane_walk.h) are followed with an expression for each register. Where two
// ways meet, the expressions have to be alike but for what is added. A vector register keeps its value where the
// work-item is not active; a scalar register is the wavefront's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "models/flow/flow_graph.h"
#include "sw/cfg/liveness.h"
#include "sw/cfg/natural_loops.h"
#include "sw/wcet/lanes/lane_walk.h"
#include "sw/wcet/lanes/value_ranges.h"

namespace pws::wcet {

// A number made of what a register held when the pass began.
struct expression {
  enum class form : uint8_t {
    unknown,
    sum,            // register + n, low <= n <= high; modulo 2^32
    high_of_sum,    // the upper half of (register pair + low), modulo 2^64
    carry,          // a flag: the carry of (register + low) + high, both sums modulo 2^32
    shifted_right,  // register >> low: zeros come in
    shifted_sign,   // register >> low: the sign comes in
    product,        // register * low, low > 1
    fewer_bits,     // register & (register - 1)
  };
  form is = form::unknown;
  register_place of = 0;
  int64_t low = 0, high = 0;

  static expression itself(register_place place) { return {form::sum, place, 0, 0}; }
  bool is_itself() const { return is == form::sum && low == 0 && high == 0; }
  bool operator==(const expression& o) const { return is == o.is && of == o.of && low == o.low && high == o.high; }
};
// Either of the two.
expression join(const expression& a, const expression& b);

class loop_recurrences {
 public:
  // Nothing is known.
  loop_recurrences() = default;
  // Nothing is known either if the walks are too many. No work-item may come back to the loop before it ends.
  loop_recurrences(const cfg::flow_graph& graph, const cfg::loop_forest& forest, size_t loop,
                   const cfg::scalar_liveness& live, const value_ranges& ranges);

  bool known() const { return known_; }
  // Places from 0 on that are followed.
  size_t places() const { return after_pass_.size(); }
  // What the register holds when the pass comes to this compare of the loop, the work-item active; and at the beginning
  // of the next pass.
  expression at_compare(size_t instruction, register_place place) const;
  expression after_pass(register_place place) const;
  // What it holds when another loop, inside this one, is entered.
  expression at_entry_of(size_t header, register_place place) const;
  // The 64-bit number in that register and the next: such a pair and what is added.
  struct wide_sum {
    register_place of = 0;
    int64_t added = 0;
  };
  static std::optional<wide_sum> wide(const expression& low, const expression& high);

 private:
  using registers = std::vector<expression>;
  friend class pass_follower;

  bool known_ = false;
  std::map<size_t, registers> compares_;  // by instruction
  std::map<size_t, registers> entries_;   // by header
  registers after_pass_;                  // empty: no walk comes to a next one
};

}  // namespace pws::wcet
