// Select (PWS paper, Algorithm 1) and the choice of the shortest worst case, against the paper's example and brute
// force.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

#include "sw/cfg/choose_splits.h"
#include "sw/cfg/select.h"
#include "tests/pwscc/choice/structured_program.h"

namespace pws::test {
namespace {

using cfg::cost_graph;
using cfg::split_set;
using testing::ElementsAre;
using testing::IsEmpty;

// The paper's Figure 8; node n is node n - 1 here. e1 + e2 + e4 = 14 and e6 + e7 = 6, however divided.
cost_graph figure_8() {
  const uint64_t e[] = {5, 4, 3, 5, 6, 2, 4, 5, 1, 4, 3, 3, 1, 1, 1, 2, 5, 4};
  const std::vector<std::vector<size_t>> successors{{2, 12},  {3, 4}, {4},      {5, 6}, {6},  {7},
                                                    {8, 9},   {9},    {10, 11}, {11},   {12}, {13, 18},
                                                    {14, 15}, {15},   {16, 17}, {17},   {18}, {}};
  cost_graph g;
  for (size_t n = 0; n < 18; ++n) {
    g.nodes.push_back({e[n], {}, cost_graph::none});
    for (const size_t s : successors[n]) g.nodes[n].successors.push_back(s - 1);
  }
  const auto branch = [&](size_t u, size_t succ, size_t bsb, size_t bsb_succ, size_t reconv) {
    g.branches.push_back({u, u - 1, succ - 1, bsb - 1, bsb_succ - 1, reconv - 1, true, true});
  };
  branch(1, 2, 12, 13, 18);
  branch(2, 3, 4, 5, 6);
  branch(7, 8, 9, 10, 11);
  branch(13, 14, 15, 16, 17);
  return g;
}

TEST(figure_8, parents) {
  const auto parents = cfg::parents(figure_8());
  using side = cfg::branch_parent::side;
  EXPECT_EQ(parents.at(1), (cfg::branch_parent{side::whole, cost_graph::none}));
  EXPECT_EQ(parents.at(2), (cfg::branch_parent{side::then_side, 1}));
  EXPECT_EQ(parents.at(7), parents.at(2));
  EXPECT_EQ(parents.at(13), (cfg::branch_parent{side::else_side, 1}));  // Parent(13) = 12, the BSB of 1
}

TEST(figure_8, select) {
  const cost_graph g = figure_8();
  EXPECT_THAT(cfg::select(g, 0), IsEmpty());
  EXPECT_THAT(cfg::select(g, 1), ElementsAre(1));
  EXPECT_THAT(cfg::select(g, 2), ElementsAre(1, 2, 7));
  EXPECT_THAT(cfg::select(g, 3), ElementsAre(1, 2, 7, 13));
  EXPECT_THAT(cfg::select(g, 4), ElementsAre(1, 2, 7, 13));
}

// With d = e_s = e_m = 1. All that S = 1 and S = 2 select is on the longest path, so that charging each split where it
// executes gives what Eq. 3 gives with |S_B| of them.
TEST(figure_8, wavefront_cycles) {
  const cost_graph g = figure_8();
  constexpr uint64_t d = 1;
  EXPECT_EQ(d + cfg::wavefront_cycles(g, {}, 1, 1), 60u);
  EXPECT_EQ(d + cfg::wavefront_cycles(g, cfg::select(g, 1), 1, 1), 52u);
  EXPECT_EQ(d + cfg::wavefront_cycles(g, cfg::select(g, 2), 1, 1), 49u);
  // 13 is not on the longest path. Eq. 3 charges it, hence 51 there with |S_B| = 4.
  EXPECT_EQ(d + cfg::wavefront_cycles(g, cfg::select(g, 3), 1, 1), 49u);
}

TEST(figure_8, shortest_worst_case) {
  const cost_graph g = figure_8();
  EXPECT_THAT(cfg::choose_splits(g, 1, 1, 1), ElementsAre(1));
  EXPECT_THAT(cfg::choose_splits(g, 2, 1, 1), ElementsAre(1, 2, 7));
  EXPECT_THAT(cfg::choose_splits(g, 7, 1, 1), ElementsAre(1, 2, 7));  // 13 would gain nothing
  EXPECT_THAT(cfg::choose_splits(g, 7, 100, 100), IsEmpty());
}

unsigned rounds() {
  const char* more = std::getenv("PWS_CFG_PROGRAMS");
  return more == nullptr ? 200 : static_cast<unsigned>(std::atoi(more));
}

TEST(choice, equals_brute_force) {
  std::mt19937_64 random(8);
  unsigned with_splits = 0, most_branches = 0;
  for (unsigned round = 0; round < rounds(); ++round) {
    unsigned branches = 0;
    sequence program;
    // Not the ones with hardly any branch.
    for (; branches < round % 13; program = random_program(random, {}, branches = 0)) {
    }
    const cost_graph graph = graph_of(program);
    std::vector<size_t> ids;
    collect_splittable(program, ids);
    most_branches = std::max<unsigned>(most_branches, static_cast<unsigned>(ids.size()));
    const uint64_t split_cycles = random() % 20, merge_cycles = random() % 20;
    // The best for each number of contexts, over all subsets.
    std::vector<uint64_t> best(ids.size() + 1, ~uint64_t{0});
    for (unsigned subset = 0; subset < 1u << ids.size(); ++subset) {
      split_set splits;
      for (size_t k = 0; k < ids.size(); ++k)
        if ((subset >> k & 1) != 0) splits.insert(ids[k]);
      const uint64_t cycles = cycles_of(program, splits, split_cycles + merge_cycles);
      const unsigned contexts = contexts_of(program, splits);
      if (subset % 17 == 0) {
        ASSERT_EQ(cfg::wavefront_cycles(graph, splits, split_cycles, merge_cycles), cycles) << round;
        ASSERT_EQ(cfg::peak_contexts(graph, splits), contexts) << round;
      }
      for (size_t s = contexts; s < best.size(); ++s) best[s] = std::min(best[s], cycles);
    }
    for (const size_t s : {0u, 1u, 2u, 3u, 7u, 63u}) {
      const split_set chosen = cfg::choose_splits(graph, s, split_cycles, merge_cycles);
      EXPECT_LE(contexts_of(program, chosen), s) << round;
      const uint64_t cycles = cycles_of(program, chosen, split_cycles + merge_cycles);
      EXPECT_EQ(cycles, best[std::min(s, best.size() - 1)]) << round << ", S = " << s;
      // None without gain.
      for (const size_t id : chosen) {
        split_set without = chosen;
        without.erase(id);
        EXPECT_GT(cycles_of(program, without, split_cycles + merge_cycles), cycles) << round;
      }
      with_splits += !chosen.empty();
      const split_set selected = cfg::select(graph, s);
      EXPECT_LE(contexts_of(program, selected), s) << round;
      if (s == 63) {
        EXPECT_EQ(selected, split_set(ids.begin(), ids.end()));
      }
    }
  }
  EXPECT_GT(with_splits, rounds());
  EXPECT_GE(most_branches, 9u);
}

TEST(choice, degenerate_graphs) {
  for (const size_t s : {0u, 1u, 63u}) {
    EXPECT_THAT(cfg::choose_splits({}, s, 1, 1), IsEmpty());
    EXPECT_THAT(cfg::select({}, s), IsEmpty());
  }
  EXPECT_EQ(cfg::wavefront_cycles({}, {}, 1, 1), 0u);
  cost_graph one;
  one.nodes.push_back({7, {}, cost_graph::none});
  EXPECT_EQ(cfg::wavefront_cycles(one, {}, 1, 1), 7u);
  EXPECT_THROW(cfg::wavefront_cycles(one, {3}, 1, 1), std::invalid_argument);
  cost_graph g = figure_8();
  for (auto& b : g.branches) b.splittable = b.marked = false;
  EXPECT_THAT(cfg::choose_splits(g, 7, 0, 0), IsEmpty());
  EXPECT_THAT(cfg::select(g, 7), IsEmpty());
  g = figure_8();
  for (auto& n : g.nodes) n.cycles = 0;
  EXPECT_THAT(cfg::choose_splits(g, 7, 0, 0), IsEmpty());
  // Cycles saturate.
  for (auto& n : g.nodes) n.cycles = ~uint64_t{0} / 2;
  EXPECT_EQ(cfg::wavefront_cycles(g, {}, 1, 1), ~uint64_t{0});
}

TEST(choice, malformed_graphs_are_refused) {
  const auto broken = [](const std::function<void(cost_graph&)>& change) {
    cost_graph g = figure_8();
    change(g);
    EXPECT_THROW(cfg::check(g), std::invalid_argument);
  };
  cfg::check(figure_8());
  broken([](cost_graph& g) { g.nodes[5].successors = {3}; });
  broken([](cost_graph& g) { g.nodes[5].successors = {99}; });
  broken([](cost_graph& g) { g.nodes[2].successors.push_back(14); });  // out of a side
  broken([](cost_graph& g) { g.branches[1].id = 1; });
  broken([](cost_graph& g) { g.branches[1].reconv = 17; });
  broken([](cost_graph& g) { g.branches[0].node = 40; });
  broken([](cost_graph& g) { g.nodes[3].loop = 2; });
}

TEST(choice, thousands_of_branches) {
  std::mt19937_64 random(3);
  unsigned branches = 0;
  sequence program;
  // A sequence of nests.
  while (branches < 5000) {
    unsigned count = 0;
    sequence part = random_program(random, {60, 8, true}, count);
    const std::function<void(sequence&)> renumber = [&](sequence& s) {
      for (statement& x : s) {
        x.id += branches;
        renumber(x.first);
        renumber(x.second);
      }
    };
    renumber(part);
    branches += count;
    program.insert(program.end(), part.begin(), part.end());
  }
  const cost_graph graph = graph_of(program);
  const split_set selected = cfg::select(graph, 7);
  EXPECT_GT(selected.size(), 50u);
  EXPECT_LE(cfg::peak_contexts(graph, selected), 7u);
  const split_set chosen = cfg::choose_splits(graph, 7, 2, 2);
  EXPECT_LE(cfg::peak_contexts(graph, chosen), 7u);
  EXPECT_LE(cfg::wavefront_cycles(graph, chosen, 2, 2), cfg::wavefront_cycles(graph, selected, 2, 2));
}

}  // namespace
}  // namespace pws::test
