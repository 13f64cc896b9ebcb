// SPDX-License-Identifier: Apache-2.0
// The flow problem whose longest path is E_WF: the graph with its blocks' times, and all that is known of the ways
// through it as limits.
#pragma once

#include <optional>
#include <vector>

#include "sw/wcet/flow/ipet.h"
#include "sw/wcet/flow/two_walks.h"
#include "sw/wcet/kernel/block_times.h"
#include "sw/wcet/kernel/kernel_code.h"

namespace pws::wcet {

// The edges into the two sides of a split that finds a context for sure.
struct exclusive_sides {
  size_t split = 0;  // index of the split point
  std::vector<size_t> first, second;
};

struct wavefront_problem {
  // Its nodes are the blocks, then one for each branch edge that costs extra.
  flow_problem graph;
  std::vector<exclusive_sides> sides;  // pws
  // Parts of the wavefront share its slots: `graph` is of the critical walk then, without slots and the limits of
  // `sides`, which are here. Nothing: one walk, with all. (`shared->graph` is empty.)
  std::optional<two_walk_problem> shared;
};

wavefront_problem find_problem(const analysed_kernel& code, scheme s, const block_times& times);

// The solution of the problem with this graph in place of its own, which differs in the entry, in limits or in times.
// Throws what solve_ipet() does.
two_walk_result solve(const wavefront_problem& problem, const flow_problem& graph);

// L_w of an SWF (thesis 5.2.4): the longest path from the branch serialization block to where it meets its parent
// again, for a split point whose sides are known; 0 if no wavefront gets there. `whole`: of scheme pws.
uint64_t part_cycles(const flow_problem& whole, const split_point& split);

}  // namespace pws::wcet
