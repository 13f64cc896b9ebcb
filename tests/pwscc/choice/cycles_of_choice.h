// SPDX-License-Identifier: Apache-2.0
// What a set of splits costs: as choose_splits() counts it, and as the PWS paper does.
#pragma once

#include "sw/cfg/path_cycles.h"
#include "sw/cfg/region_tree.h"

namespace pws::cfg {

// The cycles that choose_splits() minimises. Throws std::invalid_argument for a malformed graph and for unknown ids.
inline uint64_t wavefront_cycles(const cost_graph& graph, const split_set& chosen, uint64_t split_cycles,
                                 uint64_t merge_cycles) {
  const region_tree tree(graph);
  tree.require_known(chosen);
  return path_cycles(tree, chosen, add_cycles(split_cycles, merge_cycles)).total();
}

// Splits of a graph, each as often as its loops can iterate.
inline uint64_t count_splits(const cost_graph& graph, const split_set& chosen) {
  uint64_t count = 0;
  for (const cost_graph::serial_branch& b : graph.branches) count += chosen.count(b.id);
  for (const cost_loop& l : graph.loops) count = add_cycles(count, times_cycles(l.bound, count_splits(l.body, chosen)));
  return count;
}

// Eq. 3: the longest path with splits at no cost, and (e_s + e_m) for every chosen branch, on that path or not:
// |S_B| * (e_s + e_m). The paper unrolls loops; so a branch in loops counts as often as they can iterate. Never below
// wavefront_cycles, which charges only the splits on the path.
inline uint64_t equation_3_cycles(const cost_graph& graph, const split_set& chosen, uint64_t split_cycles,
                                  uint64_t merge_cycles) {
  const uint64_t path = wavefront_cycles(graph, chosen, 0, 0);
  return add_cycles(path, times_cycles(count_splits(graph, chosen), add_cycles(split_cycles, merge_cycles)));
}

}  // namespace pws::cfg
