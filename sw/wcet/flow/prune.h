// SPDX-License-Identifier: Apache-2.0
// Prune (PWS paper 4.2, Algorithm 2): which sides of split branches the slowest SWF does not take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sw/cfg/cost_graph.h"
#include "sw/wcet/flow/ipet.h"

namespace pws::wcet {

// An edge of E_r. Of a branch in a loop: nodes are the body's.
struct removed_edge {
  size_t branch = 0;  // id
  size_t from = 0, to = 0;
};
bool operator==(const removed_edge& a, const removed_edge& b);

struct pruned {
  // F[u], the worst case from u to the end of the graph, in cycles. One more than there are nodes: F[|V|] is 0. As the
  // algorithm leaves it: of BSB(u) it is what follows behind the BSB without the BSB's own time, which the branch has;
  // and of SuccBB(u) it is without what follows BSB(u), as if it led on to Reconv(u).
  std::vector<uint64_t> f;
  std::vector<removed_edge> removed;  // E_r; in the order of the algorithm, that is, the last branch first
  uint64_t cycles = 0;                // F[entry]; 0 of an empty graph
  uint64_t steps = 0;                 // nodes and edges that were looked at: linear
};

// `chosen`: S_B. As printed for what the paper has: if-else branches with two sides, loops unrolled. Besides that:
// - A uniform branch: the largest F of its successors.
// - A loop: its node's own cycles and `bound` times F[entry] of its body, which is pruned in the same way.
// - An if without else, BSB(u) = Reconv(u): its BSB is no node of its own and adds nothing. Split or not, F is the
// same.
// - An empty side: F counts it as no time; there is no edge into it that could be removed (u -> SuccBB(u) would be the
//   edge to the BSB, which the other side needs).
//
// Linear in nodes and edges (and, for looking the ids up, n log n). Throws std::invalid_argument as cfg::check() does,
// and for ids in `chosen` that the graph does not have; input_error if all sides one after the other take 2^64 cycles
// or more.
pruned prune(const cfg::cost_graph& graph, const cfg::split_set& chosen);

// The flow problem of a cost graph: nodes and their indices are the graph's, then what loops need (a head each, then
// the body's nodes). Each loop has a limit. Without `removed`: C_BSB, where all sides are executed. With E_r: C_out,
// whose longest path is F[entry]. An empty graph has no path, and no flow problem: std::invalid_argument.
flow_problem flow_of(const cfg::cost_graph& graph, const std::vector<removed_edge>& removed = {});

}  // namespace pws::wcet
