// The longest path through a flow graph without cycles and limits, node by node: what IPET must find there, by a way
// that has nothing in common with it.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/wcet/flow/ipet.h"

namespace pws::wcet {

struct long_path {
  uint64_t cycles = 0;
  std::vector<size_t> nodes;  // from the entry to an exit
};

// Linear in nodes and edges. Of several, the path whose every next node has the least index. Throws
// std::invalid_argument for limits, for a cycle that the entry reaches (naming a node of it), and for nodes that do not
// exist; input_error if no path leads to an exit, and if its cycles are not below 2^64.
long_path longest_path(const flow_problem& problem);

}  // namespace pws::wcet
