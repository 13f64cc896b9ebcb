#include "sw/cfg/choose_splits.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "sw/cfg/path_cycles.h"
#include "sw/cfg/region_tree.h"

namespace pws::cfg {

namespace {

// What the best set of splits in some part of the graph comes to.
struct outcome {
  uint64_t cycles = 0;
  uint64_t splits = 0;
  bool better_than(const outcome& o) const { return cycles != o.cycles ? cycles < o.cycles : splits < o.splits; }
};

// The dynamic program over one graph: the best outcome of each region for each number of contexts 0..S.
class split_program {
 public:
  split_program(const region_tree& tree, size_t contexts, split_costs costs);

  uint64_t cycles(size_t contexts) const { return region(region_tree::whole, contexts).cycles; }
  uint64_t splits(size_t contexts) const { return region(region_tree::whole, contexts).splits; }
  // Adds the splits of the best outcome.
  void collect(size_t contexts, split_set& chosen) const;

 private:
  // Split: contexts that go to the then side; the else side has the rest but one.
  static constexpr uint8_t unsplit = 0xff;
  static_assert(max_swf_contexts < unsplit);

  outcome region(size_t r, size_t contexts) const;
  outcome best_of_branch(size_t b, size_t contexts);
  outcome split_branch(size_t b, size_t contexts, size_t to_then) const;
  outcome of_loop(size_t loop, size_t contexts) const;
  void put(size_t node, size_t contexts, const outcome& o);
  size_t useful_at(size_t node) const;

  const region_tree& tree_;
  size_t width_;  // S + 1
  split_costs costs_;
  std::vector<split_program> bodies_;
  // By node, then contexts: cycles to the end of the region. By region, then contexts: the splits in it.
  std::vector<uint64_t> from_;
  std::vector<uint64_t> splits_;
  std::vector<uint8_t> decision_;  // by branch, then contexts
  // By region: contexts, up to S, that it needs if all its branches are split. It can do no better with more.
  std::vector<size_t> useful_;
};

split_program::split_program(const region_tree& tree, size_t contexts, split_costs costs)
    : tree_(tree),
      width_(contexts + 1),
      costs_(costs),
      from_(tree.nodes() * width_, 0),
      splits_(tree.regions() * width_, 0),
      decision_(tree.graph().branches.size() * width_, unsplit),
      useful_(tree.regions(), 0) {
  const cost_graph& g = tree.graph();
  bodies_.reserve(g.loops.size());
  for (size_t k = 0; k < g.loops.size(); ++k) bodies_.emplace_back(tree.body(k), contexts, costs);
  // Backwards, so that what is inside a branch is done before the branch.
  for (size_t v = tree.nodes(); v-- > 0;) {
    if (tree.region_of(v) == region_tree::none) continue;
    size_t& useful = useful_[tree.region_of(v)];
    useful = std::max(useful, useful_at(v));
    for (size_t k = 0; k < width_; ++k) {
      if (const size_t b = tree.branch_at(v); b != region_tree::none) {
        put(v, k, best_of_branch(b, k));
      } else if (const size_t loop = g.nodes[v].loop; loop != region_tree::none) {
        const outcome o = of_loop(loop, k);
        put(v, k, {add_cycles(g.nodes[v].cycles, o.cycles), o.splits});
      } else {
        put(v, k, {g.nodes[v].cycles, 0});
      }
    }
  }
}

void split_program::put(size_t node, size_t contexts, const outcome& o) {
  uint64_t behind = 0;
  tree_.for_each_following(node, [&](size_t s) { behind = std::max(behind, from_[s * width_ + contexts]); });
  from_[node * width_ + contexts] = add_cycles(o.cycles, behind);
  splits_[tree_.region_of(node) * width_ + contexts] += o.splits;
}

size_t split_program::useful_at(size_t node) const {
  if (const size_t loop = tree_.graph().nodes[node].loop; loop != region_tree::none)
    return bodies_[loop].useful_[region_tree::whole];
  const size_t b = tree_.branch_at(node);
  if (b == region_tree::none) return 0;
  const size_t then_side = useful_[region_tree::then_of(b)];
  const size_t else_side = useful_[region_tree::else_of(b)];
  if (!tree_.graph().branches[b].splittable) return std::max(then_side, else_side);
  return std::min(width_ - 1, 1 + then_side + else_side);
}

outcome split_program::region(size_t r, size_t contexts) const {
  const size_t entry = tree_.entry(r);
  if (entry == region_tree::none) return {};
  return {from_[entry * width_ + contexts], splits_[r * width_ + contexts]};
}

outcome split_program::of_loop(size_t loop, size_t contexts) const {
  const uint64_t bound = tree_.graph().loops[loop].bound;
  if (bound == 0) return {};
  return {times_cycles(bodies_[loop].cycles(contexts), bound), bodies_[loop].splits(contexts)};
}

outcome split_program::split_branch(size_t b, size_t contexts, size_t to_then) const {
  const outcome then_side = region(region_tree::then_of(b), to_then);
  const outcome else_side = region(region_tree::else_of(b), contexts - 1 - to_then);
  return {add_cycles(costs_.cycles, std::max(then_side.cycles, else_side.cycles)),
          1 + then_side.splits + else_side.splits};
}

outcome split_program::best_of_branch(size_t b, size_t contexts) {
  const cost_graph::serial_branch& branch = tree_.graph().branches[b];
  // In sequence, each side may use all contexts.
  const outcome then_side = region(region_tree::then_of(b), contexts);
  const outcome else_side = region(region_tree::else_of(b), contexts);
  outcome best{add_cycles(then_side.cycles, else_side.cycles), then_side.splits + else_side.splits};
  uint8_t decision = unsplit;
  if (branch.splittable && contexts != 0) {
    // No side gets more than it can use, unless both do. Of equal outcomes the one with most contexts in the then side:
    // its branches are the earlier ones.
    const size_t most = std::min(contexts - 1, useful_[region_tree::then_of(b)]);
    const size_t for_else = std::min(contexts - 1, useful_[region_tree::else_of(b)]);
    const size_t least = std::min(most, contexts - 1 - for_else);
    for (size_t to_then = most + 1; to_then-- > least;) {
      const outcome o = split_branch(b, contexts, to_then);
      if (!o.better_than(best)) continue;
      best = o;
      decision = static_cast<uint8_t>(to_then);
    }
  }
  decision_[b * width_ + contexts] = decision;
  best.cycles = add_cycles(best.cycles, tree_.frame_cycles(branch));
  return best;
}

void split_program::collect(size_t contexts, split_set& chosen) const {
  const cost_graph& g = tree_.graph();
  std::vector<size_t> budget(tree_.regions(), 0);
  budget[region_tree::whole] = contexts;
  for (size_t v = 0; v < tree_.nodes(); ++v) {
    if (tree_.region_of(v) == region_tree::none) continue;
    const size_t k = budget[tree_.region_of(v)];
    if (const size_t loop = g.nodes[v].loop; loop != region_tree::none && g.loops[loop].bound != 0)
      bodies_[loop].collect(k, chosen);
    const size_t b = tree_.branch_at(v);
    if (b == region_tree::none) continue;
    const uint8_t decision = decision_[b * width_ + k];
    const bool split = decision != unsplit;
    if (split) chosen.insert(g.branches[b].id);
    budget[region_tree::then_of(b)] = split ? decision : k;
    budget[region_tree::else_of(b)] = split ? k - 1 - decision : k;
  }
}

// Drops splits that one graph does not need to meet a deadline, from the last to the first. One pass is enough: every
// split that the dynamic program chose saves cycles or is neutral, so dropping some makes no other one dispensable.
class split_trimmer {
 public:
  split_trimmer(const region_tree& tree, split_set& chosen, split_costs costs)
      : tree_(tree), chosen_(chosen), costs_(costs), now_(tree, chosen, costs) {}

  // Returns the graph's cycles afterwards, at most `deadline`, which the graph must meet already.
  uint64_t run(uint64_t deadline);

 private:
  static constexpr uint64_t no_deadline = never_ending;

  static uint64_t minus(uint64_t deadline, uint64_t cycles) {
    return deadline == no_deadline ? no_deadline : deadline - cycles;
  }
  void find_time_before();
  uint64_t deadline_of(size_t region);
  uint64_t deadline_of_side(size_t region) const;
  // The most cycles that the node may take. What comes behind it must be final.
  uint64_t allowance(size_t node) const;
  void settle_branch(size_t b);
  void settle_loop(size_t node);

  const region_tree& tree_;
  split_set& chosen_;
  split_costs costs_;
  path_cycles now_;
  std::vector<uint64_t> before_;    // by node: longest path from the region's entry to the node
  std::vector<uint64_t> deadline_;  // by region
  std::vector<bool> has_deadline_;
};

uint64_t split_trimmer::run(uint64_t deadline) {
  find_time_before();
  deadline_.assign(tree_.regions(), no_deadline);
  has_deadline_.assign(tree_.regions(), false);
  deadline_[region_tree::whole] = deadline;
  has_deadline_[region_tree::whole] = true;
  for (size_t v = tree_.nodes(); v-- > 0;) {
    if (tree_.region_of(v) == region_tree::none) continue;
    deadline_of(tree_.region_of(v));
    if (tree_.branch_at(v) != region_tree::none) {
      settle_branch(tree_.branch_at(v));
    } else if (tree_.graph().nodes[v].loop != region_tree::none) {
      settle_loop(v);
    } else {
      now_.set_weight(v, now_.weight(v));
    }
  }
  return now_.total();
}

void split_trimmer::find_time_before() {
  before_.assign(tree_.nodes(), 0);
  for (size_t v = 0; v < tree_.nodes(); ++v) {
    if (tree_.region_of(v) == region_tree::none) continue;
    const uint64_t after = add_cycles(before_[v], now_.weight(v));
    tree_.for_each_following(v, [&](size_t s) { before_[s] = std::max(before_[s], after); });
  }
}

uint64_t split_trimmer::allowance(size_t node) const {
  return minus(minus(deadline_[tree_.region_of(node)], before_[node]), now_.behind(node));
}

// A side's deadline is known once all behind its branch is final, and for a then side the else side too; that is so
// when the backward pass comes to the side's last node.
uint64_t split_trimmer::deadline_of(size_t region) {
  std::vector<size_t> unknown;
  for (size_t r = region; !has_deadline_[r];
       r = tree_.region_of(tree_.graph().branches[region_tree::branch_of(r)].node))
    unknown.push_back(r);
  for (; !unknown.empty(); unknown.pop_back()) {
    deadline_[unknown.back()] = deadline_of_side(unknown.back());
    has_deadline_[unknown.back()] = true;
  }
  return deadline_[region];
}

uint64_t split_trimmer::deadline_of_side(size_t region) const {
  const size_t b = region_tree::branch_of(region);
  const cost_graph::serial_branch& branch = tree_.graph().branches[b];
  const uint64_t sides = minus(allowance(branch.node), tree_.frame_cycles(branch));
  if (chosen_.count(branch.id) != 0) return minus(sides, costs_.cycles);
  const size_t other = region_tree::is_else(region) ? region_tree::then_of(b) : region_tree::else_of(b);
  return minus(sides, now_.of_region(other));
}

void split_trimmer::settle_branch(size_t b) {
  const cost_graph::serial_branch& branch = tree_.graph().branches[b];
  bool split = chosen_.count(branch.id) != 0;
  if (split && now_.of_branch(b, false) <= allowance(branch.node)) {
    chosen_.erase(branch.id);
    split = false;
  }
  now_.set_weight(branch.node, now_.of_branch(b, split));
}

void split_trimmer::settle_loop(size_t node) {
  const cost_graph::node& n = tree_.graph().nodes[node];
  const uint64_t bound = tree_.graph().loops[n.loop].bound;
  uint64_t deadline = minus(allowance(node), n.cycles);
  if (bound == 0) deadline = no_deadline;
  if (deadline != no_deadline) deadline /= bound;
  const uint64_t iteration = split_trimmer(tree_.body(n.loop), chosen_, costs_).run(deadline);
  now_.set_weight(node, add_cycles(n.cycles, times_cycles(iteration, bound)));
}

// Splits of a graph, each as often as its loops can iterate.
uint64_t count_splits(const cost_graph& graph, const split_set& chosen) {
  uint64_t count = 0;
  for (const cost_graph::serial_branch& b : graph.branches) count += chosen.count(b.id);
  for (const cost_loop& l : graph.loops) count = add_cycles(count, times_cycles(l.bound, count_splits(l.body, chosen)));
  return count;
}

}  // namespace

uint64_t wavefront_cycles(const cost_graph& graph, const split_set& chosen, uint64_t split_cycles,
                          uint64_t merge_cycles) {
  const region_tree tree(graph);
  tree.require_known(chosen);
  return path_cycles(tree, chosen, {add_cycles(split_cycles, merge_cycles)}).total();
}

uint64_t equation_3_cycles(const cost_graph& graph, const split_set& chosen, uint64_t split_cycles,
                           uint64_t merge_cycles) {
  const uint64_t path = wavefront_cycles(graph, chosen, 0, 0);
  return add_cycles(path, times_cycles(count_splits(graph, chosen), add_cycles(split_cycles, merge_cycles)));
}

split_set choose_splits(const cost_graph& graph, size_t swf_contexts, uint64_t split_cycles, uint64_t merge_cycles) {
  if (swf_contexts > max_swf_contexts)
    throw std::invalid_argument(fmt::format("{} SWF contexts: there are at most {}", swf_contexts, max_swf_contexts));
  const split_costs costs{add_cycles(split_cycles, merge_cycles)};
  const region_tree tree(graph);
  const split_program program(tree, swf_contexts, costs);
  split_set chosen;
  program.collect(swf_contexts, chosen);
  split_trimmer(tree, chosen, costs).run(program.cycles(swf_contexts));
  return chosen;
}

}  // namespace pws::cfg
