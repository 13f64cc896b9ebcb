// SPDX-License-Identifier: Apache-2.0
// Where the merge goes: joins that restore EXEC, joins that clang left to the branch around, joins that other code
// leads to as well, sides without a skip. Each text is run split and not split.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/pwscc/pass/pass_support.h"

namespace pws::test::join_test {
namespace {

using models::divergence_kind;
using pwscc::split_choice;
using testing::HasSubstr;

// v0: work-item, v1: what it writes, v4, v5: bits to branch on.
const char* const begin =
    "\ts_load_dwordx2 s[2:3], s[0:1], 0x0\n\tv_mov_b32_e32 v1, v0\n\tv_and_b32_e32 v4, 5, v0\n\tv_and_b32_e32 v5, 3, "
    "v0\n"
    "\tv_mov_b32_e32 v9, 0\n\ts_waitcnt lgkmcnt(0)\n";
const char* const store =
    "\tv_lshlrev_b32_e32 v2, 2, v0\n\tv_mov_b32_e32 v3, s3\n\tv_add_u32_e32 v2, vcc, s2, v2\n\tv_addc_u32_e32 v3, vcc, "
    "0, v3, vcc\n"
    "\tflat_store_dword v[2:3], v1\n";

std::string work(unsigned seed) {
  return fmt::format("\tv_mul_lo_u32 v1, v1, {}\n\tv_add_u32_e32 v1, vcc, {}, v1\n\tv_xor_b32_e32 v1, v0, v1\n",
                     3 + seed % 60, 7 + seed % 50);
}

// Runs the text as it is and split on several machines; all must write the same. Returns the splits executed with S
// = 3.
uint64_t check_text(const std::string& text, unsigned split_points, unsigned carried = 0) {
  const pwscc::pass_result placed = place(text, split_choice::all, 63);
  unsigned n = 0, masks = 0;
  std::string reasons;
  for (const pwscc::branch_report& b : placed.report.branches) {
    n += b.split;
    masks += b.carried_masks;
    reasons += b.reason + "\n";
  }
  EXPECT_EQ(n, split_points) << reasons;
  EXPECT_EQ(masks, carried);
  const text_result plain = run_text(text, {});
  EXPECT_EQ(plain.error, "");
  uint64_t executed = 0;
  for (const divergence_kind d : {divergence_kind::none, divergence_kind::pws, divergence_kind::dws}) {
    for (const unsigned s : {1u, 3u}) {
      models::machine_config machine;
      machine.divergence = d;
      machine.spsimd_per_simd = s;
      const text_result r = run_text(placed.assembly, machine);
      EXPECT_EQ(r.error, "") << placed.assembly;
      EXPECT_EQ(r.out, plain.out) << "scheme " << static_cast<int>(d) << ", S = " << s << "\n" << placed.assembly;
      if (d == divergence_kind::pws && s == 3) executed = r.splits;
    }
  }
  return executed;
}

std::string narrow(const char* condition, unsigned pair) {
  return fmt::format("\t{0}\n\ts_and_saveexec_b64 s[{1}:{2}], vcc\n\ts_xor_b64 s[{1}:{2}], exec, s[{1}:{2}]\n",
                     condition, pair, pair + 1);
}
std::string invert(unsigned pair) {
  return fmt::format("\ts_andn2_saveexec_b64 s[{0}:{1}], s[{0}:{1}]\n", pair, pair + 1);
}
std::string restore(unsigned pair) {
  return fmt::format("\ts_or_b64 exec, exec, s[{}:{}]\n", pair, pair + 1);
}
const char* const outer = "v_cmp_eq_u32_e32 vcc, 0, v4";
const char* const inner = "v_cmp_lt_u32_e32 vcc, 1, v5";

TEST(joins, restored) {
  EXPECT_GT(check_text(kernel_text(begin + narrow(outer, 4) + "\ts_cbranch_execz .La\n" + work(1) + ".La:\n" +
                                   invert(4) + "\ts_cbranch_execz .Lb\n" + work(2) + ".Lb:\n" + restore(4) + store),
                       1),
            0u);
}

TEST(joins, without_skips) {
  EXPECT_GT(check_text(kernel_text(begin + narrow(outer, 4) + work(1) + invert(4) + work(2) + restore(4) + store), 1),
            0u);
  EXPECT_GT(check_text(kernel_text(begin + narrow(outer, 4) + invert(4) + work(2) + restore(4) + store), 1), 0u);
  EXPECT_GT(check_text(kernel_text(begin + narrow(outer, 4) + work(1) + invert(4) + restore(4) + store), 1), 0u);
}

TEST(joins, sides_placed_elsewhere) {
  EXPECT_GT(check_text(kernel_text(begin + narrow(outer, 4) + "\ts_cbranch_execnz .Lthen\n.La:\n" + invert(4) +
                                   "\ts_cbranch_execnz .Lelse\n.Lb:\n" + restore(4) + store + "\ts_endpgm\n.Lthen:\n" +
                                   work(1) + "\ts_branch .La\n.Lelse:\n" + work(2) + "\ts_branch .Lb\n"),
                       1),
            0u);
}

TEST(joins, nested) {
  const std::string inside = narrow(inner, 6) + "\ts_cbranch_execz .Lc\n" + work(3) + ".Lc:\n" + invert(6) +
                             "\ts_cbranch_execz .Ld\n" + work(4) + ".Ld:\n" + restore(6);
  EXPECT_GT(check_text(kernel_text(begin + narrow(outer, 4) + "\ts_cbranch_execz .La\n" + work(1) + ".La:\n" +
                                   invert(4) + "\ts_cbranch_execz .Lb\n" + inside + ".Lb:\n" + restore(4) + store),
                       2),
            4u);
}

// The inner branch's restoring instruction is not there, since the outer one's follows; the outer skip leads to the
// same place.
std::string elided(const std::string& first, const std::string& second, const std::string& after) {
  return kernel_text(begin + narrow(outer, 4) + "\ts_cbranch_execz .La\n" + work(1) + ".La:\n" + invert(4) +
                     "\ts_cbranch_execz .Lb\n" + work(5) + narrow(inner, 6) + "\ts_cbranch_execz .Lc\n" + first +
                     ".Lc:\n" + invert(6) + "\ts_cbranch_execz .Lb\n" + second + ".Lb:\n" + restore(4) + after + store);
}

TEST(joins, inner_restore_left_out) {
  EXPECT_GT(check_text(elided(work(3), work(4), ""), 2), 4u);
}

TEST(joins, inner_restore_left_out_and_a_mask_over_it) {
  const std::string begin_mask = "\tv_cmp_ne_u32_e64 s[8:9], 0, v5\n";
  const std::string compare =
      "\tv_cmp_lt_u32_e64 s[10:11], v0, v1\n\ts_andn2_b64 s[8:9], s[8:9], exec\n"
      "\ts_and_b64 s[10:11], s[10:11], exec\n\ts_or_b64 s[8:9], s[8:9], s[10:11]\n";
  std::string text = elided(work(3) + compare, work(4) + compare,
                            "\tv_cndmask_b32_e64 v9, 0, 1, s[8:9]\n\tv_add_u32_e32 v1, vcc, v1, v9\n");
  text.insert(text.find(narrow(outer, 4)), begin_mask);
  EXPECT_GT(check_text(text, 2, 2), 4u);
}

// VCC itself is the mask, and nothing is free for it.
TEST(joins, mask_in_vcc) {
  const std::string compare = "\tv_cmp_lt_u32_e32 vcc, v0, v1\n";
  const std::string text =
      kernel_text(begin + narrow(outer, 4) + "\ts_cbranch_execz .La\n" + work(1) + compare +
                  "\ts_and_b64 vcc, vcc, exec\n\ts_mov_b64 s[8:9], vcc\n.La:\n" + invert(4) +
                  "\ts_cbranch_execz .Lb\n" + work(2) + compare +
                  "\ts_andn2_b64 s[8:9], s[8:9], exec\n\ts_and_b64 vcc, vcc, exec\n"
                  "\ts_or_b64 vcc, s[8:9], vcc\n\ts_mov_b64 s[8:9], vcc\n.Lb:\n\ts_mov_b64 vcc, s[8:9]\n" +
                  restore(4) + "\tv_cndmask_b32_e32 v9, 0, v0, vcc\n\tv_add_u32_e32 v1, vcc, v1, v9\n" + store);
  EXPECT_GT(check_text(text, 1, 1), 0u);
}

TEST(joins, inside_a_loop_behind_which_the_header_follows) {
  // The join's restoring instruction is the last of its block.
  EXPECT_GT(
      check_text(
          kernel_text(
              begin + std::string("\ts_mov_b32 s9, 5\n.Lloop:\n") + narrow(inner, 4) + "\ts_cbranch_execz .La\n" +
              work(1) + ".La:\n" + invert(4) + "\ts_cbranch_execz .Lb\n" + work(2) + ".Lb:\n" + restore(4) +
              ".Lnext:\n\ts_sub_i32 s9, s9, 1\n\ts_cmp_eq_u32 s9, 2\n\ts_cbranch_scc1 .Lnext\n\ts_cmp_gt_i32 s9, 0\n"
              "\ts_cbranch_scc1 .Lloop\n" +
              store),
          1),
      10u);
}

TEST(joins, descriptor_and_metadata_have_the_registers) {
  const std::string mask = "\tv_cmp_gt_u32_e64 s[8:9], 7, v1\n";
  const std::string text =
      kernel_text(begin + narrow(outer, 4) + "\ts_cbranch_execz .La\n" + mask + ".La:\n" + invert(4) +
                  "\ts_cbranch_execz .Lb\n" + mask + ".Lb:\n" + restore(4) +
                  "\tv_cndmask_b32_e64 v9, 0, v0, s[8:9]\n\tv_cndmask_b32_e32 v1, v1, v9, vcc\n" + store);
  const std::string out = place(text, split_choice::all, 1).assembly;
  EXPECT_THAT(out, HasSubstr(".amdhsa_next_free_vgpr 17\n"));
  EXPECT_THAT(out, HasSubstr(".amdhsa_next_free_sgpr 18\n"));  // VCC is read behind the merge
  EXPECT_THAT(out, HasSubstr(".vgpr_count: 17\n"));
  EXPECT_THAT(out, HasSubstr(".sgpr_count: 18\n"));
  EXPECT_THAT(out, HasSubstr("v_cndmask_b32_e64 v16, 0, 1, s[8:9]"));
  EXPECT_THAT(out, HasSubstr("v_cmp_ne_u32_e64 s[16:17], 0, v16"));
}

TEST(joins, both_sides_run_at_once) {
  std::string long_work;
  for (unsigned k = 0; k < 100; ++k) long_work += "\tv_add_u32_e32 v1, vcc, 3, v1\n";
  const std::string text =
      kernel_text(begin + narrow(outer, 4) + "\ts_cbranch_execz .La\n" + long_work + ".La:\n" + invert(4) +
                  "\ts_cbranch_execz .Lb\n" + long_work + ".Lb:\n" + restore(4) + store);
  models::machine_config machine;
  machine.n_cu = 1;
  machine.divergence = divergence_kind::pws;
  machine.spsimd_per_simd = 1;
  const auto plain = run_text(text, machine).cycles;
  const auto split = run_text(place(text, split_choice::all, 1).assembly, machine).cycles;
  EXPECT_LT(split + 300, plain);  // 100 instructions of 4 cycles less
}

}  // namespace
}  // namespace pws::test::join_test
