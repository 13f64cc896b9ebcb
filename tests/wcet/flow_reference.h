// SPDX-License-Identifier: Apache-2.0
// Other ways to the longest path, for comparison with IPET and Prune.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/cfg/cost_graph.h"
#include "sw/wcet/flow/ipet.h"

namespace pws::test {

using wcet::flow_problem;

struct long_path {
  uint64_t cycles = 0;
  std::vector<size_t> nodes;  // from the entry to an exit
};

// Through a flow graph without cycles and limits, node by node. Linear in nodes and edges. Of several, the path whose
// every next node has the least index. Throws std::invalid_argument for limits, for a cycle that the entry reaches
// (naming a node of it), and for nodes that do not exist; input_error if no path leads to an exit, and if its cycles
// are not below 2^64.
long_path longest_path(const flow_problem& problem);

// A cost graph's flow problem with all sides, and a limit for each branch in `chosen` with two sides that they are
// executed at most as often as u, together: the longest path is that behind Prune.
flow_problem exclusive_flow_of(const cfg::cost_graph& graph, const cfg::split_set& chosen);

}  // namespace pws::test
