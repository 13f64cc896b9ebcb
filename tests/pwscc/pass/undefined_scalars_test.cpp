// SPDX-License-Identifier: Apache-2.0
// A constant that a branch's first side leaves in a scalar register, as LLVM 16 and later have it: in a loop it is
// needed behind the merge, unless the compiler says that it is undefined where the side is skipped.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/pwscc/pass/pass_support.h"

namespace pws::test::undefined_scalars_test {
namespace {

using models::divergence_kind;
using pwscc::split_choice;
using testing::HasSubstr;

// Eight iterations, in each of which v0 and the number of the iteration choose sides. The first leaves a number in
// `from`, which is read in front of the second; `said` is what the compiler says of registers.
std::string loop(const std::string& said, const std::string& from = "s9") {
  return kernel_text(
      "\ts_load_dwordx2 s[2:3], s[0:1], 0x0\n\tv_mov_b32_e32 v1, v0\n\ts_mov_b32 s8, 0\n\ts_waitcnt lgkmcnt(0)\n"
      ".Lloop:\n\tv_add_u32_e32 v4, vcc, s8, v0\n\tv_and_b32_e32 v4, 3, v4\n\tv_cmp_gt_u32_e32 vcc, 2, v4\n" +
      said +
      "\ts_and_saveexec_b64 s[4:5], vcc\n\ts_xor_b64 s[4:5], exec, s[4:5]\n\ts_cbranch_execz .Lbsb\n"
      "\tv_mul_lo_u32 v1, v1, 3\n\ts_mov_b32 " +
      from +
      ", 7\n"
      ".Lbsb:\n\ts_or_saveexec_b64 s[4:5], s[4:5]\n\tv_mov_b32_e32 v8, " +
      from +
      "\n\ts_xor_b64 exec, exec, s[4:5]\n"
      "\ts_cbranch_execz .Ljoin\n\tv_mul_lo_u32 v1, v1, 5\n\tv_mov_b32_e32 v8, 11\n"
      ".Ljoin:\n\ts_or_b64 exec, exec, s[4:5]\n\tv_add_u32_e32 v1, vcc, v1, v8\n\ts_add_i32 s8, s8, 1\n"
      "\ts_cmp_lt_i32 s8, 8\n\ts_cbranch_scc1 .Lloop\n"
      "\tv_lshlrev_b32_e32 v2, 2, v0\n\tv_mov_b32_e32 v3, s3\n\tv_add_u32_e32 v2, vcc, s2, v2\n"
      "\tv_addc_u32_e32 v3, vcc, 0, v3, vcc\n\tflat_store_dword v[2:3], v1\n");
}

pwscc::branch_report branch_of(const pwscc::pass_result& r) {
  EXPECT_EQ(r.report.branches.size(), 1u);
  return r.report.branches.empty() ? pwscc::branch_report{} : r.report.branches.front();
}

TEST(undefined_scalars, are_not_needed_behind_the_merge) {
  const std::string text = loop("                                        ; implicit-def: $sgpr9\n");
  const pwscc::pass_result placed = place(text, split_choice::all, 63);
  EXPECT_TRUE(branch_of(placed).split) << branch_of(placed).reason;
  const text_result plain = run_text(text, {});
  ASSERT_EQ(plain.error, "");
  // Written out, so that both runs cannot be wrong together.
  for (uint32_t item = 0; item < 256; ++item) {
    uint32_t x = item;
    for (uint32_t k = 0; k < 8; ++k) x = ((item + k) & 3) < 2 ? x * 3 + 7 : x * 5 + 11;
    ASSERT_EQ(plain.out[item], x) << item;
  }
  for (const divergence_kind d : {divergence_kind::none, divergence_kind::pws, divergence_kind::dws}) {
    models::machine_config machine;
    machine.divergence = d;
    machine.spsimd_per_simd = 1;
    const text_result r = run_text(placed.assembly, machine);
    EXPECT_EQ(r.error, "");
    EXPECT_EQ(r.out, plain.out);
    if (d == divergence_kind::pws) {
      EXPECT_GT(r.splits, 0u);
    }
  }
}

TEST(undefined_scalars, are_found_in_what_the_compiler_writes) {
  const std::pair<const char*, const char*> said[] = {
      {"\t; implicit-def: $sgpr8_sgpr9\n", "s9"},
      {"\t; implicit-def: $vgpr7\n\t; implicit-def: $sgpr9\n\t; implicit-def: $vgpr6\n", "s9"},
      {"; implicit-def: $sgpr9\n\t.p2align 0\n", "s9"},
      {"\t; implicit-def: $sgpr9\n.Ldebug:\n", "s9"},  // a label that nothing branches to
      {"\t; implicit-def: $sgpr12_sgpr13_sgpr14_sgpr15\n", "s15"},
  };
  for (const auto& [comment, from] : said) {
    // s8 counts the iterations, so the first comment is wrong: this code is not run.
    const pwscc::pass_result placed = place(loop(comment, from), split_choice::all, 63);
    EXPECT_TRUE(branch_of(placed).split) << comment << branch_of(placed).reason;
  }
}

TEST(undefined_scalars, are_no_others) {
  const char* const said[] = {
      "",                                                                                      // nothing said
      "\t; implicit-def: $sgpr10\n",                                                           // another register
      "\t; implicit-def: $vgpr9\n",                                                            // another kind
      "\t; implicit-def: $sgpr\n\t; implicit-def: $sgpr99999999999\n",                         // none
      "\t; implicit-def: $sgpr9x\n",                                                           // none
      "\t;;#ASMSTART\n\t; implicit-def: $sgpr9\n\t;;#ASMEND\n",                                // a comment of a person
      "\ts_cmp_eq_u32 s8, 3\n\ts_cbranch_scc1 .Lother\n\t; implicit-def: $sgpr9\n.Lother:\n",  // another path comes in
      "\tv_mov_b32_e32 v9, s9\n\t; implicit-def: $sgpr9\n",                                    // read in front of it
      "\ts_nop 0 ; implicit-def: $sgpr9\n",                                                    // behind an instruction
  };
  for (const char* comment : said) {
    const pwscc::branch_report b = branch_of(place(loop(comment), split_choice::all, 63));
    EXPECT_FALSE(b.split) << comment;
    EXPECT_THAT(b.reason, HasSubstr("s9 is written on its sides and read after them")) << comment;
  }
}

}  // namespace
}  // namespace pws::test::undefined_scalars_test
