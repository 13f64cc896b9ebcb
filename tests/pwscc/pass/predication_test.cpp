// SPDX-License-Identifier: Apache-2.0
// Which branches on EXEC may go: sides that do nothing with no work-item active, and every kind that does something.
#include "sw/pwscc/predication.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/pwscc/pass/pass_support.h"

namespace pws::test::predication_test {
namespace {

using pwscc::check_report;
using pwscc::divergence_code;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// A kernel with one check around `side`; `before` and `behind` stand in front of the narrowing and behind the restore.
std::string around(const std::string& side, const std::string& behind = "", const std::string& before = "") {
  return kernel_text(before + "\ts_and_saveexec_b64 s[2:3], vcc\n\ts_cbranch_execz JOIN\n" + side +
                     "JOIN:\n\ts_or_b64 exec, exec, s[2:3]\n" + behind);
}

// What is said of the first check; "" if it goes.
std::string kept(const std::string& text, divergence_code rule = divergence_code::ps) {
  const pwscc::predicated p = pwscc::remove_checks(text, "test.s", rule);
  EXPECT_FALSE(p.checks.empty());
  const check_report& c = p.checks.front();
  EXPECT_EQ(c.kept, c.asked_for || !c.reason.empty());
  EXPECT_EQ(p.assembly.find("\ts_cbranch_execz JOIN\n") != std::string::npos, c.kept);
  return c.kept ? (c.asked_for ? "by the rule" : c.reason) : "";
}

TEST(predication, sides_that_only_work_items_execute_need_no_check) {
  for (const char* side :
       {"", "\tv_add_f32 v1, v2, v3\n", "\tflat_store_dword v[0:1], v2\n",
        "\tflat_load_dword v2, v[0:1]\n\ts_waitcnt vmcnt(0)\n", "\tflat_atomic_add v2, v[0:1], v3 glc\n",
        "\tds_write_b32 v0, v1\n", "\ts_add_u32 s5, s5, 1\n\tv_mov_b32 v1, s5\n", "\tv_readfirstlane_b32 s5, v1\n",
        "\ts_load_dwordx2 s[4:5], s[0:1], 0x10\n\ts_waitcnt lgkmcnt(0)\n", "\ts_nop 0\n"})
    EXPECT_EQ(kept(around(side)), "") << side;
}

TEST(predication, what_acts_without_work_items_keeps_its_check) {
  const struct {
    const char *side, *why;
  } cases[] = {
      {"\ts_barrier\n", "would arrive at a barrier"},
      {"\ts_sendmsg sendmsg(MSG_INTERRUPT)\n", "a message or trap"},
      {"\ts_trap 2\n", "a message or trap"},
      {"\ts_endpgm\n", "it ends the wavefront"},
      {"\ts_swappc_b64 s[8:9], s[10:11]\n", "a called function"},
      {"\ts_load_dword s5, s[8:9], 0x0\n\ts_waitcnt lgkmcnt(0)\n", "a scalar load whose address may be invalid"},
      {"\ts_load_dword s5, s[0:1], s6\n\ts_waitcnt lgkmcnt(0)\n", "a scalar load whose address may be invalid"},
      {"\ts_mov_b32 s0, 0\n\ts_load_dword s5, s[0:1], 0x0\n", "a scalar load whose address may be invalid"},
      {"\ts_store_dword s5, s[0:1], 0x0\n", "a scalar store has no mask"},
      {"\tv_writelane_b32 v5, s6, 3\n", "whatever the mask"},
      {"\ts_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0\n", "it changes a mode"},
      {"\tv_movrels_b32 v5, v1\n", "M0"},
      {"\ts_movrels_b32 s5, s6\n", "M0"},
      {"\ts_mov_b64 exec, -1\n", "it may make work-items active"},
      {"\ts_not_b64 exec, exec\n", "it may make work-items active"},
      {"\ts_mov_b64 exec, s[2:3]\n", "it may make work-items active"},
      {"\ts_or_b64 exec, exec, s[8:9]\n", "it may make work-items active"},
      {"\ts_andn2_saveexec_b64 s[4:5], s[8:9]\n", "it may make work-items active"},
      {"LOOP:\n\ts_add_u32 s5, s5, 1\n\ts_cmp_lg_u32 s5, s6\n\ts_cbranch_scc1 LOOP\n", "a loop that may not end"},
      {"LOOP:\n\tv_cmp_lt_f32 vcc, v1, v2\n\ts_cbranch_vccz LOOP\n", "a loop that may not end"},
      {"LOOP:\n\ts_branch LOOP\n", "a loop that may not end"},
  };
  // s[0:1] is what the kernel is started with.
  for (const auto& c : cases)
    EXPECT_THAT(kept(around(c.side, "", "\ts_mov_b64 s[8:9], s[6:7]\n")), HasSubstr(c.why)) << c.side;
}

TEST(predication, loops_on_a_mask_end) {
  EXPECT_EQ(kept(around("\ts_mov_b64 s[4:5], 0\nLOOP:\n\tv_cmp_lt_f32 vcc, v1, v2\n\ts_or_b64 s[4:5], vcc, s[4:5]\n"
                        "\ts_andn2_b64 exec, exec, s[4:5]\n\ts_cbranch_execnz LOOP\n\ts_or_b64 exec, exec, s[4:5]\n")),
            "");
  // The mask that it ends with is not what it was: work-items that were never in it would come back.
  EXPECT_THAT(
      kept(around("LOOP:\n\tv_cmp_lt_f32 vcc, v1, v2\n\ts_or_b64 s[4:5], vcc, s[4:5]\n\ts_andn2_b64 exec, exec, "
                  "s[4:5]\n\ts_cbranch_execnz LOOP\n\ts_or_b64 exec, exec, s[4:5]\n")),
      HasSubstr("it may make work-items active"));
  // On VCC, which a compare makes 0.
  EXPECT_EQ(kept(around("LOOP:\n\tv_cmp_lt_f32 vcc, v1, v2\n\ts_cbranch_vccnz LOOP\n")), "");
}

TEST(predication, what_is_read_behind_is_as_it_was) {
  const std::string reads = "\tv_mov_b32 v1, s8\n\tv_mov_b32 v2, s9\n";
  for (const char* same :
       {"\ts_mov_b64 s[8:9], s[8:9]\n", "\ts_or_b64 s[8:9], s[8:9], exec\n", "\ts_andn2_b64 s[8:9], s[8:9], exec\n",
        "\ts_add_u32 s8, s10, 1\n", "\tv_cmp_lt_f32 s[4:5], v1, v2\n\ts_or_b64 s[8:9], s[8:9], s[4:5]\n"})
    EXPECT_EQ(kept(around(same, reads)), "") << same;
  for (const char* other :
       {"\tv_readfirstlane_b32 s8, v1\n", "\tv_readlane_b32 s9, v1, 4\n", "\ts_bcnt1_i32_b64 s8, exec\n",
        "\ts_ff1_i32_b64 s9, exec\n", "\tv_readfirstlane_b32 s5, v1\n\ts_add_u32 s8, s5, s10\n",
        "\tv_cmp_lt_f32 vcc, v1, v2\n\ts_cmp_lg_u64 vcc, 0\n\ts_cselect_b32 s8, s10, s11\n"}) {
    EXPECT_THAT(kept(around(other, reads)), HasSubstr("which is read behind it")) << other;
    EXPECT_EQ(kept(around(other)), "") << other << ", and nobody reads it";
  }
}

// What is inside decides: an inner check that stays keeps the barrier behind it from being reached.
TEST(predication, inner_checks_come_first) {
  const std::string inner =
      "\ts_and_saveexec_b64 s[4:5], vcc\n\ts_cbranch_execz INNER\n\ts_barrier\nINNER:\n\ts_or_b64 exec, exec, s[4:5]\n";
  const pwscc::predicated p = pwscc::remove_checks(around(inner), "test.s", divergence_code::ps);
  ASSERT_EQ(p.checks.size(), 2u);
  EXPECT_FALSE(p.checks[0].kept) << p.checks[0].reason;
  EXPECT_TRUE(p.checks[1].kept);
}

TEST(predication, the_rule_of_psr) {
  const auto valu = [](unsigned n) {
    std::string text;
    for (unsigned k = 0; k < n; ++k) text += "\tv_mov_b32 v1, v2\n";
    return text;
  };
  EXPECT_EQ(kept(around(valu(3)), divergence_code::psr), "");
  EXPECT_EQ(kept(around(valu(4)), divergence_code::psr), "by the rule");
  EXPECT_EQ(kept(around(valu(4)), divergence_code::ps), "");
  EXPECT_EQ(kept(around(valu(4)), divergence_code::p), "");
  // Two blocks, then three.
  EXPECT_EQ(kept(around("\ts_cbranch_scc0 JOIN\n\tv_mov_b32 v1, v2\n"), divergence_code::psr), "");
  EXPECT_EQ(kept(around("\ts_cbranch_scc0 B\n\tv_mov_b32 v1, v2\nB:\n\tv_mov_b32 v1, v3\n"), divergence_code::psr),
            "by the rule");
  // Two ways out, or in: no structure that the rule is for.
  const std::string two_exits = around(valu(4) + "\ts_cbranch_scc0 AFTER\n" + valu(2), "AFTER:\n");
  const pwscc::predicated p = pwscc::remove_checks(two_exits, "test.s", divergence_code::psr);
  EXPECT_FALSE(p.checks.front().single);
  EXPECT_FALSE(p.checks.front().asked_for);
  const std::string two_entries = around(valu(2) + "INTO:\n" + valu(2), "", "\ts_cbranch_scc0 INTO\n");
  EXPECT_FALSE(pwscc::remove_checks(two_entries, "test.s", divergence_code::psr).checks.front().single);
}

TEST(predication, sides_elsewhere_are_gone_to) {
  const std::string text = kernel_text(
      "\ts_and_saveexec_b64 s[2:3], vcc\n\ts_cbranch_execnz SIDE\nBACK:\n\ts_or_b64 exec, exec, s[2:3]\n\ts_endpgm\n"
      "SIDE:\n\tv_mov_b32 v1, v2\n\ts_branch BACK\n");
  const pwscc::predicated p = pwscc::remove_checks(text, "test.s", divergence_code::ps);
  ASSERT_EQ(p.checks.size(), 1u);
  EXPECT_FALSE(p.checks[0].kept) << p.checks[0].reason;
  EXPECT_THAT(p.assembly, HasSubstr("\ts_branch SIDE\n"));
}

TEST(predication, a_branch_that_is_a_wait_state_leaves_a_nop) {
  const auto text = [](const std::string& before, const std::string& side) {
    return pwscc::remove_checks(around(side, "", before), "test.s", divergence_code::ps).assembly;
  };
  EXPECT_THAT(text("\tv_cmp_lt_f32 vcc, v1, v2\n", "\tv_div_fmas_f32 v1, v2, v3, v4\n"),
              HasSubstr("s_nop 0 ; no check"));
  EXPECT_THAT(text("\tv_readfirstlane_b32 s6, v1\n", "\tbuffer_load_dword v1, off, s[8:11], s6\n"),
              HasSubstr("s_nop 0 ; no check"));
  EXPECT_THAT(text("\tv_mov_b32 v1, v2\n", "\tv_mov_b32_dpp v3, v1 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf\n"),
              HasSubstr("s_nop 0 ; no check"));
  EXPECT_THAT(text("\tv_cmp_lt_f32 vcc, v1, v2\n", "\tv_mov_b32 v1, v2\n"), Not(HasSubstr("s_nop")));
  EXPECT_THAT(text("\tv_readfirstlane_b32 s6, v1\n",
                   "\ts_nop 4\n\ts_nop 0\n\ts_nop 0\n\ts_nop 0\n\ts_nop 0\n\tbuffer_load_dword v1, off, s[8:11], s6\n"),
              Not(HasSubstr("\ts_nop 0 ; no check")));
}

TEST(predication, branches_by_class) {
  const std::string text = kernel_text(
      "\ts_cmp_lg_u32 s4, 0\n\ts_cbranch_scc0 LOOP\n"                                          // uniform
      "\tv_cmp_lt_f32 vcc, v1, v2\n\ts_cbranch_vccz LOOP\n"                                    // uniform
      "LOOP:\n\ts_and_saveexec_b64 s[2:3], vcc\n\ts_cbranch_execz JOIN\n\tv_mov_b32 v1, v2\n"  // check
      "JOIN:\n\ts_or_b64 exec, exec, s[2:3]\n\ts_cbranch_scc1 OUT\n"                           // out of the loop
      "\ts_andn2_b64 exec, exec, s[6:7]\n\ts_cbranch_execnz LOOP\n"                            // back
      "OUT:\n\tv_cndmask_b32 v1, v2, v3, s[10:11]\n");
  const std::vector<pwscc::kernel_report> k =
      pwscc::describe_kernels(text, "test.s", pwscc::read_structure("k 7 3 1 5 2\nother 1 2 3 4 5\n"));
  ASSERT_EQ(k.size(), 1u);
  EXPECT_EQ(k[0].uniform, 2u);
  EXPECT_EQ(k[0].checks, 1u);
  EXPECT_EQ(k[0].loop_branches, 2u);
  EXPECT_EQ(k[0].other, 0u);
  EXPECT_EQ(k[0].mask_pairs, 3u);
  EXPECT_EQ(k[0].vgprs, 16u);
  EXPECT_TRUE(k[0].has_structure);
  EXPECT_EQ(k[0].structure.blocks, 7u);
  EXPECT_EQ(k[0].structure.switches, 2u);
}

std::vector<std::string> missed_in(const std::string& text) {
  std::vector<std::string> out;
  for (const pwscc::kernel_report& k : pwscc::describe_kernels(text, "test.s", {}))
    for (const pwscc::missed_branch& b : k.missed)
      out.push_back(b.instruction + " of line " + std::to_string(b.assembly_line) + ": " + b.origin);
  return out;
}

// The condition is uniform, or not, because of what v1 is; the branch stands in line 8 of the text.
TEST(predication, uniform_branches_that_the_compiler_missed) {
  const auto of = [](const std::string& v1) {
    return kernel_text("\t" + v1 + "\n\tv_cmp_lt_u32 vcc, 5, v1\n\ts_and_saveexec_b64 s[2:3], vcc\n" +
                       "\ts_cbranch_execz JOIN\n\tv_mov_b32 v2, 1\nJOIN:\n\ts_or_b64 exec, exec, s[2:3]\n");
  };
  const std::string branch = "s_and_saveexec_b64 s[2:3], vcc of line 8: ";
  EXPECT_THAT(missed_in(of("v_mov_b32 v1, s6")), ElementsAre(branch + "scalar"));
  EXPECT_THAT(missed_in(of("v_mov_b32 v1, 7")), ElementsAre(branch + "constant"));
  EXPECT_THAT(missed_in(of("v_lshlrev_b32 v1, 2, v0")), IsEmpty());
}

TEST(predication, assembly_that_is_none_is_an_error) {
  EXPECT_THROW(pwscc::remove_checks(kernel_text("\tv_nonsense v1\n"), "test.s", divergence_code::p), input_error);
}

}  // namespace
}  // namespace pws::test::predication_test
