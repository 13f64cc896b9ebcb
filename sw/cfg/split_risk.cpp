#include "sw/cfg/split_risk.h"

#include <algorithm>

namespace pws::cfg {

bool is_exact(const cost_graph& graph) {
  return std::all_of(graph.nodes.begin(), graph.nodes.end(),
                     [](const cost_graph::node& n) { return n.slots == 0 && n.most_slots == 0; }) &&
         std::all_of(graph.loops.begin(), graph.loops.end(),
                     [](const cost_loop& l) { return l.known && is_exact(l.body); });
}

side_range::side_range(const region_tree& tree, uint64_t parts)
    : tree_(tree), parts_(parts), least_(tree.nodes(), 0), more_(tree.nodes(), 0), own_least_(tree.nodes(), 0) {
  const cost_graph& g = tree.graph();
  bodies_.reserve(g.loops.size());
  for (size_t k = 0; k < g.loops.size(); ++k) bodies_.emplace_back(tree.body(k), parts);
  // Backwards, so that what is inside a branch is done before the branch.
  for (size_t v = tree.nodes(); v-- > 0;) {
    if (tree.region_of(v) == region_tree::none) continue;
    uint64_t own_least = g.nodes[v].cycles, own_more = more_at(v);
    if (const size_t b = tree.branch_at(v); b != region_tree::none) {
      const cost_graph::serial_branch& branch = g.branches[b];
      own_least = tree.frame_cycles(branch);
      if (branch.has_else()) own_more = add_cycles(own_more, more_at(branch.bsb));
      for (const size_t side : {region_tree::then_of(b), region_tree::else_of(b)}) {
        own_least = add_cycles(own_least, least(side));
        own_more = add_cycles(own_more, more(side));
      }
    } else if (const size_t loop = g.nodes[v].loop; loop != region_tree::none) {
      const cost_loop& l = g.loops[loop];
      const uint64_t body_more = bodies_[loop].more(region_tree::whole);
      // The test behind the last iteration may be a part of the body.
      const uint64_t most = l.known ? add_cycles(l.bound, 1) : never_ending;
      if (body_more != 0) own_more = add_cycles(own_more, times_cycles(body_more, most));
      if (l.known && l.bound > 1)
        own_least = add_cycles(own_least, times_cycles(bodies_[loop].least(region_tree::whole), l.bound - 1));
      if (!l.known || l.bound != 0) own_least = add_cycles(own_least, bodies_[loop].least_to_leave_);
    }
    uint64_t least_behind = 0, more_behind = 0;
    tree.for_each_following(v, [&](size_t s) {
      least_behind = std::max(least_behind, least_[s]);
      more_behind = std::max(more_behind, more_[s]);
    });
    own_least_[v] = own_least;
    least_[v] = add_cycles(own_least, least_behind);
    more_[v] = add_cycles(own_more, more_behind);
  }
  find_least_to_leave();
}

// The longest way from the entry to a node where the loop can be left. Sides of branches are left at their ends only.
void side_range::find_least_to_leave() {
  std::vector<uint64_t> before(tree_.nodes(), 0);
  for (size_t v = 0; v < tree_.nodes(); ++v) {
    if (tree_.region_of(v) != region_tree::whole) continue;
    const uint64_t with = add_cycles(before[v], own_least_[v]);
    if (tree_.graph().nodes[v].leaves) least_to_leave_ = std::max(least_to_leave_, with);
    tree_.for_each_following(v, [&](size_t s) { before[s] = std::max(before[s], with); });
  }
}

uint64_t side_range::more_at(size_t node) const {
  return times_cycles(tree_.graph().nodes[node].most_slots, parts_ - 1);
}

uint64_t side_range::at_entry(const std::vector<uint64_t>& from, size_t region) const {
  const size_t entry = tree_.entry(region);
  return entry == region_tree::none ? 0 : from[entry];
}

namespace {

void add_risks(const region_tree& tree, const side_range& range, split_costs costs, std::map<size_t, split_risk>& out) {
  const cost_graph& g = tree.graph();
  for (size_t b = 0; b < g.branches.size(); ++b) {
    const cost_graph::serial_branch& branch = g.branches[b];
    if (!branch.splittable) continue;
    const uint64_t added = add_cycles(costs.cycles, branch.overhead);
    const uint64_t between = branch.has_else() ? range.more_at(branch.bsb) : 0;
    const auto risk = [&](size_t side, size_t other) {
      const uint64_t slots = add_cycles(between, range.more(side));
      return split_risk{add_cycles(added, slots), slots, range.least(other)};
    };
    const split_risk first = risk(region_tree::then_of(b), region_tree::else_of(b));
    const split_risk second = risk(region_tree::else_of(b), region_tree::then_of(b));
    // costs - saves of which is larger: no difference of the sums can be taken, they saturate.
    const auto excess = [](const split_risk& r) { return r.costs > r.saves ? r.costs - r.saves : 0; };
    out[branch.id] = excess(second) > excess(first) ? second : first;
  }
  for (size_t k = 0; k < g.loops.size(); ++k) add_risks(tree.body(k), range.body(k), costs, out);
}

}  // namespace

std::map<size_t, split_risk> split_risks(const cost_graph& graph, split_costs costs) {
  const region_tree tree(graph);
  std::map<size_t, split_risk> out;
  add_risks(tree, side_range(tree, costs.parts), costs, out);
  return out;
}

}  // namespace pws::cfg
