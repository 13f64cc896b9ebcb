// SPDX-License-Identifier: Apache-2.0
#include "sw/cfg/cost_graph.h"

#include <fmt/format.h>

#include <stdexcept>
#include <tuple>

#include "sw/cfg/region_tree.h"

namespace pws::cfg {

namespace {

void collect_parents(const region_tree& tree, const branch_parent& around, std::map<size_t, branch_parent>& out) {
  const cost_graph& g = tree.graph();
  for (size_t v = 0; v < tree.nodes(); ++v) {
    const size_t region = tree.region_of(v);
    if (region == region_tree::none) continue;
    branch_parent p = around;
    if (region != region_tree::whole) {
      p.where = region_tree::is_else(region) ? branch_parent::side::else_side : branch_parent::side::then_side;
      p.branch = g.branches[region_tree::branch_of(region)].id;
    }
    if (tree.branch_at(v) != region_tree::none) out[g.branches[tree.branch_at(v)].id] = p;
    if (g.nodes[v].loop != cost_graph::none) collect_parents(tree.body(g.nodes[v].loop), p, out);
  }
}

}  // namespace

bool operator==(const branch_parent& a, const branch_parent& b) {
  return a.where == b.where && a.branch == b.branch;
}
bool operator<(const branch_parent& a, const branch_parent& b) {
  return std::tie(a.branch, a.where) < std::tie(b.branch, b.where);
}

void check(const cost_graph& graph) {
  region_tree{graph};
}

std::map<size_t, branch_parent> parents(const cost_graph& graph) {
  std::map<size_t, branch_parent> out;
  collect_parents(region_tree(graph), {}, out);
  return out;
}

std::vector<size_t> branches_in_order(const cost_graph& graph) {
  std::vector<size_t> ids;
  region_tree(graph).collect_ids(ids);
  return ids;
}

}  // namespace pws::cfg
