// SPDX-License-Identifier: Apache-2.0
// The choice of splits where accesses take an unknown number of slots, which the parts of a split wavefront share.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "sw/cfg/choose_splits.h"
#include "sw/cfg/cost_graph.h"
#include "sw/cfg/select.h"
#include "sw/cfg/split_risk.h"
#include "tests/pwscc/choice/cycles_of_choice.h"
#include "tests/pwscc/choice/peak_contexts.h"
#include "tests/pwscc/choice/random_graph.h"

namespace pws::cfg::memory_choice_test {
namespace {

using test::peak_contexts;

struct side {
  uint64_t cycles = 0;
  uint64_t most_slots = 0;
};

void fill(cost_graph& g, size_t node, const side& s) {
  g.nodes[node].most_slots = s.most_slots;
}

// u: 1, BSB: 2, end: 4.
cost_graph if_else(const side& then_side, const side& else_side) {
  cost_graph g;
  graph_writer w(g);
  w.if_else(
      5, 1, 2, [&] { fill(g, w.emit(then_side.cycles), then_side); },
      [&] { fill(g, w.emit(else_side.cycles), else_side); });
  w.emit(4);
  return g;
}

// Slots of both sides add up with a split and without; e_s + e_m = 2 must be saved.
TEST(memory_choice, slots_speak_neither_for_nor_against_a_split) {
  for (const uint64_t slots : {1, 50, 1'000'000}) {
    EXPECT_EQ(choose_splits(if_else({100, slots}, {3, slots}), 1, 1, 1), split_set{5});
    EXPECT_EQ(choose_splits(if_else({100, slots}, {3, 0}), 1, 1, 1), split_set{5});
    EXPECT_EQ(choose_splits(if_else({3, 0}, {100, slots}), 1, 1, 1), split_set{5});
    EXPECT_TRUE(choose_splits(if_else({100, slots}, {2, slots}), 1, 1, 1).empty()) << "nothing is gained";
    EXPECT_TRUE(choose_splits(if_else({1, slots}, {100, slots}), 1, 1, 1).empty());
  }
}

TEST(memory_choice, what_comes_with_a_split_counts) {
  cost_graph g = if_else({100, 40}, {50, 0});
  g.branches[0].overhead = 47;
  EXPECT_EQ(choose_splits(g, 1, 1, 1), split_set{5});
  g.branches[0].overhead = 49;
  EXPECT_TRUE(choose_splits(g, 1, 1, 1).empty());
  // Both parts go through the BSB; the branch's own block comes before the split.
  cost_graph h = if_else({100, 0}, {50, 0});
  h.nodes[h.branches[0].node].most_slots = 1'000'000;
  EXPECT_EQ(choose_splits(h, 1, 1, 1), split_set{5});
  h.nodes[h.branches[0].bsb].most_slots = 48;
  EXPECT_EQ(choose_splits(h, 1, 1, 1), split_set{5});
  h.nodes[h.branches[0].bsb].most_slots = 49;
  EXPECT_TRUE(choose_splits(h, 1, 1, 1).empty());
}

// What an inner split saves lets the outer one be.
TEST(memory_choice, an_inner_split_pays_for_the_outer_one) {
  cost_graph g;
  graph_writer w(g);
  w.if_else(
      0, 0, 0,
      [&] {
        w.emit(10);
        w.if_else(
            1, 0, 0, [&] { w.emit(50); }, [&] { w.emit(50); });
      },
      [&] { w.emit(30); });
  w.emit(0);
  g.nodes[g.branches[0].bsb].most_slots = 60;
  EXPECT_EQ(choose_splits(g, 1, 1, 1), split_set{1}) << "60 + 2 > 30";
  EXPECT_EQ(choose_splits(g, 2, 1, 1), (split_set{0, 1})) << "60 + 2 + 2 - 50 <= 30";
  EXPECT_EQ(split_risks(g, 2).at(0).costs, 62U);
  EXPECT_EQ(split_risks(g, 2).at(0).saves, 30U);
}

// The path with most slots may be the shortest otherwise.
TEST(memory_choice, a_side_saves_what_each_of_its_paths_takes) {
  const auto with_short_path = [](uint64_t overhead) {
    cost_graph g;
    graph_writer w(g);
    w.if_else(
        5, 0, 0,
        [&] {
          const size_t u = w.emit(0), longer = w.emit(50);
          w.open = {{u}, {}};
          fill(g, w.emit(5), {5, 1000});
          w.open.nodes.push_back(longer);
          w.emit(0);
        },
        [&] { w.emit(200); });
    w.emit(0);
    g.branches[0].overhead = overhead;
    return g;
  };
  EXPECT_EQ(choose_splits(with_short_path(3), 1, 1, 1), split_set{5});
  EXPECT_TRUE(choose_splits(with_short_path(4), 1, 1, 1).empty());
  EXPECT_EQ(split_risks(with_short_path(4), 2).at(5).costs, 6U);
  EXPECT_EQ(split_risks(with_short_path(4), 2).at(5).saves, 5U);
}

// A loop of 10 cycles beside 200.
cost_graph with_loop_in_then(uint64_t bound, bool known, bool leaves, uint64_t overhead) {
  cost_graph g;
  graph_writer w(g);
  w.if_else(
      5, 0, 0,
      [&] {
        const size_t v = w.emit(0);
        cost_graph b;
        b.nodes.push_back({10, {}, cost_graph::none, 7, leaves});
        g.nodes[v].loop = 0;
        g.loops.push_back({b, bound, known});
      },
      [&] { w.emit(200); });
  w.emit(0);
  g.branches[0].overhead = overhead;
  return g;
}

TEST(memory_choice, loops) {
  // Nine whole iterations and one that may be left at once save 90, or 100 if all of the body comes before the exit.
  EXPECT_EQ(choose_splits(with_loop_in_then(10, true, false, 88), 1, 1, 1), split_set{5});
  EXPECT_TRUE(choose_splits(with_loop_in_then(10, true, false, 89), 1, 1, 1).empty());
  EXPECT_EQ(choose_splits(with_loop_in_then(10, true, true, 97), 1, 1, 1), split_set{5});
  EXPECT_TRUE(choose_splits(with_loop_in_then(10, true, true, 99), 1, 1, 1).empty());
  // A loop of an unknown count is entered once.
  EXPECT_EQ(choose_splits(with_loop_in_then(10, false, true, 8), 1, 1, 1), split_set{5});
  EXPECT_TRUE(choose_splits(with_loop_in_then(10, false, true, 9), 1, 1, 1).empty());
}

TEST(memory_choice, cycles_saturate) {
  constexpr uint64_t most = std::numeric_limits<uint64_t>::max();
  EXPECT_TRUE(choose_splits(if_else({100, most}, {most, 0}), 1, 1, 1).empty());
  EXPECT_TRUE(choose_splits(if_else({100, 1}, {100, 0}), 1, most, most).empty());
  EXPECT_EQ(choose_splits(if_else({100, most}, {50, most}), 1, 1, 1), split_set{5});
  EXPECT_EQ(choose_splits(if_else({most / 8, 1}, {most / 8, 0}), 1, 1, 1), split_set{5});
}

// --- Random programs ---------------------------------------------------------------------------------

void add_memory(cost_graph& g, random_program& p) {
  for (cost_graph::node& n : g.nodes) {
    n.cycles %= 1000;
    if (p.below(3) != 0) continue;
    n.most_slots = p.below(p.below(4) == 0 ? 500 : 20);
  }
  for (cost_graph::serial_branch& b : g.branches) b.overhead = p.below(4);
  for (cost_loop& l : g.loops) {
    l.bound %= 6;
    l.known = p.below(4) != 0;
    add_memory(l.body, p);
  }
}

// What the accesses and loops turn out to be: its most_slots are what is taken. Extremes are the likely ones.
cost_graph one_truth(cost_graph g, random_program& p) {
  for (cost_graph::node& n : g.nodes) {
    const uint64_t kind = p.below(4);
    n.most_slots = kind == 0 ? 0 : kind == 1 ? n.most_slots : p.below(n.most_slots + 1);
  }
  for (cost_loop& l : g.loops) {
    if (!l.known) l.bound = p.below(3) == 0 ? 0 : p.below(40);
    l.body = one_truth(std::move(l.body), p);
  }
  return g;
}

// The worst case of a wavefront whose parts share its slots, over every path and every way of the parts' sides: cycles
// of the longest chain of parts, and the slots of all. Shares nothing with the code that it checks.
class shared_slots {
 public:
  shared_slots(const cost_graph& graph, const split_set& chosen, uint64_t split_cycles)
      : graph_(graph), chosen_(chosen), split_cycles_(split_cycles) {}

  uint64_t worst() const {
    uint64_t most = 0;
    for (const path& p : run()) most = std::max(most, p.cycles + p.slots);
    return most;
  }

 private:
  struct path {
    uint64_t cycles = 0, slots = 0;
  };
  using paths = std::vector<path>;  // none is as long in both as another one

  static void add(paths& to, const path& p) {
    for (const path& q : to)
      if (q.cycles >= p.cycles && q.slots >= p.slots) return;
    to.erase(
        std::remove_if(to.begin(), to.end(), [&](const path& q) { return p.cycles >= q.cycles && p.slots >= q.slots; }),
        to.end());
    to.push_back(p);
  }
  template <class Join>
  static paths each(const paths& a, const paths& b, Join join) {
    paths out;
    for (const path& p : a)
      for (const path& q : b) add(out, join(p, q));
    return out;
  }
  static paths one_after_the_other(const paths& a, const paths& b) {
    return each(a, b, [](const path& p, const path& q) { return path{p.cycles + q.cycles, p.slots + q.slots}; });
  }

  paths run() const { return graph_.nodes.empty() ? paths{{}} : from(0, cost_graph::none); }

  paths from(size_t v, size_t stop) const {
    if (v == stop) return {{}};
    const cost_graph::node& n = graph_.nodes[v];
    paths own{{n.cycles, n.most_slots}};
    if (n.loop != cost_graph::none) {
      const cost_loop& l = graph_.loops[n.loop];
      const paths body = shared_slots(l.body, chosen_, split_cycles_).run();
      for (uint64_t i = 0; i < l.bound; ++i) own = one_after_the_other(own, body);
    }
    for (const cost_graph::serial_branch& b : graph_.branches)
      if (b.node == v) return one_after_the_other(own, one_after_the_other(branch(b), from(b.reconv, stop)));
    if (n.successors.empty()) return own;
    paths behind;
    for (const size_t s : n.successors)
      for (const path& p : from(s, stop)) add(behind, p);
    return one_after_the_other(own, behind);
  }

  paths branch(const cost_graph::serial_branch& b) const {
    const bool two_sided = b.bsb != b.reconv;
    const paths first = from(b.succ, b.bsb), second = two_sided ? from(b.bsb_succ, b.reconv) : paths{{}};
    const path bsb = two_sided ? path{graph_.nodes[b.bsb].cycles, graph_.nodes[b.bsb].most_slots} : path{};
    if (chosen_.count(b.id) == 0) return one_after_the_other({bsb}, one_after_the_other(first, second));
    const uint64_t added = split_cycles_ + b.overhead + bsb.cycles;
    return each(first, second, [&](const path& p, const path& q) {
      return path{added + std::max(p.cycles, q.cycles), p.slots + q.slots + 2 * bsb.slots};
    });
  }

  const cost_graph& graph_;
  const split_set& chosen_;
  uint64_t split_cycles_;
};

struct outcome {
  uint64_t split = 0, shorter = 0, longer = 0;
};

// `seen`: whether the choice knows what a split costs.
outcome try_programs(uint64_t first_seed, bool seen) {
  outcome out;
  for (uint64_t seed = first_seed; seed < first_seed + program_count(400); ++seed) {
    SCOPED_TRACE(seed);
    random_program p(seed);
    cost_graph g = p.make(static_cast<unsigned>(2 + p.below(8)));
    add_memory(g, p);
    const uint64_t e_s = p.below(4), e_m = p.below(4);
    const size_t s = 1 + p.below(7);
    cost_graph weighed = g;
    if (!seen)
      for (cost_graph::serial_branch& b : weighed.branches) b.overhead = 0;
    const split_set chosen = seen ? choose_splits(g, s, e_s, e_m) : choose_splits(weighed, s, 0, 0);
    EXPECT_LE(peak_contexts(g, chosen), s);
    if (seen) {
      EXPECT_LE(wavefront_cycles(g, chosen, e_s, e_m), wavefront_cycles(g, {}, e_s, e_m));
    }
    out.split += chosen.empty() ? 0 : 1;
    for (unsigned k = 0; k < 20 && !chosen.empty(); ++k) {
      const cost_graph truth = one_truth(g, p);
      const uint64_t before = shared_slots(truth, {}, e_s + e_m).worst();
      const uint64_t after = shared_slots(truth, chosen, e_s + e_m).worst();
      out.shorter += after < before ? 1 : 0;
      out.longer += after > before ? 1 : 0;
    }
  }
  return out;
}

TEST(memory_choice, is_never_longer_than_no_split) {
  const outcome o = try_programs(4'000'000, true);
  EXPECT_EQ(o.longer, 0U);
  EXPECT_GT(o.split, program_count(400) / 10);
  EXPECT_GT(o.shorter, o.split * 5);
  EXPECT_GT(try_programs(4'000'000, false).longer, 0U) << "the comparison sees what splits cost";
}

}  // namespace
}  // namespace pws::cfg::memory_choice_test
