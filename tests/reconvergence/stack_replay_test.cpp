// SPDX-License-Identifier: Apache-2.0
// Traces on the reconvergence stack, and without reconvergence: who issues what with whom.
#include "sw/reconvergence/stack_replay.h"

#include <gtest/gtest.h>

#include "tests/reconvergence/flow_example.h"

namespace pws::test::stack_replay_test {
namespace {

using reconvergence::meeting_place;
using reconvergence::schedule;
using reconvergence::warp;

schedule on_stack(const flow_example& e, const warp& w) {
  return reconverging_at_post_dominators(w, e.passes(), e.code());
}

std::string stack(const flow_example& e, const std::vector<std::string>& traces) {
  return e.text(on_stack(e, e.warp(traces)));
}
std::string never(const flow_example& e, const std::vector<std::string>& traces) {
  return e.text(never_reconverging(e.warp(traces), e.passes()));
}

// Fig. 5: A branches to B and F, B to C and D, which meet at E; E and F meet at G.
const flow_example& figure_5() {
  static const flow_example e({{2, {1, 5}}, {3, {2, 3}}, {4, {4}}, {5, {4}}, {6, {6}}, {7, {6}}, {8, {}}});
  return e;
}

TEST(stack_replay, figure_5) {
  const std::vector<std::string> traces{"ABCEG", "ABDEG", "ABDEG", "AFG"};
  EXPECT_EQ(stack(figure_5(), traces), "A:0123 B:012 C:0 D:12 E:012 F:3 G:0123");
  EXPECT_EQ(figure_5().time(on_stack(figure_5(), figure_5().warp(traces))), 2u + 3 + 4 + 5 + 6 + 7 + 8);
  EXPECT_EQ(never(figure_5(), traces), "A:0123 B:012 C:0 E:0 G:0 D:12 E:12 G:12 F:3 G:3");
}

TEST(stack_replay, one_work_item_and_equal_ones_go_straight_on) {
  EXPECT_EQ(stack(figure_5(), {"ABCEG"}), "A:0 B:0 C:0 E:0 G:0");
  EXPECT_EQ(stack(figure_5(), {"AFG", "AFG", "AFG"}), "A:012 F:012 G:012");
  EXPECT_EQ(never(figure_5(), {"AFG", "AFG", "AFG"}), "A:012 F:012 G:012");
}

TEST(stack_replay, a_skipped_side_waits_for_the_other) {
  const flow_example e({{1, {1, 2}}, {5, {2}}, {1, {}}});
  EXPECT_EQ(stack(e, {"AC", "ABC"}), "A:01 B:1 C:01");
  EXPECT_EQ(never(e, {"AC", "ABC"}), "A:01 B:1 C:1 C:0");
}

TEST(stack_replay, who_leaves_a_loop_waits_behind_it) {
  const flow_example e({{1, {1}}, {2, {2, 1}}, {1, {}}});
  EXPECT_EQ(stack(e, {"ABC", "ABBBC", "ABBC"}), "A:012 B:012 B:12 B:1 C:012");
  EXPECT_EQ(never(e, {"ABC", "ABBBC", "ABBC"}), "A:012 B:012 B:12 B:1 C:1 C:2 C:0");
}

TEST(stack_replay, sides_that_end_apart_do_not_meet) {
  const flow_example e({{1, {1, 2}}, {1, {}}, {1, {3, 4}}, {1, {4}}, {1, {}}});
  EXPECT_EQ(stack(e, {"AB", "ACE", "ACDE"}), "A:012 B:0 C:12 D:2 E:12");
}

TEST(stack_replay, who_ends_early_is_waited_for_by_nobody) {
  // The trace ends in B: the code took the work-item out for good.
  EXPECT_EQ(stack(figure_5(), {"AB", "ABCEG", "AFG"}), "A:012 B:01 C:1 E:1 F:2 G:12");
  EXPECT_EQ(stack(figure_5(), {"", "AFG"}), "A:1 F:1 G:1");
  EXPECT_EQ(stack(figure_5(), {"", ""}), "");
}

// Without a branch: the code takes work-item 1 out of EXEC in A, and brings it back at E or G.
TEST(stack_replay, who_goes_on_elsewhere_meets_the_others_there) {
  EXPECT_EQ(stack(figure_5(), {"ABCEG", "AEG"}), "A:01 B:0 C:0 E:01 G:01");
  EXPECT_EQ(stack(figure_5(), {"ABCEG", "AG", "AFG"}), "A:012 B:0 C:0 E:0 F:2 G:012");
}

// The pathological loop of Fig. 7: B has the work, even work-items do it in odd iterations.
TEST(stack_replay, figure_7_takes_turns) {
  const flow_example e({{1, {1, 2}}, {9, {2}}, {1, {3, 0}}, {1, {}}});
  EXPECT_EQ(stack(e, {"ACABCD", "ABCACD"}), "A:01 B:1 C:01 A:01 B:0 C:01 D:01");
}

TEST(stack_replay, a_barrier_does_not_cut_what_waits) {
  const flow_example e({{1, {1, 2}}, {5, {2}}, {1, {}}});
  EXPECT_EQ(stack(e, {"A|C", "A|BC"}), "A:01 B:1 C:01");
}

TEST(meeting_place, is_the_nearest_common_post_dominator) {
  const flow_example& e = figure_5();
  const auto meet = [&](const std::string& names) {
    std::vector<uint64_t> places;
    for (const char name : names) places.push_back(e.place(name));
    return meeting_place(e.code(), places);
  };
  EXPECT_EQ(meet("BF"), e.place('G'));
  EXPECT_EQ(meet("CD"), e.place('E'));
  EXPECT_EQ(meet("CE"), e.place('E')) << "one of them";
  EXPECT_EQ(meet("CDF"), e.place('G'));
  EXPECT_EQ(meet("GB"), e.place('G'));
  EXPECT_EQ(meet("C"), e.place('C'));
  EXPECT_EQ(meet(""), std::nullopt);
  // In the middle of a block, its beginning is behind.
  EXPECT_EQ(meeting_place(e.code(), {e.place('E') + 4, e.place('C')}), e.place('G'));
  EXPECT_EQ(meeting_place(e.code(), {0x10, e.place('C')}), std::nullopt) << "no code";
  const flow_example apart({{1, {1, 2}}, {1, {}}, {1, {}}});
  EXPECT_EQ(meeting_place(apart.code(), {apart.place('B'), apart.place('C')}), std::nullopt);
}

TEST(stack_replay, random_traces_are_gone_through_in_order) {
  std::mt19937 random(3);
  for (unsigned round = 0; round < 500; ++round) {
    const flow_example e = random_example(random);
    const warp w = e.random_warp(random, 1 + random() % 16, 30);
    EXPECT_EQ(not_an_order_of(w, on_stack(e, w)), "") << round;
    EXPECT_EQ(not_an_order_of(w, never_reconverging(w, e.passes())), "") << round;
    EXPECT_LE(e.time(on_stack(e, w)), e.time(never_reconverging(w, e.passes()))) << round;
  }
}

}  // namespace
}  // namespace pws::test::stack_replay_test
