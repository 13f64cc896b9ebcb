// SPDX-License-Identifier: Apache-2.0
// What the study reports of warps: times, and what the branches did.
#include "sw/reconvergence/limit_study.h"

#include <gtest/gtest.h>

#include "tests/reconvergence/flow_example.h"

namespace pws::test::limit_study_test {
namespace {

using reconvergence::branch_result;
using reconvergence::study;
using reconvergence::warp;
using reconvergence::warp_result;

study study_of(const flow_example& e, const std::vector<warp>& warps) {
  return study_reconvergence(warps, e.passes(), e.code());
}

TEST(limit_study, figure_7) {
  const flow_example e({{2, {1, 2}}, {50, {2}}, {3, {3, 0}}, {1, {}}});
  const study s = study_of(e, {e.warp({"ACABCACABCD", "ABCACABCD", "ACABCACABCD", "ABCACABCD"})});
  ASSERT_EQ(s.warps.size(), 1u);
  const warp_result& r = s.warps[0];
  EXPECT_EQ(r.work_items, 4u);
  EXPECT_EQ(r.different, 2u);
  EXPECT_EQ(r.executed, 2u * (4 * 5 + 2 * 50 + 1) + 2u * (3 * 5 + 2 * 50 + 1));
  EXPECT_EQ(r.times.never, 2u + (4 * 5 - 2 + 2 * 50 + 1) + (3 * 5 - 2 + 2 * 50 + 1));
  EXPECT_EQ(r.times.post_dominators, 4u * 5 + 4 * 50 + 1);
  EXPECT_EQ(r.times.best, 4u * 5 + 2 * 50 + 1);
  EXPECT_EQ(r.times.longest, r.times.best);
  EXPECT_TRUE(r.exact);
  EXPECT_FALSE(r.from_stack);
  // The branch to the work: on the stack in the three iterations that all go through, at best once, and then they meet
  // past C.
  ASSERT_EQ(s.branches.count(0), 1u);
  EXPECT_EQ(s.branches.at(0).stack.all, 3u);
  EXPECT_EQ(s.branches.at(0).stack.met_later, 0u);
  EXPECT_EQ(s.branches.at(0).best.all, 1u);
  EXPECT_EQ(s.branches.at(0).best.met_later, 1u);
  // The loop's end: the odd ones are done an iteration before the others, but not if they got ahead.
  ASSERT_EQ(s.branches.count(2), 1u);
  EXPECT_EQ(s.branches.at(2).stack.all, 1u);
  EXPECT_EQ(s.branches.at(2).best.all, 0u);
}

TEST(limit_study, of_equal_traces_has_nothing_to_gain) {
  const flow_example e({{2, {1, 2}}, {50, {2}}, {3, {3, 0}}, {1, {}}});
  const study s = study_of(e, {e.warp({"ABCACD", "ABCACD"}), e.warp({"ACD"})});
  ASSERT_EQ(s.warps.size(), 2u);
  for (const warp_result& r : s.warps) {
    EXPECT_EQ(r.different, 1u);
    EXPECT_EQ(r.times.never, r.times.longest);
    EXPECT_EQ(r.times.post_dominators, r.times.longest);
    EXPECT_EQ(r.times.best, r.times.longest);
    EXPECT_TRUE(r.exact);
  }
  EXPECT_TRUE(s.branches.empty());
}

// Joining what shares the most first costs more here than it gains: the stack's order is an order too.
TEST(limit_study, keeps_the_order_of_the_stack_where_it_is_the_best_known) {
  const flow_example e({{3, {1, 4}}, {7, {2, 3}}, {5, {3}}, {9, {5}}, {6, {5}}, {2, {6, 0}}, {1, {}}});
  const warp_result r = study_of(e, {e.warp({"ABCDFG", "ABCDFABDFA", "AEFAEFAEFG"})}).warps.front();
  EXPECT_TRUE(r.from_stack);
  EXPECT_FALSE(r.exact);
  EXPECT_EQ(r.times.best, r.times.post_dominators);
  EXPECT_LT(r.times.longest, r.times.best);
}

TEST(limit_study, counts_who_ends_where_others_go_on) {
  const flow_example e({{2, {1, 2}}, {4, {2}}, {1, {}}});
  const study s = study_of(e, {e.warp({"A", "ABC"})});
  EXPECT_EQ(s.branches.at(0).stack.all, 1u);
  EXPECT_EQ(s.branches.at(0).best.all, 1u);
  EXPECT_EQ(s.branches.at(0).best.met_later, 0u);
  EXPECT_EQ(s.branches.size(), 1u);
}

TEST(limit_study, branches_of_several_warps_are_added_up) {
  const flow_example e({{2, {1, 2}}, {4, {2}}, {1, {}}});
  const study s = study_of(e, {e.warp({"AC", "ABC"}), e.warp({"ABC", "ABC"}), e.warp({"ABC", "AC"})});
  EXPECT_EQ(s.branches.at(0).stack.all, 2u);
  EXPECT_EQ(s.branches.at(0).best.all, 2u);
  EXPECT_EQ(s.branches.at(0).best.met_later, 0u);
}

TEST(limit_study, times_of_random_warps_are_in_order) {
  std::mt19937 random(6);
  unsigned gains = 0, inexact = 0;
  for (unsigned round = 0; round < 400; ++round) {
    const flow_example e = random_example(random);
    const study s = study_of(e, {e.random_warp(random, 1 + random() % 16, 40)});
    const warp_result& r = s.warps.front();
    EXPECT_LE(r.times.longest, r.times.best) << round;
    EXPECT_LE(r.times.best, r.times.post_dominators) << round;
    EXPECT_LE(r.times.post_dominators, r.times.never) << round;
    EXPECT_LE(r.times.never, r.executed) << round;
    EXPECT_LE(r.executed, r.times.longest * r.work_items) << round;
    EXPECT_TRUE(!r.from_stack || r.times.best == r.times.post_dominators) << round;
    for (const auto& [block, b] : s.branches) {
      EXPECT_EQ(b.stack.met_later, 0u) << round << ": on the stack all meet where they wait for each other";
      EXPECT_LE(b.best.met_later, b.best.all) << round;
    }
    gains += r.times.best < r.times.post_dominators;
    inexact += !r.exact;
  }
  EXPECT_GT(gains, 50u);
  EXPECT_GT(inexact, 50u);
}

}  // namespace
}  // namespace pws::test::limit_study_test
