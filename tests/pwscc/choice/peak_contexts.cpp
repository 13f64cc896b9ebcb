// SPDX-License-Identifier: Apache-2.0
#include "tests/pwscc/choice/peak_contexts.h"

#include <algorithm>
#include <vector>

#include "sw/cfg/region_tree.h"

namespace pws::cfg::test {

namespace {

size_t peak_of(const region_tree& tree, const split_set& chosen) {
  const cost_graph& g = tree.graph();
  std::vector<size_t> need(tree.regions(), 0);
  // Backwards, so that what is inside a branch is done before the branch.
  for (size_t v = tree.nodes(); v-- > 0;) {
    const size_t region = tree.region_of(v);
    if (region == region_tree::none) continue;
    size_t own = 0;
    if (g.nodes[v].loop != cost_graph::none) {
      // A loop that never runs splits nothing.
      const size_t loop = g.nodes[v].loop;
      own = g.loops[loop].bound == 0 ? 0 : peak_of(tree.body(loop), chosen);
    } else if (const size_t b = tree.branch_at(v); b != region_tree::none) {
      const size_t then_need = need[region_tree::then_of(b)];
      const size_t else_need = need[region_tree::else_of(b)];
      own = chosen.count(g.branches[b].id) != 0 ? 1 + then_need + else_need : std::max(then_need, else_need);
    }
    need[region] = std::max(need[region], own);
  }
  return need[region_tree::whole];
}

}  // namespace

size_t peak_contexts(const cost_graph& graph, const split_set& chosen) {
  const region_tree tree(graph);
  tree.require_known(chosen);
  return peak_of(tree, chosen);
}

}  // namespace pws::cfg::test
