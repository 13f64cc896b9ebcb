// SPDX-License-Identifier: Apache-2.0
// The C_BSB of machine code: its blocks with their costs, its loops folded, its serialised branches named.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/flow/flow_graph.h"
#include "sw/cfg/cost_graph.h"
#include "sw/cfg/split_region.h"

namespace pws::cfg {

// What the blocks and branches of machine code cost.
struct code_costs {
  struct block {
    uint64_t cycles = 0;      // without memory
    uint64_t most_slots = 0;  // cost_graph::node
  };
  std::vector<block> blocks;
  std::vector<uint64_t> overhead;  // per region: what splitting it adds besides e_s and e_m; empty: nothing
};

// Iterations of a loop.
struct loop_count {
  uint64_t bound = 0;
  bool known = true;  // false: a guess
};

struct region_costs {
  cost_graph graph;  // branches have the index of their region as id
  // By block: its node in `graph`; that of the outermost loop around it; cost_graph::none if it is not reachable.
  std::vector<size_t> node_of;
};

// `block_cycles`: per block. `candidates`: per region, whether it may be split. `loop_bound`: iterations of the loop
// with that header block. Regions that are refused are no branches of it; both sides are in sequence all the same. The
// graph is reducible.
region_costs cost_graph_of(const flow_graph& graph, const std::vector<split_region>& regions,
                           const std::vector<bool>& candidates, const std::vector<uint64_t>& block_cycles,
                           const std::function<uint64_t(size_t header)>& loop_bound);

region_costs cost_graph_of(const flow_graph& graph, const std::vector<split_region>& regions,
                           const std::vector<bool>& candidates, const code_costs& costs,
                           const std::function<loop_count(size_t header)>& loop_bound);

}  // namespace pws::cfg
