// The choice of splits where accesses take an unknown number of slots, which the parts of a split wavefront take in
// turn.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "sw/cfg/choose_splits.h"
#include "sw/cfg/cost_graph.h"
#include "sw/cfg/select.h"
#include "sw/cfg/split_risk.h"
#include "tests/pwscc/choice/peak_contexts.h"
#include "tests/pwscc/choice/random_graph.h"
#include "tests/pwscc/choice/walked_machine.h"

namespace pws::cfg {
namespace {

using test::peak_contexts;

struct side {
  uint64_t cycles = 0;
  uint64_t most_slots = 0;
};

void fill(cost_graph& g, size_t node, const side& s) {
  g.nodes[node].slots = std::min<uint64_t>(s.most_slots, 1);
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

TEST(memory_choice, a_side_may_cost_what_the_other_saves) {
  // e_s + e_m = 2: 40 + 2 cycles more at most, against 42 that the else side saves.
  EXPECT_EQ(choose_splits(if_else({100, 40}, {42, 0}), 1, 1, 1, 2), split_set{5});
  EXPECT_TRUE(choose_splits(if_else({100, 41}, {42, 0}), 1, 1, 1, 2).empty());
  EXPECT_TRUE(choose_splits(if_else({100, 40}, {41, 0}), 1, 1, 1, 2).empty());
  EXPECT_TRUE(choose_splits(if_else({42, 0}, {100, 41}), 1, 1, 1, 2).empty()) << "the other way round";
  // More parts take longer, one part takes its slots as before.
  EXPECT_TRUE(choose_splits(if_else({100, 40}, {42, 0}), 1, 1, 1, 3).empty());
  EXPECT_EQ(choose_splits(if_else({100, 20}, {42, 0}), 1, 1, 1, 3), split_set{5});
  EXPECT_EQ(choose_splits(if_else({100, 1000}, {42, 0}), 1, 1, 1, 1), split_set{5});
  // What the other side's own accesses take is not sure.
  EXPECT_TRUE(choose_splits(if_else({100, 1000}, {42, 1000}), 1, 1, 1, 2).empty());
  EXPECT_THROW(choose_splits(if_else({1, 1}, {1, 1}), 1, 1, 1, 0), std::invalid_argument);
}

TEST(memory_choice, what_comes_with_a_split_counts) {
  cost_graph g = if_else({100, 40}, {50, 0});
  g.branches[0].overhead = 8;
  EXPECT_EQ(choose_splits(g, 1, 1, 1, 2), split_set{5});
  g.branches[0].overhead = 9;
  EXPECT_TRUE(choose_splits(g, 1, 1, 1, 2).empty());
  // Both parts go through the BSB; the branch's own block comes before the split.
  cost_graph h = if_else({100, 0}, {50, 0});
  h.nodes[h.branches[0].node].most_slots = 1'000'000;
  EXPECT_EQ(choose_splits(h, 1, 1, 1, 2), split_set{5});
  h.nodes[h.branches[0].bsb].most_slots = 48;
  EXPECT_EQ(choose_splits(h, 1, 1, 1, 2), split_set{5});
  h.nodes[h.branches[0].bsb].most_slots = 49;
  EXPECT_TRUE(choose_splits(h, 1, 1, 1, 2).empty());
}

// Inside a split, splitting further costs no more slots, and what it saves lets the outer one be.
TEST(memory_choice, an_inner_split_pays_for_the_outer_one) {
  cost_graph g;
  graph_writer w(g);
  w.if_else(
      0, 0, 0,
      [&] {
        fill(g, w.emit(10), {10, 60});
        w.if_else(
            1, 0, 0, [&] { w.emit(50); }, [&] { w.emit(50); });
      },
      [&] { w.emit(30); });
  w.emit(0);
  EXPECT_EQ(choose_splits(g, 1, 1, 1, 2), split_set{1}) << "60 + 2 > 30";
  EXPECT_EQ(choose_splits(g, 2, 1, 1, 2), (split_set{0, 1})) << "60 + 2 + 2 - 50 <= 30";
  EXPECT_EQ(split_risks(g, {2, 2}).at(0).costs, 62U);
  EXPECT_EQ(split_risks(g, {2, 2}).at(0).slots, 60U);
  EXPECT_EQ(split_risks(g, {2, 2}).at(0).saves, 30U);
}

cost_graph with_loop_in_then(const side& body, uint64_t bound, bool known, const side& other, bool leaves) {
  cost_graph g;
  graph_writer w(g);
  w.if_else(
      5, 0, 0,
      [&] {
        const size_t v = w.emit(0);
        cost_graph b;
        b.nodes.push_back({body.cycles, {}, cost_graph::none, 0, body.most_slots, leaves});
        g.nodes[v].loop = 0;
        g.loops.push_back({b, bound, known});
      },
      [&] { fill(g, w.emit(other.cycles), other); });
  w.emit(0);
  return g;
}

TEST(memory_choice, loops) {
  // Each iteration's slots, and those of a test behind the last one: 11 * 5 + 2.
  EXPECT_EQ(choose_splits(with_loop_in_then({10, 5}, 10, true, {57, 0}, true), 1, 1, 1, 2), split_set{5});
  EXPECT_TRUE(choose_splits(with_loop_in_then({10, 5}, 10, true, {56, 0}, true), 1, 1, 1, 2).empty());
  // How often is not known: no limit.
  EXPECT_TRUE(choose_splits(with_loop_in_then({10, 1}, 10, false, {1'000'000, 0}, true), 1, 1, 1, 2).empty());
  EXPECT_EQ(split_risks(with_loop_in_then({10, 1}, 10, false, {1, 0}, true), {2, 2}).at(5).costs, never_ending);
  // Nine whole iterations and one that may be left at once save 90, or 100 if all of the body comes before the exit.
  EXPECT_EQ(choose_splits(with_loop_in_then({10, 0}, 10, true, {200, 88}, false), 1, 1, 1, 2), split_set{5});
  EXPECT_TRUE(choose_splits(with_loop_in_then({10, 0}, 10, true, {200, 89}, false), 1, 1, 1, 2).empty());
  EXPECT_EQ(choose_splits(with_loop_in_then({10, 0}, 10, true, {200, 98}, true), 1, 1, 1, 2), split_set{5});
  EXPECT_TRUE(choose_splits(with_loop_in_then({10, 0}, 10, true, {200, 99}, true), 1, 1, 1, 2).empty());
  // A loop of an unknown count is entered once.
  EXPECT_EQ(choose_splits(with_loop_in_then({10, 0}, 10, false, {200, 8}, true), 1, 1, 1, 2), split_set{5});
  EXPECT_TRUE(choose_splits(with_loop_in_then({10, 0}, 10, false, {200, 9}, true), 1, 1, 1, 2).empty());
}

TEST(memory_choice, cycles_saturate) {
  constexpr uint64_t most = std::numeric_limits<uint64_t>::max();
  EXPECT_TRUE(choose_splits(if_else({100, most}, {most, 0}), 1, 1, 1, 2).empty());
  EXPECT_TRUE(choose_splits(if_else({100, most / 2}, {most, 0}), 1, 1, 1, 63).empty());
  EXPECT_TRUE(choose_splits(if_else({100, 1}, {100, 0}), 1, most, most, 2).empty());
  EXPECT_EQ(choose_splits(if_else({most / 8, 1}, {most / 8, 0}), 1, 1, 1, 2), split_set{5});
}

// --- Random programs ---------------------------------------------------------------------------------

void add_memory(cost_graph& g, random_program& p) {
  for (cost_graph::node& n : g.nodes) {
    n.cycles %= 1000;
    if (p.below(3) != 0) continue;
    n.most_slots = p.below(p.below(4) == 0 ? 500 : 20);
    n.slots = p.below(n.most_slots + 1);
  }
  for (cost_graph::serial_branch& b : g.branches) b.overhead = p.below(4);
  for (cost_loop& l : g.loops) {
    l.bound %= 6;
    l.known = p.below(4) != 0;
    add_memory(l.body, p);
  }
}

// What the accesses and loops turn out to be. Extremes are the likely ones.
cost_graph one_truth(cost_graph g, random_program& p) {
  for (cost_graph::node& n : g.nodes) {
    const uint64_t kind = p.below(4);
    n.slots = kind == 0 ? 0 : kind == 1 ? n.most_slots : p.below(n.most_slots + 1);
  }
  for (cost_loop& l : g.loops) {
    if (!l.known) l.bound = p.below(3) == 0 ? 0 : p.below(40);
    l.body = one_truth(std::move(l.body), p);
  }
  return g;
}

uint32_t bits_of(const split_set& ids) {
  uint32_t bits = 0;
  for (const size_t id : ids) bits |= uint32_t{1} << id;
  return bits;
}

struct outcome {
  uint64_t split = 0, shorter = 0, longer = 0;
};

// `seen`: the parts that the choice knows of; `parts`: those that there are.
outcome try_programs(uint64_t first_seed, uint64_t parts, uint64_t seen) {
  outcome out;
  for (uint64_t seed = first_seed; seed < first_seed + program_count(400); ++seed) {
    SCOPED_TRACE(seed);
    random_program p(seed);
    cost_graph g = p.make(static_cast<unsigned>(2 + p.below(8)));
    add_memory(g, p);
    const uint64_t e_s = p.below(4), e_m = p.below(4);
    const size_t s = 1 + p.below(7);
    const split_set chosen = choose_splits(g, s, e_s, e_m, seen);
    EXPECT_LE(peak_contexts(g, chosen), s);
    EXPECT_LE(wavefront_cycles(g, chosen, e_s, e_m, seen), wavefront_cycles(g, {}, e_s, e_m, seen));
    const uint32_t bits = bits_of(chosen);
    EXPECT_EQ(wavefront_cycles(g, chosen, e_s, e_m, parts), walked_machine(g, bits, e_s, e_m, parts).run().cycles);
    out.split += chosen.empty() ? 0 : 1;
    for (unsigned k = 0; k < 20 && !chosen.empty(); ++k) {
      const cost_graph truth = one_truth(g, p);
      const uint64_t before = walked_machine(truth, 0, e_s, e_m, parts).run().cycles;
      const uint64_t after = walked_machine(truth, bits, e_s, e_m, parts).run().cycles;
      out.shorter += after < before ? 1 : 0;
      out.longer += after > before ? 1 : 0;
    }
  }
  return out;
}

TEST(memory_choice, is_never_longer_than_no_split) {
  for (const uint64_t parts : {2, 3, 8}) {
    SCOPED_TRACE(parts);
    const outcome o = try_programs(4'000'000 + parts * 10'000, parts, parts);
    EXPECT_EQ(o.longer, 0U);
    EXPECT_GT(o.split, program_count(400) / 10);
    EXPECT_GT(o.shorter, o.split * 5);
  }
  // It is the slots that make the difference.
  EXPECT_GT(try_programs(4'000'000, 3, 1).longer, 0U);
}

}  // namespace
}  // namespace pws::cfg
