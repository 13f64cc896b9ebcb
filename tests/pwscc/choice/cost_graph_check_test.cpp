// SPDX-License-Identifier: Apache-2.0
// Malformed graphs are told apart, and the message says where.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sw/cfg/choose_splits.h"
#include "sw/cfg/cost_graph.h"
#include "sw/cfg/select.h"
#include "tests/pwscc/choice/cycles_of_choice.h"
#include "tests/pwscc/choice/peak_contexts.h"
#include "tests/pwscc/choice/random_graph.h"

namespace pws::cfg::cost_graph_check_test {
namespace {

using test::peak_contexts;

// 0: u, 1: then, 2: BSB, 3: else, 4: Reconv, 5: end; branch 70.
cost_graph well_formed() {
  cost_graph g;
  graph_writer w(g);
  w.if_else(
      70, 1, 1, [&] { w.emit(1); }, [&] { w.emit(1); });
  w.emit(1);
  w.emit(1);
  return g;
}

std::string problem_with(const cost_graph& g) {
  try {
    check(g);
  } catch (const std::invalid_argument& e) {
    // Nobody else takes such a graph.
    EXPECT_THROW(select(g, 1), std::invalid_argument);
    EXPECT_THROW(peak_contexts(g, {}), std::invalid_argument);
    EXPECT_THROW(wavefront_cycles(g, {}, 1, 1), std::invalid_argument);
    EXPECT_THROW(choose_splits(g, 1, 1, 1), std::invalid_argument);
    EXPECT_THROW(parents(g), std::invalid_argument);
    return e.what();
  }
  return "";
}

struct fault {
  const char* name;
  std::function<void(cost_graph&)> make;
  const char* where;
};

const cost_graph one_block = [] {
  cost_graph g;
  g.nodes.emplace_back();
  return g;
}();

const std::vector<fault> faults = {
    {"successor_missing", [](cost_graph& g) { g.nodes[4].successors = {6}; }, "node 4:"},
    {"successor_none", [](cost_graph& g) { g.nodes[4].successors = {cost_graph::none}; }, "node 4:"},
    {"edge_to_itself", [](cost_graph& g) { g.nodes[4].successors = {4}; }, "node 4:"},
    {"edge_back", [](cost_graph& g) { g.nodes[4].successors = {1}; }, "node 4:"},
    {"unreachable", [](cost_graph& g) { g.nodes.emplace_back(); }, "node 6:"},
    {"branch_nowhere", [](cost_graph& g) { g.branches[0].node = 9; }, "branch 70 is at node 9"},
    {"branch_at_another_node", [](cost_graph& g) { g.branches[0].node = 1; }, "node 1:"},
    {"two_at_one_node", [](cost_graph& g) { g.branches.push_back(g.branches[0]), g.branches[1].id = 2; }, "node 0:"},
    {"no_succ", [](cost_graph& g) { g.branches[0].succ = cost_graph::none; }, "node 0:"},
    {"no_bsb", [](cost_graph& g) { g.branches[0].bsb = cost_graph::none; }, "node 0:"},
    {"no_reconv", [](cost_graph& g) { g.branches[0].reconv = cost_graph::none; }, "node 0:"},
    {"no_bsb_succ", [](cost_graph& g) { g.branches[0].bsb_succ = cost_graph::none; }, "node 0:"},
    {"bsb_not_a_successor", [](cost_graph& g) { g.branches[0].bsb = 3; }, "node 0:"},
    {"succ_not_a_successor", [](cost_graph& g) { g.branches[0].succ = 2; }, "node 0:"},
    {"bsb_succ_not_a_successor", [](cost_graph& g) { g.branches[0].bsb_succ = 4; }, "node 2:"},
    {"reconv_not_a_successor", [](cost_graph& g) { g.branches[0].reconv = 5; }, "node 2:"},
    {"reconv_before_bsb", [](cost_graph& g) { g.branches[0].reconv = 1; }, "node 0:"},
    {"bsb_before_succ", [](cost_graph& g) { std::swap(g.branches[0].bsb, g.branches[0].succ); }, "node 0:"},
    {"if_with_bsb_succ",
     [](cost_graph& g) {
       g.nodes[0].successors = {1, 4};
       g.branches[0].bsb = 4;
     },
     "node 0:"},
    {"out_of_then",
     [](cost_graph& g) {
       g.nodes[1].successors = {2, 5};
     },
     "node 4:"},
    {"out_of_then_to_reconv",
     [](cost_graph& g) {
       g.nodes[1].successors = {2, 4};
     },
     "node 1:"},
    {"then_into_else",
     [](cost_graph& g) {
       g.nodes[1].successors = {2, 3};
     },
     "node 1:"},
    {"out_of_else", [](cost_graph& g) { g.nodes[3].successors = {5}; }, "node 4:"},
    {"end_in_then", [](cost_graph& g) { g.nodes[1].successors = {}; }, "node 1:"},
    {"end_in_else", [](cost_graph& g) { g.nodes[3].successors = {}; }, "node 3:"},
    {"loop_missing", [](cost_graph& g) { g.nodes[1].loop = 0; }, "node 1:"},
    {"loop_unused",
     [](cost_graph& g) {
       g.loops.push_back({one_block, 1});
     },
     "loop 0"},
    {"loop_used_twice",
     [](cost_graph& g) {
       g.loops.push_back({one_block, 1});
       g.nodes[1].loop = g.nodes[3].loop = 0;
     },
     "node 3:"},
    {"branch_is_loop",
     [](cost_graph& g) {
       g.loops.push_back({one_block, 1});
       g.nodes[0].loop = 0;
     },
     "node 0:"},
    {"bsb_is_loop",
     [](cost_graph& g) {
       g.loops.push_back({one_block, 1});
       g.nodes[2].loop = 0;
     },
     "node 2:"},
    {"in_a_loop",
     [](cost_graph& g) {
       cost_graph body = well_formed();
       body.branches[0].id = 71;
       body.nodes[3].successors = {};
       g.loops.push_back({body, 1});
       g.nodes[5].loop = 0;
     },
     "in the loop at node 5: node 3:"},
    {"same_id_in_a_loop",
     [](cost_graph& g) {
       g.loops.push_back({well_formed(), 1});
       g.nodes[5].loop = 0;
     },
     "id 70"},
};

TEST(cost_graph_check, names_what_is_malformed) {
  ASSERT_EQ(problem_with(well_formed()), "");
  for (const fault& f : faults) {
    SCOPED_TRACE(f.name);
    cost_graph g = well_formed();
    f.make(g);
    EXPECT_THAT(problem_with(g), testing::HasSubstr(f.where));
  }
}

// A way from outside into each part of the branch, beside the one through it.
TEST(cost_graph_check, no_way_in_but_the_branch) {
  for (const size_t target : {2, 3, 4}) {
    SCOPED_TRACE(target);
    cost_graph g;
    graph_writer w(g);
    const size_t start = w.emit(1);
    w.if_else(
        70, 1, 1, [&] { w.emit(1); }, [&] { w.emit(1); });
    w.emit(1);
    ASSERT_EQ(problem_with(g), "");
    g.nodes[start].successors.push_back(target);
    EXPECT_THAT(problem_with(g), testing::AllOf(testing::HasSubstr("node "), testing::HasSubstr("it leads to")));
  }
}

TEST(cost_graph_check, a_bsb_belongs_to_one_branch) {
  // An inner branch's else side must end before the outer BSB; here they share the BSB.
  cost_graph g = well_formed();
  g.nodes[1].successors = {2};
  g.branches.push_back(g.branches[0]);
  g.branches[1].id = 71;
  g.branches[1].node = 1;
  g.branches[1].succ = 2;
  EXPECT_THAT(problem_with(g), testing::HasSubstr("node 2:"));
}

// Regions may end together: an inner branch at the outer one's BSB, or at its reconvergence point.
TEST(cost_graph_check, regions_may_share_their_ends) {
  cost_graph g;
  graph_writer w(g);
  w.if_else(
      1, 0, 0,
      [&] {
        w.if_else(
            2, 0, 0, [&] { w.emit(3); }, [&] { w.emit(4); });
      },
      [&] { w.if_then(3, 0, [&] { w.if_then(4, 0, [&] { w.emit(5); }); }); });
  w.emit(0);
  EXPECT_EQ(problem_with(g), "");
  EXPECT_EQ(g.branches[1].reconv, g.branches[0].bsb);
  EXPECT_EQ(g.branches[3].reconv, g.branches[0].reconv);
  EXPECT_EQ(parents(g).at(4), (branch_parent{branch_parent::side::then_side, 3}));
  EXPECT_EQ(parents(g).at(3), (branch_parent{branch_parent::side::else_side, 1}));
  EXPECT_EQ(peak_contexts(g, {1, 2, 3, 4}), 4U);
  EXPECT_EQ(peak_contexts(g, {2, 3, 4}), 2U);
}

TEST(cost_graph_check, sides_may_be_empty) {
  cost_graph g;
  graph_writer w(g);
  w.if_else(
      1, 1, 2, [] {}, [&] { w.emit(3); });
  w.if_else(
      2, 1, 2, [] {}, [] {});
  w.if_then(3, 1, [] {});
  w.emit(4);
  EXPECT_EQ(problem_with(g), "");
  EXPECT_EQ(wavefront_cycles(g, {}, 10, 10), 14U);
  EXPECT_EQ(wavefront_cycles(g, {1, 2, 3}, 10, 10), 74U);
  EXPECT_TRUE(choose_splits(g, 63, 0, 0).empty());
}

// Two ways of a uniform branch whose blocks alternate in the topological order: 4, in the one, is not in the branch at
// 1, in the other, though it lies between that and its reconvergence point.
TEST(cost_graph_check, parent_is_the_region_where_paths_interleave) {
  cost_graph g;
  for (const std::vector<size_t>& s :
       std::vector<std::vector<size_t>>{{1, 2}, {3, 5}, {4}, {5}, {6, 7}, {8}, {7}, {8}, {}})
    g.nodes.push_back({1, s, cost_graph::none});
  g.branches.push_back({10, 1, 3, 5, cost_graph::none, 5, true, true});
  g.branches.push_back({11, 4, 6, 7, cost_graph::none, 7, true, true});
  EXPECT_EQ(problem_with(g), "");
  EXPECT_EQ(parents(g).at(11), branch_parent{});
  EXPECT_EQ(peak_contexts(g, {10, 11}), 1U);
  EXPECT_EQ(select(g, 1), (split_set{10, 11}));
}

}  // namespace
}  // namespace pws::cfg::cost_graph_check_test
