// How many memory operations may be under way at each instruction: which waits may wait, and for what.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/cfg/flow_graph.h"

namespace pws::wcet {

// At most; counters of the machine hold 15.
struct outstanding_operations {
  static constexpr uint8_t capacity = 15;
  uint8_t vector = 0;  // vmcnt
  uint8_t scalar = 0;  // lgkmcnt is scalar and lds together
  uint8_t lds = 0;
  bool any() const { return (vector | scalar | lds) != 0; }
};

// Before each instruction, over all paths.
std::vector<outstanding_operations> find_outstanding(const cfg::flow_graph& graph);

}  // namespace pws::wcet
