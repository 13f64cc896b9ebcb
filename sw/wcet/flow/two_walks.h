// SPDX-License-Identifier: Apache-2.0
// The worst case of a wavefront whose parts run at the same time but share its memory and LDS slots (PWS): the parts'
// own time counts along one chain of them, slots count for all (docs/wcet.md, "Memory of siblings").
//
// Two walks through one graph. The *work* walk goes through the sides of a split one after the other, as a wavefront
// that is not split does: on it lie all accesses. The *critical* walk takes one side: on it lies the chain of parts
// that ends last. What the chain executes has been executed, so no block is oftener on the critical walk than on the
// work walk.
#pragma once

#include <vector>

#include "sw/wcet/flow/ipet.h"

namespace pws::wcet {

struct two_walk_problem {
  // The graph, its entry and exits, and the limits of both walks. `cycles`: own time, of the critical walk.
  flow_problem graph;
  std::vector<uint64_t> slots;             // by node: cycles of slots that an execution asks for, of the work walk
  std::vector<flow_problem::limit> sides;  // of the critical walk alone
  // By node: the critical walk may go there without the work walk. An edge over a side that another part takes; a
  // region whose parts go ways of their own.
  std::vector<bool> apart;
};

struct two_walk_result {
  ipet_result critical;              // cycles: of both walks together; counts: of the critical one
  std::vector<uint64_t> work_count;  // by node, of the work walk
};

// Throws what solve_ipet() does.
two_walk_result solve_two_walks(const two_walk_problem& problem);

}  // namespace pws::wcet
