// SPDX-License-Identifier: Apache-2.0
// The choice of split points that minimises a wavefront's worst case: what the PWS paper leaves open at the end of 4.2.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sw/cfg/cost_graph.h"

namespace pws::cfg {

// A wavefront's context can be split at most once for each work-item but one.
constexpr size_t max_swf_contexts = 63;

// Chooses among the sets of splittable branches that need at most `swf_contexts` contexts at one time one with the
// least path_cycles::total(). In sequence, or on different paths of a uniform branch, the largest need counts; a split
// branch needs one, and what both its sides need; an unsplit branch the larger need of its two sides; a loop its
// body's.
//
// Which of several: no split is without gain, that is, the set without any one (or more) of its branches takes longer.
// To that end a dynamic program finds for every side of every branch, and every number of contexts, the least cycles,
// and with these the fewest splits, and then the splits that the whole does not need are dropped, the last in
// topological order first; so of equal splits the earliest stay. This need not be the least number of splits that reach
// these cycles: which branches off the critical path to leave slow is a discrete time-cost trade-off, NP-hard where
// uniform branches share blocks. The result depends on the graph alone, not on ids.
//
// Where accesses take slots, or loops have no known bound, the cycles are not known. The slots of all parts add up,
// however many there are, so the set is the one with the least path_cycles::total() of every region: a split off the
// longest path stays, since which path is the longest is not known. And there is a promise: with the splits the
// wavefront's worst case is not longer than without any, whatever each access takes up to its most_slots and however
// often each unknown loop runs. To that end an outermost split with the splits inside it costs on no path more than is
// saved for sure (split_risk.h).
//
// Takes O(n * (S^2 + d)) for n nodes and edges and loops nested d deep, besides sorting ids. Loops are followed by
// recursion, branches are not. Throws std::invalid_argument for a malformed graph and for more than max_swf_contexts.
split_set choose_splits(const cost_graph& graph, size_t swf_contexts, uint64_t split_cycles, uint64_t merge_cycles);

}  // namespace pws::cfg
