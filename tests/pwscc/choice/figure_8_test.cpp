// SPDX-License-Identifier: Apache-2.0
// The example of the PWS paper, Fig. 8 and Table 2, with the costs that can be restored from its text.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "sw/cfg/choose_splits.h"
#include "sw/cfg/cost_graph.h"
#include "sw/cfg/select.h"
#include "tests/pwscc/choice/cycles_of_choice.h"
#include "tests/pwscc/choice/peak_contexts.h"

namespace pws::cfg::figure_8_test {
namespace {

using test::peak_contexts;

// Nodes count from 0 here, from 1 in the paper; branches have the paper's numbers as ids. e1 + e2 + e4 is 14 and e6 +
// e7 is 6, however divided.
cost_graph figure_8(uint64_t e1, uint64_t e2, uint64_t e6) {
  const uint64_t e[] = {e1, e2, 3, 14 - e1 - e2, 6, e6, 6 - e6, 5, 1, 4, 3, 3, 1, 1, 1, 2, 5, 4};
  const std::vector<std::vector<size_t>> edges = {{2, 12},  {3, 4}, {4},      {5, 6}, {6},  {7},
                                                  {8, 9},   {9},    {10, 11}, {11},   {12}, {13, 18},
                                                  {14, 15}, {15},   {16, 17}, {17},   {18}, {}};
  cost_graph g;
  for (size_t k = 0; k < edges.size(); ++k) {
    g.nodes.push_back({e[k], {}, cost_graph::none});
    for (const size_t to : edges[k]) g.nodes[k].successors.push_back(to - 1);
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

constexpr uint64_t d = 1, e_s = 1, e_m = 1;

TEST(figure_8, parents_as_printed) {
  const cost_graph g = figure_8(5, 4, 3);
  EXPECT_EQ(parents(g).at(1), branch_parent{});
  EXPECT_EQ(parents(g).at(2), (branch_parent{branch_parent::side::then_side, 1}));
  EXPECT_EQ(parents(g).at(7), (branch_parent{branch_parent::side::then_side, 1}));
  // Printed as 12, the BSB of 1.
  EXPECT_EQ(parents(g).at(13), (branch_parent{branch_parent::side::else_side, 1}));
  EXPECT_EQ(parents(g).size(), 4U);
  EXPECT_EQ(parents(g).count(3), 0u);
}

TEST(figure_8, select_for_each_number_of_contexts) {
  const cost_graph g = figure_8(5, 4, 3);
  EXPECT_EQ(select(g, 0), split_set{});
  EXPECT_EQ(select(g, 1), (split_set{1}));
  EXPECT_EQ(select(g, 2), (split_set{1, 2, 7}));
  EXPECT_EQ(select(g, 3), (split_set{1, 2, 7, 13}));
  EXPECT_EQ(select(g, 4), (split_set{1, 2, 7, 13}));
  EXPECT_EQ(peak_contexts(g, {1}), 1U);
  EXPECT_EQ(peak_contexts(g, {1, 2, 7}), 2U);
  EXPECT_EQ(peak_contexts(g, {1, 2, 7, 13}), 3U);
  EXPECT_EQ(peak_contexts(g, {2, 7, 13}), 1U) << "1 is not split: its sides are in sequence";
}

TEST(figure_8, table_2) {
  for (const auto& [e1, e2, e6] : {std::array<uint64_t, 3>{5, 4, 3}, {14, 0, 6}, {0, 0, 0}, {1, 12, 1}}) {
    const cost_graph g = figure_8(e1, e2, e6);
    EXPECT_EQ(d + wavefront_cycles(g, {}, e_s, e_m), 60U);
    EXPECT_EQ(d + equation_3_cycles(g, {}, e_s, e_m), 60U);
    EXPECT_EQ(d + equation_3_cycles(g, select(g, 1), e_s, e_m), 52U);
    EXPECT_EQ(d + equation_3_cycles(g, select(g, 2), e_s, e_m), 49U);
    // All three splits are on the longest path, so the paper's form charges nothing that the path does not pay.
    EXPECT_EQ(d + wavefront_cycles(g, select(g, 1), e_s, e_m), 52U);
    EXPECT_EQ(d + wavefront_cycles(g, select(g, 2), e_s, e_m), 49U);
    // 13 is in the shorter side of 1. Eq. 3 charges its split all the same, |S_B| being 4, and gets 51; the paper
    // prints 47, which none of its lemmas gives with these costs. Charged by path, it is not on the longest one.
    EXPECT_EQ(d + equation_3_cycles(g, select(g, 3), e_s, e_m), 51U);
    EXPECT_EQ(d + wavefront_cycles(g, select(g, 3), e_s, e_m), 49U);
  }
}

TEST(figure_8, choice) {
  const cost_graph g = figure_8(5, 4, 3);
  EXPECT_EQ(choose_splits(g, 0, e_s, e_m), split_set{});
  EXPECT_EQ(choose_splits(g, 1, e_s, e_m), (split_set{1}));
  EXPECT_EQ(choose_splits(g, 2, e_s, e_m), (split_set{1, 2, 7}));
  // The third context has no use: 13 would save one cycle where there are 26 to spare, and cost two.
  EXPECT_EQ(choose_splits(g, 3, e_s, e_m), (split_set{1, 2, 7}));
  EXPECT_EQ(choose_splits(g, 63, e_s, e_m), (split_set{1, 2, 7}));
  // Free splits: still not 13, nor anything that the longest path does not need.
  EXPECT_EQ(choose_splits(g, 63, 0, 0), (split_set{1, 2, 7}));
  // 2 saves 3 cycles and 7 saves 4.
  EXPECT_EQ(choose_splits(g, 63, 2, 1), (split_set{1, 7}));
  EXPECT_EQ(choose_splits(g, 63, 3, 1), (split_set{1}));
  EXPECT_EQ(choose_splits(g, 63, 5, 5), split_set{}) << "1 saves the 10 cycles of its shorter side";
}

TEST(figure_8, choice_among_what_may_be_split) {
  cost_graph g = figure_8(5, 4, 3);
  g.branches[0].splittable = false;
  EXPECT_EQ(choose_splits(g, 1, e_s, e_m), (split_set{2, 7}));
  for (cost_graph::serial_branch& b : g.branches) b.splittable = false;
  EXPECT_EQ(choose_splits(g, 63, e_s, e_m), split_set{});
  for (cost_graph::serial_branch& b : g.branches) b.marked = b.id == 13;
  EXPECT_EQ(select(g, 1), (split_set{13})) << "Select splits an inner branch though the outer one is not";
}

}  // namespace
}  // namespace pws::cfg::figure_8_test
