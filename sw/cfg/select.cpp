#include "sw/cfg/select.h"

#include <algorithm>
#include <map>
#include <vector>

#include "sw/cfg/region_tree.h"

namespace pws::cfg {

namespace {

void collect_marked(const cost_graph& graph, split_set& marked) {
  for (const cost_graph::serial_branch& b : graph.branches)
    if (b.marked) marked.insert(b.id);
  for (const cost_loop& l : graph.loops) collect_marked(l.body, marked);
}

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

split_set select(const cost_graph& graph, size_t swf_contexts) {
  const std::map<size_t, branch_parent> parent_of = parents(graph);
  split_set marked;
  collect_marked(graph, marked);

  split_set selected;                        // S_B
  std::set<branch_parent> selected_parents;  // as many as swfCount
  for (const size_t u : branches_in_order(graph)) {
    if (marked.count(u) == 0) continue;
    const branch_parent& p = parent_of.at(u);
    if (selected_parents.count(p) == 0) {
      if (selected_parents.size() >= swf_contexts) continue;
      selected_parents.insert(p);
    }
    selected.insert(u);
  }
  return selected;
}

size_t peak_contexts(const cost_graph& graph, const split_set& chosen) {
  const region_tree tree(graph);
  tree.require_known(chosen);
  return peak_of(tree, chosen);
}

}  // namespace pws::cfg
