// SPDX-License-Identifier: Apache-2.0
// Prune against IPET, longest paths and a direct evaluation, on random programs; and the forms that the paper has not.
#include "sw/wcet/flow/prune.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "sw/cfg/choose_splits.h"
#include "sw/cfg/select.h"
#include "sw/wcet/flow/integer_program.h"
#include "sw/wcet/flow/loop_nest.h"
#include "tests/pwscc/choice/cycles_of_choice.h"
#include "tests/pwscc/choice/random_graph.h"
#include "tests/wcet/flow_reference.h"
#include "tests/wcet/random_cfg.h"

namespace pws::wcet::prune_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Takes 64-bit numbers beyond what the solver is exact for.
bool has_huge_cycles(const cfg::cost_graph& g) {
  for (const cfg::cost_graph::node& n : g.nodes)
    if (n.cycles > 1000000) return true;
  for (const cfg::cost_loop& l : g.loops)
    if (l.bound > 1000 || has_huge_cycles(l.body)) return true;
  return false;
}

bool has_uniform_branch(const cfg::cost_graph& g) {
  for (size_t v = 0; v < g.nodes.size(); ++v) {
    if (g.nodes[v].successors.size() < 2) continue;
    bool serial = false;
    for (const cfg::cost_graph::serial_branch& b : g.branches) serial = serial || b.node == v || b.bsb == v;
    if (!serial) return true;
  }
  return false;
}

TEST(prune, random_programs_without_loops) {
  uint64_t programs = 0, removed = 0, uniform = 0, shortened = 0;
  for (uint64_t seed = 0; programs < 300; ++seed) {
    SCOPED_TRACE(seed);
    cfg::random_program random(seed);
    const cfg::cost_graph g = random.make(12);
    if (!g.loops.empty() || g.branches.empty() || has_huge_cycles(g)) continue;
    ++programs;
    if (has_uniform_branch(g)) ++uniform;
    const uint64_t serial = prune(g, {}).cycles;
    EXPECT_EQ(test::longest_path(flow_of(g)).cycles, serial);
    for (size_t s = 0; s <= 7; ++s) {
      const cfg::split_set chosen = cfg::select(g, s);
      const pruned p = prune(g, chosen);
      const flow_problem c_out = flow_of(g, p.removed);
      EXPECT_EQ(solve_ipet(c_out).cycles, p.cycles);
      EXPECT_EQ(test::longest_path(c_out).cycles, p.cycles);
      EXPECT_EQ(solve_ipet(test::exclusive_flow_of(g, chosen)).cycles, p.cycles);
      EXPECT_EQ(cfg::wavefront_cycles(g, chosen, 0, 0), p.cycles);
      EXPECT_LE(p.removed.size(), chosen.size());
      for (const removed_edge& r : p.removed) EXPECT_EQ(chosen.count(r.branch), 1U);
      removed += p.removed.size();
      shortened += p.cycles < serial ? 1 : 0;
    }
  }
  EXPECT_GT(removed, 2000U);
  EXPECT_GT(shortened, 300U);
  EXPECT_GT(uniform, 30U);
}

TEST(prune, random_programs_with_loops) {
  uint64_t programs = 0, in_loops = 0;
  for (uint64_t seed = 0; programs < 300; ++seed) {
    SCOPED_TRACE(seed);
    cfg::random_program random(seed);
    const cfg::cost_graph g = random.make(12);
    if (g.loops.empty() || has_huge_cycles(g)) continue;
    ++programs;
    for (const size_t s : {0, 1, 3, 7}) {
      const cfg::split_set chosen = cfg::select(g, s);
      const pruned p = prune(g, chosen);
      EXPECT_EQ(cfg::wavefront_cycles(g, chosen, 0, 0), p.cycles);
      EXPECT_EQ(solve_ipet(flow_of(g, p.removed)).cycles, p.cycles);
      const ipet_result exclusive = solve_ipet(test::exclusive_flow_of(g, chosen));
      EXPECT_EQ(exclusive.cycles, p.cycles);
      EXPECT_EQ(exclusive.proven_cycles, p.cycles);
      for (const removed_edge& r : p.removed) {
        bool outside = false;
        for (const cfg::cost_graph::serial_branch& b : g.branches) outside = outside || b.id == r.branch;
        in_loops += outside ? 0 : 1;
      }
    }
  }
  EXPECT_GT(in_loops, 100U);
}

// Bounds of up to a million, in loops in loops: the solver alone gets some of these wrong.
void set_large_bounds(cfg::cost_graph& g, cfg::random_program& random) {
  for (cfg::cost_loop& l : g.loops) {
    l.bound = 1 + random.below(1000000);
    set_large_bounds(l.body, random);
  }
}

TEST(prune, random_programs_with_large_bounds) {
  uint64_t programs = 0, exact = 0, bounded = 0, refused = 0;
  for (uint64_t seed = 0; programs < 300; ++seed) {
    SCOPED_TRACE(seed);
    cfg::random_program random(seed);
    cfg::cost_graph g = random.make(20);
    if (g.loops.empty() || has_huge_cycles(g)) continue;
    ++programs;
    set_large_bounds(g, random);
    // Without splits loop by loop too, by which the longest path is found where the solver does not find it.
    const integer_program unsplit(flow_of(g));
    const uint64_t serial = cfg::wavefront_cycles(g, {}, 0, 0);
    const auto nested = bound_by_loop_nest(unsplit, std::vector<wide_int>(unsplit.rows.size(), 0), 1);
    if (serial != std::numeric_limits<uint64_t>::max()) {
      ASSERT_TRUE(nested.has_value());
      EXPECT_EQ(static_cast<uint64_t>(nested->units) * unsplit.unit, serial);
    }
    const cfg::split_set chosen = cfg::select(g, seed % 5);
    const uint64_t expected = cfg::wavefront_cycles(g, chosen, 0, 0);
    for (const bool removing : {false, true}) {
      try {
        const flow_problem p = removing ? flow_of(g, prune(g, chosen).removed) : test::exclusive_flow_of(g, chosen);
        const ipet_result ilp = solve_ipet(p);
        EXPECT_EQ(ilp.proven_cycles, ilp.cycles);
        if (!ilp.is_path) {  // a bound alone
          ++bounded;
          EXPECT_GT(expected, uint64_t{1} << 40);
          EXPECT_GE(ilp.cycles, expected);
          EXPECT_LT(static_cast<double>(ilp.cycles), 1.01 * static_cast<double>(expected));
          continue;
        }
        EXPECT_EQ(ilp.cycles, expected);
        EXPECT_EQ(inconsistency(p, ilp), "");
        ++exact;
      } catch (const input_error& e) {
        ++refused;
        EXPECT_EQ(expected, std::numeric_limits<uint64_t>::max()) << e.what();
      }
    }
  }
  fmt::print("{} exact, {} bounds without a path, {} refused\n", exact, bounded, refused);
  EXPECT_GT(exact, 550U);
  EXPECT_GT(bounded, 0U);
}

// Never a wrong number: exact, or an error.
TEST(prune, random_programs_with_huge_cycles) {
  uint64_t programs = 0, exact = 0, refused = 0, overflowed = 0;
  for (uint64_t seed = 0; programs < 100; ++seed) {
    SCOPED_TRACE(seed);
    cfg::random_program random(seed);
    const cfg::cost_graph g = random.make(12);
    if (!g.loops.empty() || !has_huge_cycles(g)) continue;
    ++programs;
    constexpr uint64_t never_ending = std::numeric_limits<uint64_t>::max();
    const uint64_t serial = cfg::wavefront_cycles(g, {}, 0, 0);
    if (serial == never_ending) {
      ++overflowed;
      EXPECT_THROW(prune(g, {}), input_error);
      EXPECT_THROW(solve_ipet(flow_of(g)), input_error);
      continue;
    }
    const cfg::split_set chosen = cfg::select(g, 3);
    const pruned p = prune(g, chosen);
    EXPECT_EQ(p.cycles, cfg::wavefront_cycles(g, chosen, 0, 0));
    try {
      EXPECT_EQ(solve_ipet(flow_of(g, p.removed)).cycles, p.cycles);
      ++exact;
    } catch (const input_error&) {
      ++refused;
    }
  }
  EXPECT_GT(overflowed, 5U);
  EXPECT_GT(exact, 5U);
}

// 0 (u) -> 1 (then) -> 2 (BSB) -> 3 (else) -> 4
cfg::cost_graph if_else(uint64_t then_side, uint64_t else_side) {
  cfg::cost_graph g;
  g.nodes = {{10, {1, 2}, cfg::cost_graph::none},
             {then_side, {2}, cfg::cost_graph::none},
             {20, {3, 4}, cfg::cost_graph::none},
             {else_side, {4}, cfg::cost_graph::none},
             {40, {}, cfg::cost_graph::none}};
  g.branches = {{7, 0, 1, 2, 3, 4, true, true}};
  return g;
}

TEST(prune, one_branch) {
  EXPECT_THAT(prune(if_else(1, 2), {}).f, ElementsAre(10 + 1 + 20 + 2 + 40, 41, 42, 42, 40, 0));
  const pruned p = prune(if_else(1, 2), {7});
  EXPECT_THAT(p.f, ElementsAre(10 + 20 + 2 + 40, 41, 42, 42, 40, 0));
  EXPECT_THAT(p.removed, ElementsAre(removed_edge{7, 0, 1}));
  EXPECT_THAT(prune(if_else(2, 1), {7}).removed, ElementsAre(removed_edge{7, 2, 3}));
  EXPECT_EQ(prune(if_else(2, 1), {7}).cycles, 72U);
  // Sides that are the same: line 15.
  EXPECT_THAT(prune(if_else(2, 2), {7}).removed, ElementsAre(removed_edge{7, 2, 3}));
  EXPECT_EQ(prune(if_else(0, 0), {7}).cycles, 70U);
}

TEST(prune, if_without_else) {
  cfg::cost_graph g;
  g.nodes = {{1, {1, 2}, cfg::cost_graph::none}, {2, {2}, cfg::cost_graph::none}, {4, {}, cfg::cost_graph::none}};
  g.branches = {{0, 0, 1, 2, cfg::cost_graph::none, 2, true, true}};
  EXPECT_THAT(prune(g, {}).f, ElementsAre(7, 6, 4, 0));
  EXPECT_THAT(prune(g, {0}).f, ElementsAre(7, 6, 4, 0));
  EXPECT_THAT(prune(g, {0}).removed, IsEmpty());
  EXPECT_EQ(solve_ipet(test::exclusive_flow_of(g, {0})).cycles, 7U);
}

TEST(prune, empty_sides) {
  // Then side empty: u -> BSB is its edge too, and must stay.
  cfg::cost_graph g;
  g.nodes = {{1, {1}, cfg::cost_graph::none},
             {2, {2, 3}, cfg::cost_graph::none},
             {4, {3}, cfg::cost_graph::none},
             {8, {}, cfg::cost_graph::none}};
  g.branches = {{0, 0, 1, 1, 2, 3, true, true}};
  for (const cfg::split_set& chosen : {cfg::split_set{}, cfg::split_set{0}}) {
    const pruned p = prune(g, chosen);
    EXPECT_EQ(p.cycles, 15U);
    EXPECT_THAT(p.removed, IsEmpty());
    EXPECT_EQ(solve_ipet(flow_of(g, p.removed)).cycles, 15U);
    EXPECT_EQ(solve_ipet(test::exclusive_flow_of(g, chosen)).cycles, 15U);
  }
  // Else side empty.
  g.nodes = {{1, {1, 2}, cfg::cost_graph::none},
             {4, {2}, cfg::cost_graph::none},
             {2, {3}, cfg::cost_graph::none},
             {8, {}, cfg::cost_graph::none}};
  g.branches = {{0, 0, 1, 2, 3, 3, true, true}};
  EXPECT_EQ(prune(g, {0}).cycles, 15U);
  EXPECT_THAT(prune(g, {0}).removed, IsEmpty());
  EXPECT_EQ(solve_ipet(flow_of(g, prune(g, {0}).removed)).cycles, 15U);
}

TEST(prune, a_branch_in_a_loop) {
  cfg::cost_graph g;
  g.nodes = {{5, {1}, 0}, {1, {}, cfg::cost_graph::none}};
  g.loops = {{if_else(3, 9), 6}};
  const pruned p = prune(g, {7});
  EXPECT_EQ(p.cycles, 5 + 6 * (10 + 20 + 9 + 40) + 1U);
  EXPECT_THAT(p.removed, ElementsAre(removed_edge{7, 0, 1}));
  EXPECT_EQ(solve_ipet(flow_of(g, p.removed)).cycles, p.cycles);
  EXPECT_EQ(solve_ipet(test::exclusive_flow_of(g, {7})).cycles, p.cycles);
  EXPECT_EQ(prune(g, {}).cycles, p.cycles + 6 * 3);
  // A loop that never runs, and one with nothing in it.
  g.loops[0].bound = 0;
  EXPECT_EQ(prune(g, {}).cycles, 6U);
  EXPECT_EQ(solve_ipet(flow_of(g)).cycles, 6U);
  g.loops[0] = {{}, 1000};
  EXPECT_EQ(prune(g, {}).cycles, 6U);
  EXPECT_EQ(solve_ipet(flow_of(g)).cycles, 6U);
}

TEST(prune, empty_single_and_malformed) {
  EXPECT_EQ(prune({}, {}).cycles, 0U);
  EXPECT_THAT(prune({}, {}).f, ElementsAre(0));
  EXPECT_THROW(flow_of({}), std::invalid_argument);
  cfg::cost_graph g;
  g.nodes = {{9, {}, cfg::cost_graph::none}};
  EXPECT_THAT(prune(g, {}).f, ElementsAre(9, 0));
  EXPECT_EQ(solve_ipet(flow_of(g)).cycles, 9U);
  EXPECT_THROW(prune(g, {1}), std::invalid_argument);
  g.nodes[0].successors = {0};
  EXPECT_THROW(prune(g, {}), std::invalid_argument);
  EXPECT_THROW(flow_of(g), std::invalid_argument);
  constexpr uint64_t half = uint64_t{1} << 63;
  EXPECT_EQ(prune(if_else(half, 1), {7}).cycles, half + 70);
  EXPECT_THROW(prune(if_else(half, half), {}), input_error);
}

}  // namespace
}  // namespace pws::wcet::prune_test
