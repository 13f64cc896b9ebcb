// SPDX-License-Identifier: Apache-2.0
// How many memory operations may be under way at each instruction: which waits may wait, and for what.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/flow/flow_graph.h"

namespace pws::wcet {

// At most; counters of the machine hold 15.
struct outstanding_operations {
  static constexpr uint8_t capacity = 15;
  uint8_t vector = 0;        // vmcnt
  uint8_t vector_local = 0;  // of them: FLAT, which may go to LDS
  uint8_t scalar = 0;        // lgkmcnt is scalar and lds together
  uint8_t lds = 0;           // DS, and FLAT that may go to LDS: such an operation is in both counters
  bool any() const { return (vector | scalar | lds) != 0; }
};

// Before each instruction, over all paths. `local`: of a FLAT instruction, whether it may access LDS.
std::vector<outstanding_operations> find_outstanding(const cfg::flow_graph& graph,
                                                     const std::function<bool(size_t instruction)>& local);

}  // namespace pws::wcet
