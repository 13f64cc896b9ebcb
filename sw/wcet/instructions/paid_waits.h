// SPDX-License-Identifier: Apache-2.0
// What waiting for memory costs a wavefront beside slots: of each instruction that may wait, how much an execution that
// does wait adds, and which accesses it can wait for (docs/wcet.md, "Waits").
//
// Two rules. An access is done once, so it ends one wait at most, and the first instruction behind it that may wait for
// it is charged with that: a wait in a loop for a load before the loop is paid once. And what is issued between the two
// runs beside the memory's constants, not after them.
#pragma once

#include <cstdint>
#include <vector>

#include "models/flow/flow_graph.h"
#include "sw/wcet/flow/ipet.h"
#include "sw/wcet/instructions/instruction_time.h"

namespace pws::wcet {

struct paid_wait {
  size_t instruction = 0;
  uint64_t cycles = 0;           // an execution that waits adds that much to what is issued and to the slots
  std::vector<size_t> accesses;  // for which it is charged, in the order of the code
};

// Those that may cost something, in the order of the code. `times`: from instruction_times() with the same arguments.
std::vector<paid_wait> find_paid_waits(const cfg::flow_graph& graph, scheme s,
                                       const std::vector<access_bound>& accesses,
                                       const std::vector<instruction_time>& times);

// Waits that are not paid in every execution: they share accesses with others, or have accesses in other blocks only.
// All others have an access of their own in front of them in their block, and are paid whenever they are executed.
struct shared_waits {
  struct charge {
    size_t instruction = 0;
    uint64_t cycles = 0;
  };
  std::vector<bool> shared;     // by instruction
  std::vector<charge> charges;  // of a flow problem; several of one instruction
  // How often each charge is paid: limits of a flow problem whose first nodes are the graph's blocks.
  std::vector<flow_problem::limit> limits;
};
shared_waits find_shared_waits(const cfg::flow_graph& graph, const std::vector<paid_wait>& waits);

}  // namespace pws::wcet
