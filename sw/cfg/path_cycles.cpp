// SPDX-License-Identifier: Apache-2.0
#include "sw/cfg/path_cycles.h"

#include <algorithm>

namespace pws::cfg {

path_cycles::path_cycles(const region_tree& tree, const split_set& chosen, uint64_t split_cycles)
    : tree_(tree), split_cycles_(split_cycles), weight_(tree.nodes(), 0), from_(tree.nodes(), 0) {
  const cost_graph& g = tree.graph();
  // Backwards, so that what is inside a branch is done before the branch.
  for (size_t v = tree.nodes(); v-- > 0;) {
    if (tree.region_of(v) == region_tree::none) continue;
    uint64_t own = g.nodes[v].cycles;
    if (const size_t b = tree.branch_at(v); b != region_tree::none) {
      own = of_branch(b, chosen.count(g.branches[b].id) != 0);
    } else if (const size_t loop = g.nodes[v].loop; loop != region_tree::none) {
      const uint64_t iteration = path_cycles(tree.body(loop), chosen, split_cycles).total();
      own = add_cycles(own, times_cycles(iteration, g.loops[loop].bound));
    }
    set_weight(v, own);
  }
}

uint64_t path_cycles::behind(size_t node) const {
  uint64_t longest = 0;
  tree_.for_each_following(node, [&](size_t s) { longest = std::max(longest, from_[s]); });
  return longest;
}

uint64_t path_cycles::of_region(size_t region) const {
  const size_t entry = tree_.entry(region);
  return entry == region_tree::none ? 0 : from_[entry];
}

uint64_t path_cycles::of_branch(size_t branch, bool split) const {
  const uint64_t then_side = of_region(region_tree::then_of(branch));
  const uint64_t else_side = of_region(region_tree::else_of(branch));
  const cost_graph::serial_branch& b = tree_.graph().branches[branch];
  const uint64_t added = add_cycles(split_cycles_, b.overhead);
  const uint64_t sides = split ? add_cycles(added, std::max(then_side, else_side)) : add_cycles(then_side, else_side);
  return add_cycles(tree_.frame_cycles(b), sides);
}

void path_cycles::set_weight(size_t node, uint64_t cycles) {
  weight_[node] = cycles;
  from_[node] = add_cycles(cycles, behind(node));
}

}  // namespace pws::cfg
