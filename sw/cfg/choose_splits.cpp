// SPDX-License-Identifier: Apache-2.0
#include "sw/cfg/choose_splits.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "sw/cfg/path_cycles.h"
#include "sw/cfg/region_tree.h"
#include "sw/cfg/split_risk.h"

namespace pws::cfg {

namespace {

// By how many cycles a side of a split can become longer, at the most; negative: by how many it is shorter at the
// least. Saturates: above `no_limit` there is no limit, and what is saved counts up to that.
using change = int64_t;
constexpr change no_limit = int64_t{1} << 62;

change change_of(uint64_t cycles) {
  return cycles >= static_cast<uint64_t>(no_limit) ? no_limit : static_cast<change>(cycles);
}
change plus(change a, change b) {
  if (a == no_limit || b == no_limit) return no_limit;
  return std::clamp(a + b, -no_limit, no_limit);
}
change minus_saved(change a, uint64_t cycles) {
  return a == no_limit ? a : plus(a, -change_of(cycles));
}

// What the best set of splits in some part of the graph comes to.
struct outcome {
  uint64_t cycles = 0;
  uint64_t splits = 0;
  // Inside a split, at the most, and than without any split: by how much a path is longer without slots, and the slots
  // that come in addition. These count whichever part takes the longest.
  change longer = 0;
  uint64_t more_slots = 0;
  bool better_than(const outcome& o) const { return cycles != o.cycles ? cycles < o.cycles : splits < o.splits; }
};

// The dynamic program over one graph: the best outcome of each region for each number of contexts 0..S, inside a split
// and outside of all.
class split_program {
 public:
  // `range`: of the same graph; null: its cycles are exactly known, and nothing changes inside a split.
  split_program(const region_tree& tree, size_t contexts, uint64_t split_cycles, const side_range* range);

  uint64_t cycles(size_t contexts) const { return region(around::nothing, region_tree::whole, contexts).cycles; }
  // Adds the splits of the best outcome.
  void collect(size_t contexts, split_set& chosen) const { collect(around::nothing, contexts, chosen); }

 private:
  enum class around : uint8_t { nothing, split };
  // Split: contexts that go to the then side; the else side has the rest but one.
  static constexpr uint8_t unsplit = 0xff;
  static_assert(max_swf_contexts < unsplit);

  struct table {
    table(const region_tree& tree, size_t width)
        : from(tree.nodes() * width, 0),
          longer(tree.nodes() * width, 0),
          more_slots(tree.nodes() * width, 0),
          splits(tree.regions() * width, 0),
          decision(tree.graph().branches.size() * width, unsplit) {}
    // By node, then contexts: to the end of the region.
    std::vector<uint64_t> from;
    std::vector<change> longer;
    std::vector<uint64_t> more_slots;
    std::vector<uint64_t> splits;   // by region, then contexts: the splits in it
    std::vector<uint8_t> decision;  // by branch, then contexts
  };

  // Inside, a graph that is exactly known is what it is outside.
  const table& at(around a) const { return tables_[a == around::split && range_ != nullptr ? 1 : 0]; }
  outcome region(around a, size_t r, size_t contexts) const;
  outcome of_node(around a, size_t node, size_t contexts);
  outcome best_of_branch(around a, size_t b, size_t contexts);
  outcome split_branch(size_t b, size_t contexts, size_t to_then) const;
  outcome of_loop(around a, size_t loop, size_t contexts) const;
  void put(around a, size_t node, size_t contexts, const outcome& o);
  size_t useful_at(size_t node) const;
  void collect(around a, size_t contexts, split_set& chosen) const;

  const region_tree& tree_;
  size_t width_;  // S + 1
  uint64_t split_cycles_;
  const side_range* range_;
  std::vector<split_program> bodies_;
  std::vector<table> tables_;
  // By region: contexts, up to S, that it needs if all its branches are split. It can do no better with more.
  std::vector<size_t> useful_;
};

split_program::split_program(const region_tree& tree, size_t contexts, uint64_t split_cycles, const side_range* range)
    : tree_(tree),
      width_(contexts + 1),
      split_cycles_(split_cycles),
      range_(range),
      tables_(range == nullptr ? 1 : 2, table(tree, width_)),
      useful_(tree.regions(), 0) {
  const cost_graph& g = tree.graph();
  bodies_.reserve(g.loops.size());
  for (size_t k = 0; k < g.loops.size(); ++k)
    bodies_.emplace_back(tree.body(k), contexts, split_cycles, range == nullptr ? nullptr : &range->body(k));
  // Backwards, so that what is inside a branch is done before the branch.
  for (size_t v = tree.nodes(); v-- > 0;) {
    if (tree.region_of(v) == region_tree::none) continue;
    size_t& useful = useful_[tree.region_of(v)];
    useful = std::max(useful, useful_at(v));
    for (size_t k = 0; k < width_; ++k) {
      if (range != nullptr) put(around::split, v, k, of_node(around::split, v, k));
      put(around::nothing, v, k, of_node(around::nothing, v, k));
    }
  }
}

outcome split_program::of_node(around a, size_t node, size_t contexts) {
  if (const size_t b = tree_.branch_at(node); b != region_tree::none) return best_of_branch(a, b, contexts);
  outcome o{tree_.graph().nodes[node].cycles, 0, 0, 0};
  if (const size_t loop = tree_.graph().nodes[node].loop; loop != region_tree::none) {
    const outcome body = of_loop(a, loop, contexts);
    o = {add_cycles(o.cycles, body.cycles), body.splits, body.longer, body.more_slots};
  }
  return o;
}

void split_program::put(around a, size_t node, size_t contexts, const outcome& o) {
  table& t = tables_[a == around::split ? 1 : 0];
  uint64_t behind = 0;
  change longer_behind = -no_limit;
  uint64_t slots_behind = 0;
  bool ends = true;
  tree_.for_each_following(node, [&](size_t s) {
    ends = false;
    behind = std::max(behind, t.from[s * width_ + contexts]);
    longer_behind = std::max(longer_behind, t.longer[s * width_ + contexts]);
    slots_behind = std::max(slots_behind, t.more_slots[s * width_ + contexts]);
  });
  t.from[node * width_ + contexts] = add_cycles(o.cycles, behind);
  t.longer[node * width_ + contexts] = ends ? o.longer : plus(o.longer, longer_behind);
  t.more_slots[node * width_ + contexts] = add_cycles(o.more_slots, slots_behind);
  t.splits[tree_.region_of(node) * width_ + contexts] += o.splits;
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

outcome split_program::region(around a, size_t r, size_t contexts) const {
  const size_t entry = tree_.entry(r);
  if (entry == region_tree::none) return {};
  const table& t = at(a);
  return {t.from[entry * width_ + contexts], t.splits[r * width_ + contexts], t.longer[entry * width_ + contexts],
          t.more_slots[entry * width_ + contexts]};
}

outcome split_program::of_loop(around a, size_t loop, size_t contexts) const {
  const cost_loop& l = tree_.graph().loops[loop];
  const outcome body = bodies_[loop].region(a, region_tree::whole, contexts);
  outcome o;
  if (l.bound != 0) o = {times_cycles(body.cycles, l.bound), body.splits, 0, 0};
  // It may run once, or not at all, and its test behind the last iteration may be a part of the body.
  const uint64_t most = l.known ? add_cycles(l.bound, 1) : never_ending;
  if (body.longer > 0)
    o.longer = body.longer == no_limit ? no_limit : change_of(times_cycles(static_cast<uint64_t>(body.longer), most));
  if (body.more_slots != 0) o.more_slots = times_cycles(body.more_slots, most);
  return o;
}

outcome split_program::split_branch(size_t b, size_t contexts, size_t to_then) const {
  const cost_graph::serial_branch& branch = tree_.graph().branches[b];
  const outcome then_side = region(around::split, region_tree::then_of(b), to_then);
  const outcome else_side = region(around::split, region_tree::else_of(b), contexts - 1 - to_then);
  const uint64_t added = add_cycles(split_cycles_, branch.overhead);
  outcome o;
  o.cycles = add_cycles(add_cycles(added, tree_.frame_cycles(branch)), std::max(then_side.cycles, else_side.cycles));
  o.splits = 1 + then_side.splits + else_side.splits;
  if (range_ == nullptr) return o;
  o.longer = plus(change_of(added), std::max(minus_saved(then_side.longer, range_->least(region_tree::else_of(b))),
                                             minus_saved(else_side.longer, range_->least(region_tree::then_of(b)))));
  o.more_slots = add_cycles(then_side.more_slots, else_side.more_slots);
  // Both parts execute the BSB, so what it accesses takes its slots twice.
  if (branch.has_else()) o.more_slots = add_cycles(o.more_slots, tree_.graph().nodes[branch.bsb].most_slots);
  return o;
}

outcome split_program::best_of_branch(around a, size_t b, size_t contexts) {
  const cost_graph::serial_branch& branch = tree_.graph().branches[b];
  outcome best{tree_.frame_cycles(branch), 0, 0, 0};
  const auto in_sequence = [&](const outcome& o) {
    best = {add_cycles(best.cycles, o.cycles), best.splits + o.splits, plus(best.longer, o.longer),
            add_cycles(best.more_slots, o.more_slots)};
  };
  // In sequence, each side may use all contexts.
  in_sequence(region(a, region_tree::then_of(b), contexts));
  in_sequence(region(a, region_tree::else_of(b), contexts));
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
      // An outermost split must not be longer than none, whatever the accesses take.
      if (a == around::nothing && plus(o.longer, change_of(o.more_slots)) > 0) continue;
      best = o;
      decision = static_cast<uint8_t>(to_then);
    }
  }
  tables_[a == around::split ? 1 : 0].decision[b * width_ + contexts] = decision;
  if (a == around::nothing) {
    best.longer = 0;
    best.more_slots = 0;
  }
  return best;
}

void split_program::collect(around a, size_t contexts, split_set& chosen) const {
  const cost_graph& g = tree_.graph();
  struct share {
    size_t contexts = 0;
    around is = around::nothing;
  };
  std::vector<share> of_region(tree_.regions());
  of_region[region_tree::whole] = {contexts, a};
  for (size_t v = 0; v < tree_.nodes(); ++v) {
    if (tree_.region_of(v) == region_tree::none) continue;
    const share here = of_region[tree_.region_of(v)];
    const size_t k = here.contexts;
    if (const size_t loop = g.nodes[v].loop; loop != region_tree::none && g.loops[loop].bound != 0)
      bodies_[loop].collect(here.is, k, chosen);
    const size_t b = tree_.branch_at(v);
    if (b == region_tree::none) continue;
    const uint8_t decision = at(here.is).decision[b * width_ + k];
    const bool split = decision != unsplit;
    if (split) chosen.insert(g.branches[b].id);
    of_region[region_tree::then_of(b)] = split ? share{decision, around::split} : here;
    of_region[region_tree::else_of(b)] = split ? share{k - 1 - decision, around::split} : here;
  }
}

// Drops splits that one graph, whose cycles are exactly known, does not need to meet a deadline, from the last to the
// first. One pass is enough: every
// split that the dynamic program chose saves cycles or is neutral, so dropping some makes no other one dispensable.
class split_trimmer {
 public:
  split_trimmer(const region_tree& tree, split_set& chosen, uint64_t split_cycles)
      : tree_(tree), chosen_(chosen), split_cycles_(split_cycles), now_(tree, chosen, split_cycles) {}

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
  uint64_t split_cycles_;
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
  if (chosen_.count(branch.id) != 0) return minus(sides, add_cycles(split_cycles_, branch.overhead));
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
  const uint64_t iteration = split_trimmer(tree_.body(n.loop), chosen_, split_cycles_).run(deadline);
  now_.set_weight(node, add_cycles(n.cycles, times_cycles(iteration, bound)));
}

}  // namespace

split_set choose_splits(const cost_graph& graph, size_t swf_contexts, uint64_t split_cycles, uint64_t merge_cycles) {
  if (swf_contexts > max_swf_contexts)
    throw std::invalid_argument(fmt::format("{} SWF contexts: there are at most {}", swf_contexts, max_swf_contexts));
  const uint64_t cycles = add_cycles(split_cycles, merge_cycles);
  const region_tree tree(graph);
  split_set chosen;
  if (is_exact(graph)) {
    const split_program program(tree, swf_contexts, cycles, nullptr);
    program.collect(swf_contexts, chosen);
    split_trimmer(tree, chosen, cycles).run(program.cycles(swf_contexts));
  } else {
    const side_range range(tree);
    split_program(tree, swf_contexts, cycles, &range).collect(swf_contexts, chosen);
  }
  return chosen;
}

}  // namespace pws::cfg
