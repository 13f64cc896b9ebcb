// SPDX-License-Identifier: Apache-2.0
// The checker can fail: a fault in one row of the model's instruction table, such as a wrong operator in its line, is
// found by lockstep, and the report names the instruction. Faults in the RTL: tests/cosim/faults.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "models/isa/code/opcode_table.h"
#include "models/isa/opcode_row.h"
#include "tests/cosim/fault_kernel.h"

namespace pws::test::model_faults_test {
namespace {

using testing::HasSubstr;

// The row of that name. Tables are built at run time, so that their rows can be changed in a process of our own.
isa::opcode_row& row(const char* mnemonic) {
  for (const isa::opcode_row* r : isa::all_rows())
    if (std::strcmp(r->mnemonic, mnemonic) == 0) return const_cast<isa::opcode_row&>(*r);
  throw std::runtime_error(std::string("no row ") + mnemonic);
}

// `in` executes what the line of `as` says.
struct fault {
  const char* in;
  const char* as;
};
void PrintTo(const fault& f, std::ostream* out) {
  *out << f.in;
}

class model_faults : public testing::TestWithParam<fault> {};

TEST_P(model_faults, is_found_and_named) {
  const fault f = GetParam();
  isa::opcode_row& broken = row(f.in);
  const isa::opcode_row& other = row(f.as);
  const isa::opcode_row before = broken;
  broken.exec = other.exec;
  broken.kernel = other.kernel;
  const batch_report r = run_fault_kernel();
  broken = before;
  ASSERT_FALSE(r.launches.empty());
  const std::string& error = r.launches.back().error;
  EXPECT_THAT(error,
              HasSubstr("RTL and model disagree: kernel k0, workgroup (0,0,0), wavefront 0 (cu0.simd0.spsimd2.swf0)"));
  EXPECT_THAT(error, HasSubstr(std::string("): ") + f.in));
  EXPECT_THAT(error, HasSubstr("in the RTL"));
}

INSTANTIATE_TEST_SUITE_P(all, model_faults,
                         testing::Values(fault{"v_add_u32", "v_sub_u32"}, fault{"v_xor_b32", "v_or_b32"},
                                         fault{"v_mul_u32_u24", "v_mul_hi_u32_u24"},
                                         fault{"v_lshlrev_b32", "v_lshrrev_b32"}, fault{"v_mul_f32", "v_add_f32"},
                                         fault{"v_min_f32", "v_max_f32"}, fault{"s_sub_u32", "s_add_u32"},
                                         fault{"s_cmp_lg_u32", "s_cmp_eq_u32"},
                                         fault{"s_cbranch_scc0", "s_cbranch_scc1"},
                                         fault{"v_cmp_lt_f32", "v_cmp_gt_f32"}),
                         [](const auto& c) { return c.param.in; });

// What the model executes for the RTL, it may not read before the RTL has it. Here s_getreg of STATUS does not wait for
// SCC: its decoded form does not name it.
TEST(model_faults, a_read_of_what_is_on_its_way_in_the_rtl) {
  isa::opcode_row& broken = row("s_getreg_b32");
  const isa::opcode_row before = broken;
  const std::string body =
      "  s_mov_b32 s96, 1\n  s_cmp_lg_u32 s96, 1\n  s_nop 15\n  s_cmp_eq_u32 s96, 1\n"
      "  s_getreg_b32 s97, hwreg(HW_REG_STATUS)\n  s_nop 7\n  v_mov_b32 v4, s97\n";
  const directed_programs p = programs_of({in_an_swf(body)}, 1);
  const loader::program_image program = assemble(p.text);
  const batch_report right = run_batch(p.machine, program, p.launches, 60);
  broken.means.does = isa::operation::other;
  const batch_report r = run_batch(p.machine, program, p.launches, 60);
  broken.means = before.means;
  EXPECT_EQ(right.launches.back().error, "");
  EXPECT_THAT(r.launches.back().error, HasSubstr("s_getreg_b32 s97, hwreg(HW_REG_STATUS)"));
  EXPECT_THAT(r.launches.back().error,
              HasSubstr("the model executes this instruction for the RTL: s97 is 0x10001 by the "
                        "model's registers, 0x10000 by the RTL's"));
}

// A mismatch behind DPP says what the lane was given, and by which one.
TEST(model_faults, dpp_shows_the_source_lanes_value) {
  isa::opcode_row& broken = row("v_xor_b32");
  const isa::opcode_row& other = row("v_or_b32");
  const isa::opcode_row before = broken;
  const directed_programs p = programs_of({in_an_swf("  v_mov_b32 v28, -1\n  v_xor_b32_dpp v29, v2, v28 row_ror:2 "
                                                     "row_mask:0xf bank_mask:0xf\n")},
                                          1);
  const loader::program_image program = assemble(p.text);
  broken.exec = other.exec;
  broken.kernel = other.kernel;
  const batch_report r = run_batch(p.machine, program, p.launches, 60);
  broken = before;
  EXPECT_THAT(r.launches.back().error, HasSubstr("v_xor_b32_dpp"));
  EXPECT_THAT(r.launches.back().error, testing::ContainsRegex("v2    0x[0-9a-f]+ .* in lane [0-9]+, by DPP"));
}

TEST(fault_kernel, agrees_without_a_fault) {
  const batch_report r = run_fault_kernel();
  ASSERT_FALSE(r.launches.empty());
  EXPECT_EQ(r.launches.back().error, "");
  EXPECT_EQ(r.divergence.splits, 2u);
  EXPECT_EQ(r.divergence.merges, 2u);
}

}  // namespace
}  // namespace pws::test::model_faults_test
