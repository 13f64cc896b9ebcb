// SPDX-License-Identifier: Apache-2.0
// Which loops of the machine code count themselves, in assembly by hand: the forms that compilers write, and for each
// rule the nearest code that breaks it. Compiled loops are in unmarked_loops_test.cpp.
#include "sw/wcet/loops/counted_loops.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "models/flow/dominators.h"
#include "sw/cfg/divergent_branch.h"
#include "sw/wcet/lanes/lane_value_analysis.h"
#include "tests/wcet/hand_kernel.h"

namespace pws::test::counted_loops_test {
namespace {

// 64 work-items, of which v0 is the number; s2 and v2 hold what nothing is known of.
class loops_of {
 public:
  explicit loops_of(const std::string& body)
      : hand_(body),
        graph_(hand_.kernel.code, cfg::missing_skips(cfg::find_divergent_branches(hand_.kernel.code))),
        forest_(graph_, cfg::dominator_tree(graph_, cfg::dominator_tree::direction::dominators)) {
    wcet::launch_facts facts;
    facts.workgroup = facts.grid = {64, 1, 1};
    facts.descriptor.workitem_ids = 1;
    wcet::value_ranges ranges(graph_, forest_);
    for (const wcet::wave_kind& kind : wcet::wave_kinds(facts))
      wcet::analyse_lane_values(
          graph_, facts, kind, [&](size_t k, const wcet::lane_state& s) { ranges.visit(k, s); },
          [&](size_t from, size_t to, const wcet::lane_state& s) { ranges.visit_edge(from, to, s); });
    counted_ = wcet::count_loops(graph_, forest_, ranges, {});
  }
  const wcet::counted_loop& operator[](size_t l) const { return counted_.at(l); }
  size_t size() const { return counted_.size(); }

 private:
  hand_kernel hand_;
  cfg::flow_graph graph_;
  cfg::loop_forest forest_;
  std::vector<wcet::counted_loop> counted_;
};

// Passes of the only loop; nothing: they are not counted.
std::optional<uint64_t> passes(const std::string& body) {
  const loops_of loops(body);
  EXPECT_EQ(loops.size(), 1u) << body;
  return loops[0].passes;
}
constexpr std::nullopt_t none = std::nullopt;

// A counter in s20, tested at the end.
std::string scalar(const std::string& first, const std::string& body, const std::string& test,
                   const std::string& branch = "s_cbranch_scc1") {
  return fmt::format("  s_mov_b32 s20, {}\nagain:\n{}{}  {} again\n", first, body, test, branch);
}
// A counter in v20, by which work-items leave.
std::string vector(const std::string& first, const std::string& body, const std::string& compare) {
  return fmt::format(
      "  s_mov_b64 s[40:41], exec\n  s_mov_b64 s[42:43], 0\n  v_mov_b32 v20, {}\nagain:\n{}{}"
      "  s_or_b64 s[42:43], vcc, s[42:43]\n  s_andn2_b64 exec, exec, s[42:43]\n  s_cbranch_execnz again\n"
      "  s_mov_b64 exec, s[40:41]\n",
      first, body, compare);
}

TEST(counted_loops, by_a_scalar) {
  const std::string up = "  s_add_i32 s20, s20, 1\n";
  EXPECT_EQ(passes(scalar("0", up, "  s_cmp_lt_u32 s20, 10\n")), 10u);
  EXPECT_EQ(passes(scalar("0", up, "  s_cmp_gt_u32 10, s20\n")), 10u);
  EXPECT_EQ(passes(scalar("0", up, "  s_cmp_ge_u32 s20, 10\n", "s_cbranch_scc0")), 10u);
  EXPECT_EQ(passes(scalar("0", up, "  s_cmp_lg_u32 s20, 10\n")), 10u);
  EXPECT_EQ(passes(scalar("0", up, "  s_cmpk_lt_i32 s20, 0x64\n")), 100u);
  EXPECT_EQ(passes(scalar("-3", "  s_addk_i32 s20, 0x2\n", "  s_cmp_le_i32 s20, 3\n")), 4u);
  EXPECT_EQ(passes(scalar("20", "  s_sub_i32 s20, s20, 4\n", "  s_cmp_lg_u32 s20, 0\n")), 5u);
  EXPECT_EQ(passes(scalar("1", "  s_lshl_b32 s20, s20, 1\n", "  s_cmp_lt_u32 s20, 64\n")), 6u);
  EXPECT_EQ(passes(scalar("1", "  s_mul_i32 s20, s20, 3\n", "  s_cmp_lt_u32 s20, 64\n")), 4u);
  EXPECT_EQ(passes(scalar("64", "  s_lshr_b32 s20, s20, 1\n", "  s_cmp_lg_u32 s20, 0\n")), 7u);
  EXPECT_EQ(passes(scalar("s2", "  s_lshr_b32 s20, s20, 1\n", "  s_cmp_lg_u32 s20, 0\n")), 32u);
  EXPECT_EQ(passes(scalar("64", "  s_ashr_i32 s20, s20, 1\n", "  s_cmp_lg_u32 s20, 0\n")), 7u);
  // The counter goes through another register, and back.
  EXPECT_EQ(
      passes(scalar("0", "  s_add_i32 s21, s20, 1\n  s_nop 0\n  s_mov_b32 s20, s21\n", "  s_cmp_lt_u32 s21, 10\n")),
      10u);
  // ... which both sides of a branch do.
  EXPECT_EQ(passes(scalar("0",
                          "  s_cmp_eq_u32 s2, 3\n  s_cbranch_scc1 one\n  s_add_i32 s20, s20, 2\n  s_branch both\none:\n"
                          "  s_add_i32 s20, s20, 1\nboth:\n",
                          "  s_cmp_lt_u32 s20, 10\n")),
            10u);
}

// A loop to n that is tested at its end, behind a test of n. Without that, n may be 0, and the counter goes around.
TEST(counted_loops, behind_a_scalar_test_of_its_end) {
  const auto guarded = [](const std::string& end, const std::string& guard) {
    return passes("  s_load_dword s21, s[4:5], 0x0\n  s_waitcnt lgkmcnt(0)\n" + end + guard + "  s_mov_b32 s20, 0\n" +
                  "again:\n  s_add_i32 s20, s20, 1\n  s_cmp_lg_u32 s20, s21\n  s_cbranch_scc1 again\nover:\n");
  };
  const std::string few = "  s_and_b32 s21, s21, 15\n";
  EXPECT_EQ(guarded(few, "  s_cmp_eq_u32 s21, 0\n  s_cbranch_scc1 over\n"), 15u);
  EXPECT_EQ(guarded(few, "  s_cmp_lt_i32 s21, 1\n  s_cbranch_scc1 over\n"), 15u);
  EXPECT_EQ(guarded(few, "  s_cmp_lg_u32 s21, 0\n  s_cbranch_scc0 over\n"), 15u);
  EXPECT_EQ(guarded("", "  s_add_i32 s22, s21, -1\n  s_cmp_gt_u32 s22, 15\n  s_cbranch_scc1 over\n"), none);
  EXPECT_EQ(guarded(few, ""), none);
  EXPECT_EQ(guarded(few, "  s_cmp_eq_u32 s21, 1\n  s_cbranch_scc1 over\n"), none);
  EXPECT_EQ(guarded(few, "  s_cmp_eq_u32 s21, 0\n  s_cbranch_scc0 over\n"), uint64_t{1} << 32);  // it is 0
}

TEST(counted_loops, what_is_no_counter) {
  const std::string test = "  s_cmp_lt_u32 s20, 10\n", up = "  s_add_i32 s20, s20, 1\n";
  EXPECT_EQ(passes(scalar("s2", up, "  s_cmp_lg_u32 s20, 10\n")), none);     // nothing is known of where it begins
  EXPECT_EQ(passes(scalar("0", up, "  s_cmp_lt_u32 s20, s2\n")), none);      // ... of where it ends
  EXPECT_EQ(passes(scalar("0", "  s_add_i32 s20, s20, s2\n", test)), none);  // ... of the step
  EXPECT_EQ(passes(scalar("0", "  s_add_i32 s20, s20, 0\n", test)), none);
  EXPECT_EQ(passes(scalar("0", "  s_add_i32 s20, s2, 1\n", test)), none);    // another register's
  EXPECT_EQ(passes(scalar("0", up + "  s_mov_b32 s20, s2\n", test)), none);  // overwritten
  EXPECT_EQ(passes(scalar("0", up + "  s_load_dword s20, s[4:5], 0x0\n  s_waitcnt lgkmcnt(0)\n", test)), none);
  EXPECT_EQ(passes(scalar("0", "  s_sub_i32 s20, 5, s20\n", test)), none);   // 5 - i
  EXPECT_EQ(passes(scalar("0", "  s_lshl_b32 s20, s20, 1\n", test)), none);  // 0 stays 0
  EXPECT_EQ(passes(scalar("64", "  s_lshr_b32 s20, s20, 0\n", "  s_cmp_lg_u32 s20, 0\n")), none);
  EXPECT_EQ(passes(scalar("-64", "  s_ashr_i32 s20, s20, 1\n", "  s_cmp_lg_u32 s20, 0\n")), none);  // stays -1
  EXPECT_EQ(passes(scalar("0", up + "  s_mov_b32 m0, s2\n  s_movreld_b32 s10, s2\n", test)), none);
  EXPECT_EQ(passes(scalar("0", "  s_add_i32 s20, s20, 4\n", "  s_cmp_lg_u32 s20, 10\n")), none);  // steps over it
  EXPECT_EQ(passes(scalar("0", "  s_add_i32 s20, s20, 2\n", "  s_cmp_lt_u32 s20, -1\n")), none);  // goes round
  // Only one side counts; the other goes round without.
  EXPECT_EQ(passes(scalar("0", "  s_cmp_eq_u32 s2, 3\n  s_cbranch_scc1 both\n" + up + "both:\n", test)), none);
  // One side puts something else into it.
  const std::string other = "  s_mov_b32 s20, s2\n";
  EXPECT_EQ(passes(scalar("0", "  s_cmp_eq_u32 s2, 3\n  s_cbranch_scc1 both\n" + other + "both:\n" + up, test)), none);
  EXPECT_EQ(passes(scalar("0",
                          "  s_cmp_eq_u32 s2, 3\n  s_cbranch_scc1 one\n  s_nop 0\n  s_branch both\none:\n" + other +
                              "both:\n" + up,
                          test)),
            none);
  // One side goes up, the other down.
  EXPECT_EQ(
      passes(scalar("0",
                    "  s_cmp_eq_u32 s2, 3\n  s_cbranch_scc1 one\n  s_add_i32 s20, s20, -1\n  s_branch both\none:\n"
                    "  s_add_i32 s20, s20, 1\nboth:\n",
                    "  s_cmp_lt_i32 s20, 10\n")),
      none);
}

TEST(counted_loops, what_does_not_decide) {
  const std::string up = "  s_add_i32 s20, s20, 1\n";
  // Another way round, past the compare.
  EXPECT_EQ(passes(scalar("0", up + "  s_cmp_eq_u32 s2, 3\n  s_cbranch_scc1 again\n", "  s_cmp_lt_u32 s20, 10\n")),
            none);
  // Its result is overwritten; both results go on.
  EXPECT_EQ(passes(scalar("0", up, "  s_cmp_lt_u32 s20, 10\n  s_cmp_lt_u32 s2, 10\n")), none);
  EXPECT_EQ(passes(scalar("0", up, "  s_cmp_lt_u32 s20, 10\n  s_cbranch_scc1 again\n  s_cmp_lg_u32 s2, 10\n")), none);
  // Another way out besides: it still decides.
  EXPECT_EQ(
      passes(scalar("0", up + "  s_cmp_eq_u32 s2, 3\n  s_cbranch_scc1 out\n", "  s_cmp_lt_u32 s20, 10\n") + "out:\n"),
      10u);
  const loops_of two_ways(scalar("0", up + "  s_cmp_eq_u32 s2, 3\n  s_cbranch_scc1 out\n", "  s_cmp_lt_u32 s20, 10\n") +
                          "out:\n");
  EXPECT_FALSE(two_ways[0].exactly);
  const loops_of one_way(scalar("0", up, "  s_cmp_lt_u32 s20, 10\n"));
  EXPECT_TRUE(one_way[0].exactly);
  // A test at the beginning: the last pass ends there, and the block behind it has one execution less.
  const loops_of tested(
      "  s_mov_b32 s20, 0\nagain:\n  s_cmp_lt_u32 s20, 10\n  s_cbranch_scc0 out\n  s_add_i32 s20, s20, 1\n  s_branch "
      "again\nout:\n");
  EXPECT_EQ(tested[0].passes, 11u);
  ASSERT_EQ(tested[0].limits.size(), 1u);
  EXPECT_EQ(tested[0].limits[0].executions, 10u);
}

TEST(counted_loops, by_lane) {
  const std::string up = "  v_add_u32 v20, vcc, 1, v20\n", test = "  v_cmp_lt_u32 vcc, 9, v20\n";
  EXPECT_EQ(passes(vector("0", up, test)), 10u);
  EXPECT_EQ(passes(vector("v0", "  v_add_u32 v20, vcc, 8, v20\n", test)), 2u);  // from 0 to 63 on
  EXPECT_EQ(passes(vector("v0", "  v_subrev_u32 v20, vcc, 1, v20\n", "  v_cmp_gt_i32 vcc, 0, v20\n")), 64u);
  EXPECT_EQ(passes(vector("v0", "  v_lshrrev_b32 v20, 1, v20\n", "  v_cmp_eq_u32 vcc, 0, v20\n")), 6u);
  EXPECT_EQ(passes(vector("v2", "  v_add_u32 v21, vcc, -1, v20\n  v_and_b32 v20, v21, v20\n",
                          "  v_cmp_eq_u32 vcc, 0, v20\n")),
            33u);
  EXPECT_EQ(passes(vector("0", up, "  v_cmp_lt_u32 vcc, v2, v20\n")), none);
  EXPECT_EQ(passes(vector("0", "  v_add_u32 v20, vcc, 1, v20 clamp\n", test)), none);  // it may stay where it is
  EXPECT_EQ(passes(vector("0",
                          "  v_add_u32_sdwa v20, vcc, v20, v2 dst_sel:BYTE_0 dst_unused:UNUSED_PRESERVE src0_sel:DWORD "
                          "src1_sel:DWORD\n",
                          test)),
            none);
  EXPECT_EQ(passes(vector("0", "  v_mov_b32_dpp v20, v20 row_shr:1 row_mask:0xf bank_mask:0xf\n" + up, test)), none);
  // v_cmpx leaves by itself.
  EXPECT_EQ(passes("  v_mov_b32 v20, 0\nagain:\n" + up + "  v_cmpx_gt_u32 exec, 10, v20\n  s_cbranch_execnz again\n"),
            10u);
  EXPECT_EQ(passes("  v_mov_b32 v20, 0\nagain:\n" + up + "  v_cmpx_gt_u32 vcc, 10, v20\n  s_cbranch_execnz again\n"),
            10u);
}

// What a compare lets through is a narrower range.
TEST(counted_loops, behind_a_test) {
  const auto loop = [](const std::string& guard) {
    return "  v_and_b32 v22, 7, v2\n" + guard + "  s_and_saveexec_b64 s[50:51], vcc\n  s_cbranch_execz past\n" +
           vector("v22", "  v_subrev_u32 v20, vcc, 1, v20\n", "  v_cmp_gt_i32 vcc, 0, v20\n") + "past:\n";
  };
  EXPECT_EQ(passes(loop("  v_cmp_eq_u32 vcc, v2, v3\n")), 8u);
  EXPECT_EQ(passes(loop("  v_cmp_ne_u32 vcc, 7, v22\n")), 7u);
  EXPECT_EQ(passes(loop("  v_cmp_ne_u32 vcc, 0, v22\n")), 8u);
  EXPECT_EQ(passes(loop("  v_cmp_ne_u32 vcc, 3, v22\n")), 8u);
  EXPECT_EQ(passes(loop("  v_cmp_gt_u32 vcc, 5, v22\n")), 5u);
  EXPECT_EQ(passes(loop("  v_cmp_ne_u16 vcc, 7, v22\n")), 7u);
  EXPECT_EQ(passes(loop("  v_cmp_ne_u16 vcc, 7, v2\n")), 8u);
}

// A write under a narrower EXEC is not every work-item's; nor is a compare there.
TEST(counted_loops, under_a_narrower_exec) {
  const std::string narrow = "  v_cmp_gt_u32 s[44:45], 7, v2\n  s_and_saveexec_b64 s[46:47], s[44:45]\n",
                    wide = "  s_or_b64 exec, exec, s[46:47]\n";
  const std::string up = "  v_add_u32 v20, vcc, 1, v20\n", test = "  v_cmp_lt_u32 vcc, 9, v20\n";
  EXPECT_EQ(passes(vector("0", narrow + "  v_mov_b32 v21, 0\n" + wide + up, test)), 10u);
  EXPECT_EQ(passes(vector("0", narrow + up + wide, test)), none);
  EXPECT_EQ(passes(vector("0", up + narrow + up + wide, test)), 10u);  // by 1 or 2
  EXPECT_EQ(passes(vector("0", up + narrow, test + wide)), none);
  // A scalar register is written whoever is active.
  EXPECT_EQ(passes(scalar("0", narrow + "  s_add_i32 s20, s20, 1\n" + wide, "  s_cmp_lt_u32 s20, 10\n")), 10u);
}

// A compare of what all lanes share, whose mask is branched on as a whole.
TEST(counted_loops, by_a_mask_of_all) {
  const auto loop = [](const std::string& compare, const std::string& first = "0") {
    return fmt::format(
        "  v_mov_b32 v20, {}\nagain:\n  v_add_u32 v20, vcc, 1, v20\n{}  s_and_b64 vcc, exec, vcc\n  s_cbranch_vccnz "
        "again\n",
        first, compare);
  };
  EXPECT_EQ(passes(loop("  v_cmp_gt_u32 vcc, 10, v20\n")), 10u);
  // Some go on for the others: who has ended goes round as well.
  EXPECT_EQ(passes(loop("  v_cmp_gt_u32 vcc, 10, v20\n", "v0")), none);
  EXPECT_EQ(passes(loop("  v_cmp_gt_u32 vcc, v2, v20\n")), none);
}

TEST(counted_loops, of_64_bits) {
  const auto loop = [](const std::string& step, const std::string& test) {
    return fmt::format("  s_mov_b64 s[20:21], 0\nagain:\n{}{}  s_cbranch_scc1 again\n", step, test);
  };
  const std::string test = "  s_cmp_lg_u64 s[20:21], 40\n";
  EXPECT_EQ(passes(loop("  s_add_u32 s20, s20, 4\n  s_addc_u32 s21, s21, 0\n", test)), 10u);
  EXPECT_EQ(passes(loop("  s_add_u32 s20, s20, 2\n  s_addc_u32 s21, s21, 0\n  s_nop 0\n  s_add_u32 s20, s20, 2\n  "
                        "s_addc_u32 s21, s21, 0\n",
                        test)),
            10u);
  EXPECT_EQ(passes(loop("  s_add_u32 s20, s20, 4\n  s_cmp_eq_u32 s2, 3\n  s_addc_u32 s21, s21, 0\n", test)),
            none);  // not its carry
  EXPECT_EQ(
      passes(loop("  s_add_u32 s22, s20, 4\n  s_add_u32 s20, s20, 8\n  s_addc_u32 s21, s21, 0\n  s_mov_b32 s20, s22\n",
                  test)),
      none);
  EXPECT_EQ(passes(loop("  s_add_u32 s20, s20, 4\n  s_addc_u32 s21, s21, 1\n", test)), none);  // by 2^32 + 4
  EXPECT_EQ(passes(loop("  s_add_u32 s20, s20, 4\n  s_addc_u32 s21, s2, 0\n", test)), none);
  EXPECT_EQ(passes(loop("  s_add_u32 s20, s20, 4\n", test)), none);
  EXPECT_EQ(passes("  v_mov_b32 v20, 64\n  v_mov_b32 v21, 0\n  s_mov_b64 s[42:43], 0\nagain:\n  v_add_u32 v20, vcc, "
                   "-4, v20\n  v_addc_u32 v21, vcc, -1, v21, vcc\n"
                   "  v_cmp_gt_i64 vcc, 1, v[20:21]\n  s_or_b64 s[42:43], vcc, s[42:43]\n  s_andn2_b64 exec, exec, "
                   "s[42:43]\n  s_cbranch_execnz again\n"),
            16u);
  // The carry of another sum of the lower half, of which the upper half is not.
  EXPECT_EQ(
      passes(loop("  s_mov_b32 s24, s20\n  s_add_u32 s20, s20, 4\n  s_addc_u32 s21, s21, 0\n  s_add_u32 s25, s24, 8\n"
                  "  s_addc_u32 s21, s21, 0\n  s_add_i32 s20, s24, 12\n",
                  "  s_cmp_lg_u64 s[20:21], 48\n")),
      none);
  // Half of the flag is another one's.
  EXPECT_EQ(passes("  v_mov_b32 v20, 64\n  v_mov_b32 v21, 0\n  s_mov_b64 s[42:43], 0\nagain:\n  v_add_u32 v20, vcc, "
                   "-4, v20\n  s_mov_b32 vcc_hi, s2\n  v_addc_u32 v21, vcc, -1, v21, vcc\n"
                   "  v_cmp_gt_i64 vcc, 1, v[20:21]\n  s_or_b64 s[42:43], vcc, s[42:43]\n  s_andn2_b64 exec, exec, "
                   "s[42:43]\n  s_cbranch_execnz again\n"),
            none);
}

// A part's scalar registers are its own up to the merge, behind which there are the first part's.
TEST(counted_loops, around_a_split) {
  const auto loop = [](const std::string& first, const std::string& second) {
    return scalar("0", split_on(1, 5, first, second) + "  s_add_i32 s20, s20, 1\n", "  s_cmp_lt_u32 s20, 10\n");
  };
  EXPECT_EQ(passes(loop("  s_nop 0\n", "  s_nop 1\n")), 10u);
  EXPECT_EQ(passes(loop("  s_nop 0\n  s_add_i32 s21, s21, 1\n", "  s_nop 1\n")), 10u);
  EXPECT_EQ(passes(loop("  s_add_i32 s20, s20, -1\n", "  s_nop 1\n")), none);
  EXPECT_EQ(passes(loop("  s_nop 0\n", "  s_add_i32 s20, s20, 1\n")), none);
}

// The inner loop begins or ends where the outer one is.
TEST(counted_loops, in_one_another) {
  const auto nest = [](const std::string& first, const std::string& limit, const std::string& between = "") {
    return fmt::format(
        "  s_mov_b32 s20, 0\nouter:\n  s_mov_b32 s21, {}\n{}inner:\n  s_add_i32 s21, s21, 1\n  s_cmp_lt_u32 s21, {}\n  "
        "s_cbranch_scc1 inner\n"
        "  s_add_i32 s20, s20, 1\n  s_cmp_lt_u32 s20, 12\n  s_cbranch_scc1 outer\n",
        first, between, limit);
  };
  const auto of = [&](const std::string& text) {
    const loops_of loops(text);
    return std::make_pair(loops[0].passes, loops[1].passes);
  };
  using both = std::pair<std::optional<uint64_t>, std::optional<uint64_t>>;
  EXPECT_EQ(of(nest("s20", "16")), both(12, 16));
  EXPECT_EQ(of(nest("0", "s20")), both(12, 11));
  EXPECT_EQ(of(nest("0", "s22", "  s_add_i32 s22, s20, 3\n")), both(12, 14));
  EXPECT_EQ(of(nest("s20", "16", "  s_mov_b32 s21, s2\n")), both(12, none));
  // The inner loop spoils the outer counter; the outer one has no count then, and the inner one none that follows from
  // it. But where the outer loop's test says how large the spoilt number is, the inner one begins there.
  const auto spoilt = [&](const std::string& test) {
    return of(
        "  s_mov_b32 s20, 0\nouter:\n  s_mov_b32 s21, s20\ninner:\n  s_add_i32 s21, s21, 1\n  s_lshl_b32 s20, s20, 1\n"
        "  s_cmp_lt_u32 s21, 16\n  s_cbranch_scc1 inner\n  s_add_i32 s20, s20, 1\n" +
        test + "  s_cbranch_scc1 outer\n");
  };
  EXPECT_EQ(spoilt("  s_cmp_lg_u32 s20, 12\n"), both(none, none));
  EXPECT_EQ(spoilt("  s_cmp_lt_u32 s20, 12\n"), both(none, 16));
}

// Work-items that the outer loop's header does not see have counted nothing there.
TEST(counted_loops, where_work_items_join_in_the_middle) {
  const auto nest = [](const std::string& widen) {
    return fmt::format(
        "  s_mov_b64 s[40:41], exec\n  v_mov_b32 v20, v2\n  v_cmp_gt_u32 vcc, 7, v2\n  s_and_b64 exec, exec, vcc\n  "
        "v_mov_b32 v20, 0\n"
        "outer:\n  v_add_u32 v20, vcc, 1, v20\n  s_mov_b64 s[46:47], exec\n{}  v_mov_b32 v21, v20\n  s_mov_b64 "
        "s[42:43], 0\n"
        "  s_mov_b64 s[48:49], exec\ninner:\n  v_add_u32 v21, vcc, -1, v21\n  v_cmp_eq_u32 vcc, 0, v21\n  s_or_b64 "
        "s[42:43], vcc, s[42:43]\n"
        "  s_andn2_b64 exec, exec, s[42:43]\n  s_cbranch_execnz inner\n  s_mov_b64 exec, s[46:47]\n"
        "  v_cmp_gt_u32 vcc, 12, v20\n  s_and_b64 exec, exec, vcc\n  s_cbranch_execnz outer\n  s_mov_b64 exec, "
        "s[40:41]\n",
        widen);
  };
  const loops_of together(nest("")), joined(nest("  s_mov_b64 exec, s[40:41]\n"));
  EXPECT_EQ(together[0].passes, 12u);
  EXPECT_EQ(together[1].passes, 12u);
  EXPECT_EQ(joined[0].passes, 12u);
  EXPECT_EQ(joined[1].passes, none);
}

// With VGPR indexing on, instructions have other registers than they name.
TEST(counted_loops, with_registers_that_m0_moves) {
  const std::string up = "  v_add_u32 v20, vcc, 1, v20\n", test = "  v_cmp_lt_u32 vcc, 9, v20\n";
  EXPECT_EQ(passes(vector("0", up + "  s_mov_b32 m0, s2\n  v_movreld_b32 v3, v2\n", test)), none);
  EXPECT_EQ(passes(vector("0", up + "  s_set_gpr_idx_on s2, 0x1\n", test + "  s_set_gpr_idx_off\n")), none);
  EXPECT_EQ(passes(vector("0", up + "  s_set_gpr_idx_on s2, 0x8\n  v_mov_b32 v3, 0\n  s_set_gpr_idx_off\n", test)),
            none);
}

// Work-items that may come back have not been in all passes.
TEST(counted_loops, where_work_items_may_come_back) {
  const loops_of loops(
      "  s_mov_b64 s[40:41], exec\n  v_mov_b32 v20, 0\nagain:\n  v_add_u32 v20, vcc, 1, v20\n  v_cmp_gt_u32 vcc, 10, "
      "v20\n  s_and_b64 exec, exec, vcc\n"
      "  s_cmp_eq_u32 s2, 3\n  s_cbranch_scc0 on\n  s_mov_b64 exec, s[40:41]\non:\n  s_cbranch_execnz again\n");
  EXPECT_EQ(loops[0].passes, none);
  EXPECT_THAT(loops[0].text, ::testing::HasSubstr("may come back"));
}

}  // namespace
}  // namespace pws::test::counted_loops_test
