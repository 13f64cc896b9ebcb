// SPDX-License-Identifier: Apache-2.0
// What must not be split is not, and the report says why and where.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "tests/pwscc/pass/pass_support.h"

namespace pws::test::refusal_test {
namespace {

using pwscc::branch_report;
using pwscc::split_choice;
using testing::AllOf;
using testing::HasSubstr;

const pwscc::pass_result& refusals() {
  static const pwscc::pass_result result =
      place(assembly_of("refusals.hip", {"-O2", "-mllvm", "-tail-dup-placement=0"}), split_choice::all, 63);
  return result;
}

// The source line that ends with "// branch: NAME".
uint32_t line_of(const std::string& name) {
  std::ifstream source(PWS_SOURCE_DIR "/tests/pwscc/pass/kernels/refusals.hip");
  std::string text;
  for (uint32_t line = 1; std::getline(source, text); ++line)
    if (text.find("// branch: " + name) != std::string::npos) return line;
  return 0;
}

std::vector<branch_report> branches_of(const std::string& kernel) {
  std::vector<branch_report> found;
  for (const branch_report& b : refusals().report.branches)
    if (b.function == kernel && b.line == line_of(kernel)) found.push_back(b);
  return found;
}

struct refusal {
  const char* kernel;
  const char* reason;
};
class refused_branches : public testing::TestWithParam<refusal> {};
INSTANTIATE_TEST_SUITE_P(source, refused_branches,
                         testing::Values(refusal{"barrier_inside", "s_barrier"},
                                         refusal{"shuffle_inside", "other side"},
                                         refusal{"call_inside", "s_swappc_b64"}, refusal{"trap_inside", ""},
                                         refusal{"one_side", "one side only"}, refusal{"loop_exit", "a loop's exit"}),
                         [](const auto& r) { return r.param.kernel; });

TEST_P(refused_branches, are_reported_with_line_and_reason) {
  const auto found = branches_of(GetParam().kernel);
  ASSERT_FALSE(found.empty());
  std::string reasons;
  for (const branch_report& b : found) {
    EXPECT_FALSE(b.split);
    EXPECT_FALSE(b.reason.empty());
    EXPECT_THAT(b.file, HasSubstr("refusals.hip"));
    reasons += b.reason + "\n";
  }
  EXPECT_THAT(reasons, HasSubstr(GetParam().reason));
}

TEST(accepted_branch, reads_the_first_work_item_of_its_own_side) {
  const auto found = branches_of("first_lane_inside");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].split) << found[0].reason;
}

// An if/else on v1, with `first` and `second` as its sides' code and `after` behind it.
std::string if_else(const std::string& first, const std::string& second, const std::string& after = "") {
  return kernel_text(
      "\tv_cmp_gt_u32_e32 vcc, 32, v0\n\ts_and_saveexec_b64 s[4:5], vcc\n\ts_xor_b64 s[4:5], exec, s[4:5]\n"
      "\ts_cbranch_execz .Lbsb\n" +
      first +
      ".Lbsb:\n\ts_andn2_saveexec_b64 s[4:5], s[4:5]\n"
      "\ts_cbranch_execz .Ljoin\n" +
      second + ".Ljoin:\n\ts_or_b64 exec, exec, s[4:5]\n" + after);
}

// The only branch of the text.
branch_report only_branch(const std::string& text) {
  const pwscc::pass_result r = place(text, split_choice::all, 1);
  if (r.report.branches.size() != 1) throw std::runtime_error(fmt::format("{} branches", r.report.branches.size()));
  return r.report.branches[0];
}

const char* const work = "\tv_add_u32_e32 v2, vcc, 1, v2\n";

TEST(assembly, is_split) {
  const branch_report b = only_branch(if_else(work, work));
  EXPECT_TRUE(b.split) << b.reason;
  EXPECT_EQ(b.line, 0u);           // no line information
  EXPECT_EQ(b.assembly_line, 7u);  // s_and_saveexec_b64
}

TEST(assembly, unsafe_instructions) {
  const std::pair<const char*, const char*> unsafe[] = {
      {"v_writelane_b32 v3, s8, 2", "whatever the mask"},
      {"v_mov_b32_dpp v3, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf", "DPP"},
      {"ds_permute_b32 v3, v2, v1", "reads other work-items"},
      {"ds_bpermute_b32 v3, v2, v1", "reads other work-items"},
      {"ds_swizzle_b32 v3, v2 offset:0x8041", "reads other work-items"},
      {"v_readlane_b32 s8, v2, 3", "other side"},  // v2 is written on the side
      {"s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s8", "not known"},
      {"s_sendmsg sendmsg(MSG_INTERRUPT)", "whole wavefront"},
      {"s_movreld_b32 s8, s9", "not known"},
      {"s_barrier", "barrier"},
  };
  for (const auto& [instruction, reason] : unsafe) {
    for (const bool in_second : {false, true}) {
      const std::string side = std::string(work) + "\t" + instruction + "\n";
      const branch_report b = only_branch(in_second ? if_else(work, side) : if_else(side, work));
      EXPECT_FALSE(b.split) << instruction;
      EXPECT_THAT(b.reason, HasSubstr(reason)) << instruction;
    }
  }
}

TEST(assembly, safe_though_it_looks_unsafe) {
  for (const char* instruction :
       {"v_readlane_b32 s8, v9, 3",  // nobody writes v9
        "v_readfirstlane_b32 s8, v2", "s_memtime s[8:9]", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 3",
        "ds_write_b32 v2, v1", "s_getpc_b64 s[8:9]"}) {
    const branch_report b = only_branch(if_else(std::string(work) + "\t" + instruction + "\n", work));
    EXPECT_TRUE(b.split) << instruction << ": " << b.reason;
  }
}

TEST(assembly, scalars_that_live_over_the_merge) {
  const std::string counter = "\ts_add_i32 s8, s8, 1\n", use = "\tv_mov_b32_e32 v3, s8\n";
  EXPECT_THAT(only_branch(if_else(counter, work, use)).reason, AllOf(HasSubstr("s8"), HasSubstr("no lane mask")));
  EXPECT_THAT(only_branch(if_else(work, counter, use)).reason, HasSubstr("s8"));
  EXPECT_TRUE(only_branch(if_else(counter, counter)).split);  // not read
  // The same value on both sides, whoever takes part.
  const std::string five = "\ts_mov_b32 s8, 5\n", load = "\ts_load_dword s8, s[0:1], 0x0\n\ts_add_i32 s8, s8, s9\n";
  EXPECT_TRUE(only_branch(if_else(five, five, use)).split);
  EXPECT_TRUE(only_branch(if_else(load, load, use)).split);
  EXPECT_FALSE(only_branch(if_else(five, work, use)).split);
  EXPECT_FALSE(only_branch(if_else(work, load, use)).split);
  EXPECT_FALSE(only_branch(if_else(five, "\ts_mov_b32 s8, 6\n", use)).split);
  // In a block that is on every path.
  std::string in_bsb = if_else(work, work, use);
  in_bsb.insert(in_bsb.find("\ts_cbranch_execz .Ljoin"), five);
  EXPECT_TRUE(only_branch(in_bsb).split);
  // Masks: carried. A mask that is read as a number: not.
  const std::string mask = "\tv_cmp_gt_u32_e64 s[8:9], 7, v2\n";
  const branch_report carried = only_branch(if_else(mask, mask, "\tv_cndmask_b32_e64 v3, 0, 1, s[8:9]\n"));
  EXPECT_TRUE(carried.split) << carried.reason;
  EXPECT_EQ(carried.carried_masks, 1u);
  EXPECT_THAT(only_branch(if_else(mask, mask, "\ts_bcnt1_i32_b64 s8, s[8:9]\n\tv_mov_b32_e32 v3, s8\n")).reason,
              HasSubstr("no lane mask"));
  EXPECT_THAT(only_branch(if_else(mask, mask, "\ts_not_b64 s[10:11], s[8:9]\n\tv_mov_b32_e32 v3, s10\n")).reason,
              HasSubstr("no lane mask"));
  EXPECT_THAT(only_branch(if_else(mask, "\ts_mov_b32 s8, 3\n", "\tv_cndmask_b32_e64 v3, 0, 1, s[8:9]\n")).reason,
              HasSubstr("no lane mask"));
}

TEST(assembly, irregular_flow) {
  // A side that ends the wavefront.
  EXPECT_THAT(only_branch(if_else(std::string(work) + "\ts_cmp_eq_u32 s8, 0\n\ts_cbranch_scc1 .Lout\n", work,
                                  "\ts_nop 0\n\ts_endpgm\n.Lout:\n"))
                  .reason,
              HasSubstr("do not meet again"));
  // Code behind the join goes into the second side.
  EXPECT_THAT(
      only_branch(if_else(work, ".Linside:\n" + std::string(work), "\ts_cmp_eq_u32 s8, 0\n\ts_cbranch_scc1 .Linside\n"))
          .reason,
      testing::Not(testing::IsEmpty()));
}

// Nobody leaves a loop without an end: what is behind it is on the other ways only.
TEST(assembly, sides_that_never_end) {
  const std::string maybe = "\ts_cmp_eq_u32 s8, 0\n\ts_cbranch_scc1 ";
  const std::string endless = std::string(work) + maybe + ".Lon\n.Lagain:\n\ts_branch .Lagain\n.Lon:\n";
  std::string in_loop = if_else(work, endless);
  in_loop.insert(in_loop.find("\tv_cmp_gt"), ".Lhead:\n");
  in_loop.insert(in_loop.find("\ts_endpgm"), maybe + ".Lhead\n");
  for (const std::string& text : {if_else(endless, work), if_else(work, endless), in_loop,
                                  if_else(".Lagain:\n" + std::string(work) + "\ts_branch .Lagain\n", work),
                                  if_else(work, ".Lagain:\n" + std::string(work) + "\ts_branch .Lagain\n")})
    for (const split_choice how : {split_choice::all, split_choice::automatic}) {
      const pwscc::pass_result r = place(text, how, 1);
      ASSERT_EQ(r.report.branches.size(), 1u);
      EXPECT_FALSE(r.report.branches[0].split);
      EXPECT_THAT(r.report.branches[0].reason, HasSubstr("never ends")) << text;
    }
}

// As clang leaves it where it threads jumps, in every way of choosing.
TEST(assembly, sides_that_do_not_lead_to_their_end) {
  const std::string restore = "\ts_or_b64 exec, exec, s[4:5]\n", maybe = "\ts_cmp_eq_u32 s8, 0\n\ts_cbranch_scc1 ";
  const auto past = [&](const std::string& jump) {
    return if_else(work, work + restore + jump + ".Lafter\n", "\ts_nop 0\n.Lafter:\n\ts_nop 1\n");
  };
  std::string in_loop = past("\ts_branch ");
  in_loop.insert(in_loop.find("\tv_cmp_gt"), ".Lhead:\n");
  in_loop.insert(in_loop.find("\ts_endpgm"), maybe + ".Lhead\n");
  const std::pair<std::string, std::string> cases[] = {
      {past("\ts_branch "), "its second side does not lead to where"},
      {past(maybe), "its second side does not lead to where"},
      {in_loop, "its second side does not lead to where"},
      {if_else(work + maybe + ".Ljoin\n", work), "its first side does not lead to"},
      {if_else(work, work + maybe + ".Lbsb\n"), "in a loop of its own"},
      {if_else(".Linside:\n" + std::string(work), work, maybe + ".Linside\n"), "a loop with two entries"}};
  for (const auto& [text, reason] : cases)
    for (const split_choice how : {split_choice::all, split_choice::automatic}) {
      const pwscc::pass_result r = place(text, how, 1);
      ASSERT_EQ(r.report.branches.size(), 1u);
      EXPECT_FALSE(r.report.branches[0].split);
      EXPECT_THAT(r.report.branches[0].reason, HasSubstr(reason)) << text;
    }
}

TEST(assembly, errors_name_file_and_line) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      place(text, split_choice::all, 1);
    } catch (const input_error& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_THAT(message(if_else("\tv_nonsense v1\n", work)),
              AllOf(HasSubstr("test.s:10:"), HasSubstr("invalid instruction")));
  EXPECT_THAT(message(if_else("\ts_branch .Lelsewhere\n", work)), HasSubstr("test.s"));
  EXPECT_THAT(message(kernel_text("\ts_setpc_b64 s[4:5]\n")), testing::Not(HasSubstr("terminate")));
  std::string text = if_else(work, work);
  text.replace(text.find(".amdhsa_next_free_vgpr 16"), 25, ".amdhsa_next_free_vgpr many\n.set many, 3\n");
  EXPECT_THAT(message(text), HasSubstr("test.s"));
}

TEST(assembly, nothing_to_do) {
  for (const char* text : {"", "\n", "; only a comment", ".text\n", "/* unfinished", "\ts_nop 0\n"}) {
    const pwscc::pass_result r = place(text, split_choice::all, 7);
    EXPECT_TRUE(r.report.branches.empty());
  }
  EXPECT_EQ(place("a b c\n\n", split_choice::none, 0).assembly, "a b c\n\n");
}

TEST(assembly, without_choice_the_text_is_the_same) {
  const std::string& text = assembly_of("lane_functions.hip", {"-O3"});
  const pwscc::pass_result r = place(text, split_choice::none, 7);
  EXPECT_EQ(r.assembly, text);
  EXPECT_FALSE(r.report.branches.empty());
}

}  // namespace
}  // namespace pws::test::refusal_test
