// SPDX-License-Identifier: Apache-2.0
#include "sw/cfg/select.h"

#include <map>
#include <set>

namespace pws::cfg {

namespace {

void collect_marked(const cost_graph& graph, split_set& marked) {
  for (const cost_graph::serial_branch& b : graph.branches)
    if (b.marked) marked.insert(b.id);
  for (const cost_loop& l : graph.loops) collect_marked(l.body, marked);
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

}  // namespace pws::cfg
