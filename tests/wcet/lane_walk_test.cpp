// SPDX-License-Identifier: Apache-2.0
// Bounds of loops of the machine code from lane masks and anchors, in assembly by hand: which ways count as a
// work-item's, and that the many ways of it stay few nodes.
#include "sw/wcet/lanes/lane_walk.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "models/flow/dominators.h"
#include "sw/cfg/divergent_branch.h"
#include "sw/cfg/lane_subsets.h"
#include "sw/pwscc/loop_marks.h"
#include "sw/wcet/loops/loop_bounds.h"
#include "tests/wcet/hand_kernel.h"

namespace pws::test::lane_walk_test {
namespace {

class loops_of {
 public:
  explicit loops_of(const std::string& body)
      : hand_(body),
        marked_(pwscc::read_marked_loops(hand_.file, hand_.kernel)),
        graph_(hand_.kernel.code, cfg::missing_skips(cfg::find_divergent_branches(hand_.kernel.code))),
        forest_(graph_, cfg::dominator_tree(graph_, cfg::dominator_tree::direction::dominators)),
        live_(graph_),
        bounded_(wcet::bound_loops(graph_, forest_, marked_)) {}

  const wcet::bounded_loop& operator[](size_t l) const { return bounded_.at(l); }
  size_t size() const { return bounded_.size(); }
  bool only_leave(size_t l = 0) const { return cfg::work_items_only_leave(graph_, forest_.loops().at(l)); }
  std::optional<wcet::lane_walks> walks(wcet::walk_limits limits, size_t l = 0) const {
    std::set<size_t> anchors;
    for (const wcet::marked_loop& m : marked_) {
      anchors.insert(m.entries.begin(), m.entries.end());
      anchors.insert(m.iterations.begin(), m.iterations.end());
    }
    return wcet::possible_walks(graph_, forest_.loops().at(l), live_, anchors, limits);
  }
  size_t blocks(size_t l = 0) const { return forest_.loops().at(l).blocks.size(); }
  bool stays_together(size_t m) const { return wcet::stays_together(graph_, marked_.at(m)); }

 private:
  hand_kernel hand_;
  std::vector<wcet::marked_loop> marked_;
  cfg::flow_graph graph_;
  cfg::loop_forest forest_;
  cfg::scalar_liveness live_;
  std::vector<wcet::bounded_loop> bounded_;
};

// A loop of at most 5 iterations that work-items leave one by one: `leave` takes those out of EXEC that do.
// `anchor` is none where the body has it.
const std::string iterate = "  ;pws.loop iterate 1\n";
std::string left(const std::string& leave, const std::string& body = "", const std::string& anchor = iterate) {
  return fmt::format(
      "  s_mov_b64 s[40:41], exec\n  s_mov_b64 s[42:43], 0\n  ;pws.loop enter 1 bound 5\n  v_mov_b32 v20, 0\n"
      "again:\n{}  v_add_u32 v20, vcc, 1, v20\n{}{}  s_cbranch_execnz again\n  s_mov_b64 exec, s[40:41]\n",
      anchor, body, leave);
}

TEST(lane_walk, masks_of_those_that_have_left) {
  // As clang writes it: s[42:43] has all that are out.
  const std::string by_comparison =
      "  v_cmp_gt_u32 vcc, v20, v2\n  s_or_b64 s[42:43], vcc, s[42:43]\n  s_andn2_b64 exec, exec, s[42:43]\n";
  const std::string by_carry =
      "  v_add_u32 v21, s[44:45], v20, v2\n  s_or_b64 s[42:43], s[44:45], s[42:43]\n"
      "  s_andn2_b64 exec, exec, s[42:43]\n";
  const std::string by_borrow_of_vcc =
      "  v_sub_u32 v21, vcc, v20, v2\n  s_or_b64 s[42:43], vcc, s[42:43]\n  s_andn2_b64 exec, exec, s[42:43]\n";
  const std::string by_cmpx = "  v_cmpx_gt_u32 v20, v2\n";
  const std::string spilled =
      "  v_cmp_gt_u32 vcc, v20, v2\n  s_or_b64 s[42:43], vcc, s[42:43]\n  v_writelane_b32 v30, s42, 3\n"
      "  v_writelane_b32 v30, s43, 4\n  s_mov_b64 s[42:43], -1\n  v_readlane_b32 s46, v30, 3\n"
      "  v_readlane_b32 s47, v30, 4\n  s_mov_b64 s[42:43], s[46:47]\n  s_andn2_b64 exec, exec, s[42:43]\n";
  for (const std::string& leave : {by_comparison, by_carry, by_borrow_of_vcc, by_cmpx, spilled}) {
    const loops_of loops(left(leave));
    ASSERT_EQ(loops.size(), 1u);
    EXPECT_EQ(loops[0].passes, 5u) << leave;
    EXPECT_FALSE(loops[0].returned_to) << leave;
    EXPECT_TRUE(loops.only_leave()) << leave;
  }
}

// What bounds each work-item bounds the wavefront only if none of them comes back.
TEST(lane_walk, work_items_that_may_come_back) {
  for (const char* leave : {
           // All that there were once.
           "  v_cmp_gt_u32 vcc, v20, v2\n  s_and_b64 vcc, vcc, exec\n  s_cbranch_vccz out\n  s_mov_b64 exec, s[40:41]\n"
           "out:\n",
           // A mask of which nothing is known.
           "  s_mov_b64 exec, s[44:45]\n",
           // The other half of those that were there: EXEC is not a subset.
           "  v_cmp_gt_u32 vcc, v20, v2\n  s_xor_b64 exec, vcc, s[40:41]\n",
           // A carry of the others: the bits of work-items that are not active are 0, not what they were.
           "  v_add_u32 v21, vcc, v20, v2\n  s_not_b64 exec, vcc\n",
           // Spilled to one lane, read from another.
           "  v_cmp_gt_u32 vcc, v20, v2\n  s_and_b64 s[42:43], vcc, exec\n  v_writelane_b32 v30, s42, 3\n"
           "  v_writelane_b32 v30, s43, 4\n  v_readlane_b32 s42, v30, 3\n  v_readlane_b32 s43, v30, 5\n"
           "  s_mov_b64 exec, s[42:43]\n",
       }) {
    const loops_of loops(left(leave));
    ASSERT_EQ(loops.size(), 1u);
    EXPECT_TRUE(loops[0].returned_to) << leave;
    EXPECT_FALSE(loops[0].passes) << leave;
    EXPECT_FALSE(loops.only_leave()) << leave;
  }
}

// A condition's one side, and all work-items together again.
std::string diamond(unsigned k, const std::string& then = "  s_nop 0\n") {
  return fmt::format(
      "  v_cmp_lt_u32 vcc, {0}, v20\n  s_and_saveexec_b64 s[50:51], vcc\n  s_cbranch_execz skip{0}\n{1}skip{0}:\n"
      "  s_or_b64 exec, exec, s[50:51]\n",
      k, then);
}
const std::string counted =
    "  v_cmp_gt_u32 vcc, v20, v2\n  s_or_b64 s[42:43], vcc, s[42:43]\n  s_andn2_b64 exec, exec, s[42:43]\n";

TEST(lane_walk, an_anchor_that_only_some_pass) {
  // Whether an iteration counts depends on the work-item: those that go round without are not counted.
  EXPECT_FALSE(loops_of(left(counted, diamond(1, iterate + "  s_nop 0\n"), ""))[0].passes);
  // All of it in one block, which ends alike for both: with a mask of any work-items, and with that of the others.
  for (const char* some : {"s_mov_b64 exec, s[44:45]", "s_not_b64 exec, s[44:45]"})
    EXPECT_FALSE(loops_of(left(
        counted,
        fmt::format("  s_mov_b64 s[50:51], exec\n  {}\n{}  v_nop\n  s_mov_b64 exec, s[50:51]\n", some, iterate), ""))[0]
                     .passes)
        << some;
  // Whoever does not pass it leaves: in the plain graph there is a way round without it, of a work-item there is none.
  const std::string leaves =
      "  s_mov_b64 s[40:41], exec\n  ;pws.loop enter 1 bound 5\n  v_mov_b32 v20, 0\n"
      "again:\n  v_add_u32 v20, vcc, 1, v20\n  s_mov_b64 s[44:45], 0\n  v_cmp_lt_u32 vcc, v20, v2\n"
      "  s_and_saveexec_b64 s[50:51], vcc\n  s_cbranch_execz skip\n  ;pws.loop iterate 1\n  s_nop 0\n"
      "  s_mov_b64 s[44:45], exec\nskip:\n  s_or_b64 exec, exec, s[50:51]\n  s_and_b64 exec, exec, s[44:45]\n"
      "  s_cbranch_execnz again\n  s_mov_b64 exec, s[40:41]\n";
  const loops_of loops(leaves);
  EXPECT_EQ(loops[0].passes, 6u);  // the last one leaves before its anchor
}

// Each condition's mask is kept to the end of the pass, so that states double with each; there it decides a way, or is
// only looked at.
std::string many_ways(unsigned n, bool decide) {
  const auto if_in = [](unsigned mask, const std::string& label) {
    return fmt::format(
        "  s_and_saveexec_b64 s[50:51], s[{0}:{1}]\n  s_cbranch_execz {2}\n  s_nop 0\n{2}:\n"
        "  s_or_b64 exec, exec, s[50:51]\n",
        mask, mask + 1, label);
  };
  std::string first, then;
  for (unsigned k = 0; k < n; ++k) {
    const unsigned mask = 60 + 2 * k;
    first +=
        fmt::format("  v_cmp_lt_u32 s[{}:{}], {}, v20\n", mask, mask + 1, k) + if_in(mask, fmt::format("skip{}", k));
    then += decide ? if_in(mask, fmt::format("also{}", k))
                   : fmt::format("  s_xor_b64 s[44:45], s[44:45], s[{}:{}]\n", mask, mask + 1);
  }
  return left(counted, first + then);
}

TEST(lane_walk, nodes_that_go_on_alike_are_one) {
  const loops_of looked_at(many_ways(8, false));
  const auto few = looked_at.walks({});
  ASSERT_TRUE(few);
  EXPECT_LE(few->nodes.size(), 2 * looked_at.blocks());
  EXPECT_EQ(looked_at[0].passes, 5u);
  // 2^8 ways that each go on in their own way.
  const auto many = loops_of(many_ways(8, true)).walks({});
  ASSERT_TRUE(many);
  EXPECT_GE(many->nodes.size(), 256u);
}

TEST(lane_walk, states_are_joined_where_there_are_too_many) {
  const loops_of loops(many_ways(18, true));
  wcet::walk_limits few, all;
  few.states = 4;
  all.nodes = 10000;
  EXPECT_FALSE(loops.walks(all));
  const auto joined = loops.walks(few);
  ASSERT_TRUE(joined);
  EXPECT_LE(joined->nodes.size(), 40 * loops.blocks());
  EXPECT_EQ(loops[0].passes, 5u);
}

TEST(lane_walk, statements_that_stay_together) {
  const std::string uniform =
      "  ;pws.loop enter 1 bound 5\n  s_mov_b32 s60, 0\nagain:\n  ;pws.loop iterate 1\n  s_add_u32 s60, s60, 1\n";
  const std::string end = "  s_cmp_lt_u32 s60, 5\n  s_cbranch_scc1 again\n";
  EXPECT_TRUE(loops_of(uniform + end).stays_together(0));
  EXPECT_FALSE(loops_of(uniform + diamond(1) + end).stays_together(0));
  EXPECT_FALSE(loops_of(uniform + "  v_cmpx_lt_u32 v20, v2\n" + end).stays_together(0));
  // Before it is entered, and behind its last iteration.
  EXPECT_TRUE(loops_of(diamond(1) + uniform + end + diamond(2)).stays_together(0));
  EXPECT_FALSE(loops_of(left(counted)).stays_together(0));
}

}  // namespace
}  // namespace pws::test::lane_walk_test
