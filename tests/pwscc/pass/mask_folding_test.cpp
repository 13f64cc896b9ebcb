// SPDX-License-Identifier: Apache-2.0
// machine.fold_mask_instructions: what a program does to keep EXEC around its splits is a part of them. Memory is the
// same, and as many instructions fewer are counted, and issue, as there are by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/pwscc/pass/pass_support.h"

namespace pws::test::mask_folding_test {
namespace {

using models::divergence_kind;
using pwscc::split_choice;

// Work-item w stores w + 7 (and 1 more below 100), or 3 w: as `condition`, which sets VCC, has it.
std::string text_of(const std::string& condition) {
  return kernel_text(
      "\ts_load_dwordx2 s[2:3], s[0:1], 0x0\n\tv_lshlrev_b32_e32 v1, 2, v0\n\ts_waitcnt lgkmcnt(0)\n"
      "\tv_mov_b32_e32 v4, s3\n\tv_add_u32_e32 v3, vcc, s2, v1\n\tv_addc_u32_e32 v4, vcc, 0, v4, vcc\n"
      "\tv_mov_b32_e32 v2, v0\n\tv_and_b32_e32 v5, 1, v0\n" +
      condition +
      "\ts_and_saveexec_b64 s[4:5], vcc\n\ts_xor_b64 s[4:5], exec, s[4:5]\n\ts_cbranch_execz .Lbsb\n"
      "\tv_add_u32_e32 v2, vcc, 7, v2\n"
      // An if without else inside, which is not split: nothing of it is folded.
      "\tv_cmp_gt_u32_e32 vcc, 100, v0\n\ts_and_saveexec_b64 s[6:7], vcc\n\ts_cbranch_execz .Linner\n"
      "\tv_add_u32_e32 v2, vcc, 1, v2\n.Linner:\n\ts_or_b64 exec, exec, s[6:7]\n\ts_nop 0\n"
      ".Lbsb:\n\ts_andn2_saveexec_b64 s[4:5], s[4:5]\n\ts_cbranch_execz .Lend_of_sides\n"
      "\tv_mul_lo_u32 v2, v2, 3\n"
      ".Lend_of_sides:\n\ts_or_b64 exec, exec, s[4:5]\n\tflat_store_dword v[3:4], v2\n");
}

struct expectation {
  const char* condition;
  uint64_t folded;  // instructions of the four wavefronts
};

class mask_folding : public testing::TestWithParam<expectation> {};
INSTANTIATE_TEST_SUITE_P(conditions, mask_folding,
                         testing::Values(
                             // Both sides: 2 before the split; on each side 2 where it turns, and 1 before the merge.
                             expectation{"\tv_cmp_eq_u32_e32 vcc, 1, v5\n", 4 * (2 + 2 * 3)},
                             // One side only, and so once. All wavefronts take the first, then all the second.
                             expectation{"\tv_cmp_ge_u32_e32 vcc, 1, v5\n", 4 * (2 + 3)},
                             expectation{"\tv_cmp_lt_u32_e32 vcc, 1, v5\n", 4 * (2 + 3)},
                             // One lane; the others' wavefronts have one side.
                             expectation{"\tv_cmp_eq_u32_e32 vcc, 63, v0\n", (2 + 2 * 3) + 3 * (2 + 3)}));

TEST_P(mask_folding, leaves_memory_and_saves_what_it_folds) {
  const std::string text = place(text_of(GetParam().condition), split_choice::all, 1).assembly;
  models::machine_config m;
  m.divergence = divergence_kind::stack;
  for (const models::fidelity fidelity : {models::fidelity::functional, models::fidelity::timing})
    for (const models::path_scoreboard s :
         {models::path_scoreboard::drain, models::path_scoreboard::conservative, models::path_scoreboard::optimistic}) {
      m.fidelity = fidelity;
      m.scoreboard = s;
      m.fold_mask_instructions = false;
      const text_result own = run_text(text, m);
      m.fold_mask_instructions = true;
      const text_result folded = run_text(text, m);
      ASSERT_EQ(own.error + folded.error, "");
      EXPECT_EQ(folded.out, own.out);
      EXPECT_EQ(folded.splits, own.splits);
      EXPECT_EQ(folded.instructions + GetParam().folded, own.instructions);
      if (fidelity == models::fidelity::timing) {
        EXPECT_LT(folded.cycles, own.cycles);
      }
    }
}

// Elsewhere there is no stack to keep masks.
TEST(mask_folding_elsewhere, does_nothing) {
  const std::string text = place(text_of("\tv_cmp_eq_u32_e32 vcc, 1, v5\n"), split_choice::all, 1).assembly;
  for (const divergence_kind d : {divergence_kind::none, divergence_kind::pws, divergence_kind::dpe}) {
    models::machine_config m;
    m.fidelity = models::fidelity::timing;
    m.divergence = d;
    m.spsimd_per_simd = 1;
    const text_result own = run_text(text, m);
    m.fold_mask_instructions = true;
    const text_result folded = run_text(text, m);
    EXPECT_EQ(folded.cycles, own.cycles);
    EXPECT_EQ(folded.instructions, own.instructions);
  }
}

}  // namespace
}  // namespace pws::test::mask_folding_test
