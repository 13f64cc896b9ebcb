// SPDX-License-Identifier: Apache-2.0
// Graphs at the edge: empty, without a choice, with costs that do not fit, very large.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>

#include "sw/cfg/choose_splits.h"
#include "sw/cfg/cost_graph.h"
#include "sw/cfg/select.h"
#include "tests/pwscc/choice/cycles_of_choice.h"
#include "tests/pwscc/choice/peak_contexts.h"
#include "tests/pwscc/choice/random_graph.h"

namespace pws::cfg::choice_limits_test {
namespace {

using test::peak_contexts;

constexpr uint64_t most = std::numeric_limits<uint64_t>::max();

// u: 1, then side, BSB: 2, else side, end: 4.
cost_graph if_else(uint64_t then_cycles, uint64_t else_cycles) {
  cost_graph g;
  graph_writer w(g);
  w.if_else(
      5, 1, 2, [&] { w.emit(then_cycles); }, [&] { w.emit(else_cycles); });
  w.emit(4);
  return g;
}

cost_graph loop_of(cost_graph body, uint64_t bound, uint64_t own) {
  cost_graph g;
  g.loops.push_back({std::move(body), bound});
  g.nodes.push_back({own, {}, 0});
  return g;
}

TEST(choice_limits, nothing_to_choose) {
  cost_graph block;
  block.nodes.push_back({7, {}, cost_graph::none});
  for (const cost_graph& g : {cost_graph{}, block, loop_of({}, 3, 7), loop_of(block, 0, 0)}) {
    EXPECT_NO_THROW(check(g));
    EXPECT_TRUE(branches_in_order(g).empty());
    EXPECT_TRUE(parents(g).empty());
    for (const size_t s : {0, 1, 63}) {
      EXPECT_TRUE(select(g, s).empty());
      EXPECT_TRUE(choose_splits(g, s, 1, 1).empty());
    }
    EXPECT_EQ(peak_contexts(g, {}), 0U);
    EXPECT_THROW(peak_contexts(g, {0}), std::invalid_argument);
    EXPECT_THROW(wavefront_cycles(g, {0}, 1, 1), std::invalid_argument);
  }
  EXPECT_EQ(wavefront_cycles({}, {}, 1, 1), 0U);
  EXPECT_EQ(wavefront_cycles(block, {}, 1, 1), 7U);
  EXPECT_EQ(wavefront_cycles(loop_of({}, 3, 7), {}, 1, 1), 7U);
  EXPECT_EQ(wavefront_cycles(loop_of(block, 0, 5), {}, 1, 1), 5U);
  EXPECT_EQ(wavefront_cycles(loop_of(block, 10, 5), {}, 1, 1), 75U);
}

TEST(choice_limits, one_branch) {
  const cost_graph g = if_else(10, 20);
  EXPECT_EQ(wavefront_cycles(g, {}, 3, 4), 1U + 10 + 2 + 20 + 4);
  EXPECT_EQ(wavefront_cycles(g, {5}, 3, 4), 1U + 3 + 2 + 20 + 4 + 4);
  EXPECT_TRUE(choose_splits(g, 0, 3, 4).empty());
  EXPECT_EQ(choose_splits(g, 1, 3, 4), (split_set{5}));
  EXPECT_EQ(choose_splits(g, 1, 5, 4), (split_set{5}));
  EXPECT_TRUE(choose_splits(g, 1, 5, 5).empty()) << "saves 10, costs 10";
  EXPECT_TRUE(choose_splits(g, 1, most, 0).empty());
  EXPECT_TRUE(choose_splits(g, 1, most, most).empty());
  EXPECT_EQ(choose_splits(g, 63, 0, 0), (split_set{5}));
  EXPECT_THROW(choose_splits(g, 64, 0, 0), std::invalid_argument);
  // One side has nothing in it: there is nothing to run beside it.
  EXPECT_TRUE(choose_splits(if_else(10, 0), 1, 0, 0).empty());
  EXPECT_TRUE(choose_splits(if_else(0, 0), 1, 0, 0).empty());
}

TEST(choice_limits, if_without_else_gains_nothing) {
  cost_graph g;
  graph_writer w(g);
  w.if_then(0, 1, [&] { w.emit(100); });
  w.emit(1);
  EXPECT_EQ(wavefront_cycles(g, {}, 3, 4), 102U);
  EXPECT_EQ(wavefront_cycles(g, {0}, 3, 4), 109U);
  EXPECT_TRUE(choose_splits(g, 63, 0, 0).empty());
  EXPECT_EQ(select(g, 1), (split_set{0})) << "Algorithm 1 does not look at costs";
}

TEST(choice_limits, cycles_saturate) {
  EXPECT_EQ(wavefront_cycles(if_else(most - 9, 2), {}, 0, 0), most);
  EXPECT_EQ(wavefront_cycles(if_else(most - 10, 2), {}, 0, 0), most - 1);
  EXPECT_EQ(wavefront_cycles(if_else(most, most), {5}, most, most), most);
  EXPECT_EQ(wavefront_cycles(loop_of(if_else(10, 20), most / 37, 0), {}, 0, 0), most / 37 * 37);
  EXPECT_EQ(wavefront_cycles(loop_of(if_else(10, 20), most / 37 + 1, 0), {}, 0, 0), most);
  EXPECT_EQ(equation_3_cycles(loop_of(if_else(0, 0), most, 0), {5}, 1, 0), most);
  // The whole never ends, split or not.
  EXPECT_TRUE(choose_splits(if_else(most, most), 1, 1, 1).empty());
  // Split, it does.
  EXPECT_EQ(choose_splits(if_else(most / 2 + 1, most / 2 + 1), 1, 1, 1), (split_set{5}));
}

TEST(choice_limits, loops) {
  const cost_graph g = loop_of(loop_of(if_else(10, 20), 3, 6), 5, 8);
  EXPECT_EQ(wavefront_cycles(g, {}, 1, 2), 8U + 5 * (6 + 3 * 37));
  EXPECT_EQ(wavefront_cycles(g, {5}, 1, 2), 8U + 5 * (6 + 3 * 30));
  EXPECT_EQ(equation_3_cycles(g, {5}, 1, 2), 8U + 5 * (6 + 3 * 27) + 15 * 3);
  EXPECT_EQ(peak_contexts(g, {5}), 1U);
  EXPECT_EQ(choose_splits(g, 1, 1, 2), (split_set{5}));
  EXPECT_EQ(parents(g).at(5), branch_parent{});
  // What never runs gains nothing and needs nothing.
  const cost_graph never = loop_of(if_else(10, 20), 0, 8);
  EXPECT_TRUE(choose_splits(never, 1, 0, 0).empty());
  EXPECT_EQ(peak_contexts(never, {5}), 0U);
}

// A loop in a branch's side: its branches have that Parent; in sequence with the branches around the loop.
TEST(choice_limits, loop_in_a_side) {
  cost_graph body = if_else(10, 20);
  cost_graph g;
  graph_writer w(g);
  w.if_else(
      1, 0, 0,
      [&] {
        const size_t v = w.emit(0);
        g.loops.push_back({std::move(body), 4});
        g.nodes[v].loop = 0;
        w.if_else(
            2, 0, 0, [&] { w.emit(9); }, [&] { w.emit(9); });
      },
      [&] { w.emit(100); });
  w.emit(0);
  EXPECT_EQ(parents(g).at(5), (branch_parent{branch_parent::side::then_side, 1}));
  EXPECT_EQ(parents(g).at(5), parents(g).at(2));
  EXPECT_EQ(branches_in_order(g), (std::vector<size_t>{1, 5, 2}));
  EXPECT_EQ(select(g, 1), (split_set{1}));
  EXPECT_EQ(select(g, 2), (split_set{1, 2, 5}));
  EXPECT_EQ(peak_contexts(g, {1, 2, 5}), 2U);
}

// Both sides of a split branch need contexts at the same time; how they are shared out is the choice.
TEST(choice_limits, contexts_are_shared_between_the_sides) {
  cost_graph g;
  graph_writer w(g);
  const auto inner = [&](size_t id, uint64_t cycles) {
    w.if_else(
        id, 0, 0, [&] { w.emit(cycles); }, [&] { w.emit(cycles); });
  };
  w.if_else(
      0, 0, 0, [&] { inner(1, 100); }, [&] { inner(2, 90); });
  w.emit(0);
  EXPECT_EQ(choose_splits(g, 1, 1, 1), (split_set{1, 2})) << "in sequence: 102 + 92; the other way 2 + 200";
  EXPECT_EQ(choose_splits(g, 2, 1, 1), (split_set{0, 1})) << "2 + max(102, 180)";
  EXPECT_EQ(choose_splits(g, 3, 1, 1), (split_set{0, 1, 2}));
  EXPECT_EQ(wavefront_cycles(g, {0, 1, 2}, 1, 1), 104U);
}

// Among equals the first is chosen; if one split and two give the same cycles, the one.
TEST(choice_limits, ties) {
  cost_graph g;
  graph_writer w(g);
  const auto inner = [&](size_t id) {
    w.if_else(
        id, 0, 0, [&] { w.emit(10); }, [&] { w.emit(10); });
  };
  // The else side takes 30 anyhow; the then side takes 40 less 10 for each split.
  w.if_else(
      9, 0, 0,
      [&] {
        inner(8);
        inner(7);
      },
      [&] { w.emit(30); });
  w.emit(0);
  EXPECT_EQ(choose_splits(g, 2, 0, 0), (split_set{8, 9}));

  cost_graph h;
  graph_writer x(h);
  x.if_else(
      3, 0, 0,
      [&] {
        for (const size_t id : {1, 2})
          x.if_else(
              id, 0, 0, [&] { x.emit(5); }, [&] { x.emit(5); });
      },
      [&] { x.emit(10); });
  x.emit(0);
  EXPECT_EQ(wavefront_cycles(h, {1, 2}, 0, 0), wavefront_cycles(h, {3}, 0, 0));
  EXPECT_EQ(choose_splits(h, 1, 0, 0), (split_set{3}));
}

constexpr size_t many = 5000;

double seconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Far above what it takes (some milliseconds), far below what O(n^2) per context would.
constexpr double patience = 2.0;

TEST(choice_limits, thousands_in_sequence) {
  cost_graph g;
  graph_writer w(g);
  for (size_t k = 0; k < many; ++k)
    w.if_else(
        k, 1, 1, [&] { w.emit(10); }, [&] { w.emit(10 + k); });
  w.emit(0);
  split_set chosen;
  EXPECT_LT(seconds([&] { chosen = choose_splits(g, 63, 1, 1); }), patience);
  EXPECT_EQ(chosen.size(), many);
  EXPECT_EQ(peak_contexts(g, chosen), 1U);
  EXPECT_EQ(wavefront_cycles(g, {}, 1, 1) - wavefront_cycles(g, chosen, 1, 1), many * 8);
  EXPECT_EQ(select(g, 1).size(), many);
}

// if 10 else if 10 else if 10 ... else nothing: a split at the first ones saves 8 each; the last has an empty side.
TEST(choice_limits, an_else_if_chain_of_thousands) {
  cost_graph g;
  graph_writer w(g);
  const std::function<void(size_t)> link = [&](size_t k) {
    if (k < many)
      w.if_else(
          k, 0, 0, [&] { w.emit(10); }, [&] { link(k + 1); });
  };
  link(0);
  w.emit(0);
  split_set chosen;
  EXPECT_LT(seconds([&] { chosen = choose_splits(g, 63, 1, 1); }), patience);
  EXPECT_EQ(chosen.size(), 63U);
  EXPECT_EQ(peak_contexts(g, chosen), 63U);
  EXPECT_EQ(wavefront_cycles(g, chosen, 1, 1), 10 * many - 63 * 8);
  EXPECT_EQ(select(g, 63).size(), 63U);
}

// The same of if in if: the then sides nest, and the else sides are short.
TEST(choice_limits, thousands_in_each_other) {
  cost_graph g;
  graph_writer w(g);
  const std::function<void(size_t)> nest = [&](size_t k) {
    if (k < many)
      w.if_else(
          k, 1, 1, [&] { nest(k + 1); }, [&] { w.emit(10); });
  };
  nest(0);
  w.emit(0);
  split_set chosen;
  EXPECT_LT(seconds([&] { chosen = choose_splits(g, 63, 1, 1); }), patience);
  EXPECT_EQ(peak_contexts(g, chosen), 63U);
  EXPECT_EQ(wavefront_cycles(g, chosen, 1, 1), 12 * many - 63 * 8);
}

// A balanced tree: contexts have to be shared out everywhere.
TEST(choice_limits, a_tree_of_thousands) {
  cost_graph g;
  graph_writer w(g);
  size_t ids = 0;
  const std::function<void(unsigned)> tree = [&](unsigned depth) {
    if (depth == 0) {
      w.emit(10);
      return;
    }
    w.if_else(
        ids++, 0, 0, [&] { tree(depth - 1); }, [&] { tree(depth - 1); });
  };
  tree(12);
  w.emit(0);
  ASSERT_EQ(ids, 4095U);
  split_set chosen;
  EXPECT_LT(seconds([&] { chosen = choose_splits(g, 63, 0, 0); }), patience);
  // 64 SWFs, each with 1 of 64 subtrees to itself: 64 leaves one after the other.
  EXPECT_EQ(wavefront_cycles(g, chosen, 0, 0), 4096U * 10 / 64);
  EXPECT_EQ(peak_contexts(g, chosen), 63U);
}

TEST(choice_limits, loops_in_loops) {
  cost_graph g = if_else(10, 20);
  for (size_t depth = 0; depth < 300; ++depth) g = loop_of(std::move(g), 1, 1);
  EXPECT_EQ(wavefront_cycles(g, {}, 1, 1), 37U + 300);
  EXPECT_EQ(choose_splits(g, 1, 1, 1), (split_set{5}));
}

}  // namespace
}  // namespace pws::cfg::choice_limits_test
