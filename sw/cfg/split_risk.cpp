// SPDX-License-Identifier: Apache-2.0
#include "sw/cfg/split_risk.h"

#include <algorithm>

namespace pws::cfg {

bool is_exact(const cost_graph& graph) {
  return std::all_of(graph.nodes.begin(), graph.nodes.end(),
                     [](const cost_graph::node& n) { return n.most_slots == 0; }) &&
         std::all_of(graph.loops.begin(), graph.loops.end(),
                     [](const cost_loop& l) { return l.known && is_exact(l.body); });
}

side_range::side_range(const region_tree& tree) : tree_(tree), least_(tree.nodes(), 0), own_least_(tree.nodes(), 0) {
  const cost_graph& g = tree.graph();
  bodies_.reserve(g.loops.size());
  for (size_t k = 0; k < g.loops.size(); ++k) bodies_.emplace_back(tree.body(k));
  // Backwards, so that what is inside a branch is done before the branch.
  for (size_t v = tree.nodes(); v-- > 0;) {
    if (tree.region_of(v) == region_tree::none) continue;
    uint64_t own = g.nodes[v].cycles;
    if (const size_t b = tree.branch_at(v); b != region_tree::none) {
      own = tree.frame_cycles(g.branches[b]);
      for (const size_t side : {region_tree::then_of(b), region_tree::else_of(b)}) own = add_cycles(own, least(side));
    } else if (const size_t loop = g.nodes[v].loop; loop != region_tree::none) {
      const cost_loop& l = g.loops[loop];
      if (l.known && l.bound > 1)
        own = add_cycles(own, times_cycles(bodies_[loop].least(region_tree::whole), l.bound - 1));
      if (!l.known || l.bound != 0) own = add_cycles(own, bodies_[loop].least_to_leave_);
    }
    own_least_[v] = own;
    least_[v] = add_cycles(own, least_of_following(least_, v));
  }
  find_least_to_leave();
}

// The least of the nodes that may come next in the region.
uint64_t side_range::least_of_following(const std::vector<uint64_t>& from, size_t node) const {
  uint64_t least = never_ending;
  tree_.for_each_following(node, [&](size_t s) { least = std::min(least, from[s]); });
  return least == never_ending ? 0 : least;
}

// The shortest way from the entry to a node where the loop can be left. Sides of branches are left at their ends only.
void side_range::find_least_to_leave() {
  std::vector<uint64_t> before(tree_.nodes(), never_ending);
  uint64_t least = never_ending;
  if (const size_t entry = tree_.entry(region_tree::whole); entry != region_tree::none) before[entry] = 0;
  for (size_t v = 0; v < tree_.nodes(); ++v) {
    if (tree_.region_of(v) != region_tree::whole || before[v] == never_ending) continue;
    const uint64_t with = add_cycles(before[v], own_least_[v]);
    if (tree_.graph().nodes[v].leaves) least = std::min(least, with);
    tree_.for_each_following(v, [&](size_t s) { before[s] = std::min(before[s], with); });
  }
  if (least != never_ending) least_to_leave_ = least;
}

uint64_t side_range::at_entry(const std::vector<uint64_t>& from, size_t region) const {
  const size_t entry = tree_.entry(region);
  return entry == region_tree::none ? 0 : from[entry];
}

namespace {

void add_risks(const region_tree& tree, const side_range& range, uint64_t split_cycles,
               std::map<size_t, split_risk>& out) {
  const cost_graph& g = tree.graph();
  for (size_t b = 0; b < g.branches.size(); ++b) {
    const cost_graph::serial_branch& branch = g.branches[b];
    if (!branch.splittable) continue;
    const uint64_t between = branch.has_else() ? g.nodes[branch.bsb].most_slots : 0;
    const uint64_t added = add_cycles(add_cycles(split_cycles, branch.overhead), between);
    out[branch.id] = {added, std::min(range.least(region_tree::then_of(b)), range.least(region_tree::else_of(b)))};
  }
  for (size_t k = 0; k < g.loops.size(); ++k) add_risks(tree.body(k), range.body(k), split_cycles, out);
}

}  // namespace

std::map<size_t, split_risk> split_risks(const cost_graph& graph, uint64_t split_cycles) {
  const region_tree tree(graph);
  std::map<size_t, split_risk> out;
  add_risks(tree, side_range(tree), split_cycles, out);
  return out;
}

}  // namespace pws::cfg
