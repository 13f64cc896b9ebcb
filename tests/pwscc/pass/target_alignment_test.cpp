// SPDX-License-Identifier: Apache-2.0
// Branch targets across two fetches get out of there without an instruction more.
#include "sw/pwscc/target_alignment.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "models/isa/opcode_row.h"
#include "sw/pwscc/assembled_kernel.h"
#include "tests/pwscc/pass/pass_support.h"

namespace pws::test::target_alignment_test {
namespace {

struct laid_out {
  std::vector<std::string> code;  // mnemonics, without encoding
  std::vector<uint64_t> targets;  // offsets in the kernel
};

laid_out layout_of(const std::string& text) {
  const pwscc::assembly_file file(text, "k.s");
  const pwscc::assembled_kernel kernel = pwscc::assemble_kernels(file).at(0);
  laid_out out;
  for (const isa::inst& i : kernel.code.instructions) {
    out.code.emplace_back(i.row->mnemonic);
    if (i.unit == isa::unit::branch) out.targets.push_back(i.target - kernel.code.begin());
  }
  return out;
}

std::string nops(unsigned n) {
  std::string out;
  for (; n > 0; --n) out += "\ts_nop 0\n";
  return out;
}

constexpr uint64_t fetch = 32;
bool across(uint64_t target) {
  return target % fetch + 8 > fetch;
}

// A loop and, `between` instructions behind its header, a second target.
std::string two_targets(unsigned before, unsigned between, const char* vector_instruction) {
  return kernel_text(
      fmt::format("\t{2}\n{0}.Lfirst:\n\t{2}\n{1}.Lsecond:\n\ts_cbranch_scc0 .Lfirst\n\ts_cbranch_scc1 "
                  ".Lsecond\n\ts_endpgm\n",
                  nops(before), nops(between), vector_instruction));
}

TEST(target_alignment, no_target_lies_across_two_fetches) {
  unsigned moved = 0;
  for (unsigned before = 0; before < 8; ++before)
    for (const unsigned between : {0u, 3u, 6u}) {
      const std::string text = two_targets(before, between, "v_add_u32_e32 v1, vcc, v2, v3");
      const laid_out was = layout_of(text);
      const laid_out is = layout_of(pwscc::align_targets(text, "k.s", {"k"}, fetch));
      EXPECT_EQ(is.code, was.code) << "the same instructions";
      for (const uint64_t t : is.targets) EXPECT_FALSE(across(t)) << before << ", " << between;
      moved += is.targets != was.targets ? 1 : 0;
      // What lies well stays.
      if (!across(was.targets[0]) && !across(was.targets[1])) {
        EXPECT_EQ(is.targets, was.targets);
      }
      // Other kernels are left alone.
      EXPECT_EQ(pwscc::align_targets(text, "k.s", {"another"}, fetch), text);
    }
  EXPECT_GT(moved, 3u);
}

TEST(target_alignment, what_has_no_longer_form_stays) {
  for (const char* other : {"v_mov_b32_e32 v1, 0x12345", "s_mov_b32 s4, s5", "v_nop", "v_readfirstlane_b32 s4, v1",
                            "v_mov_b32_dpp v1, v2 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf"})
    for (unsigned before = 4; before < 8; ++before) {
      const std::string text = two_targets(before, 3, other);
      EXPECT_EQ(pwscc::align_targets(text, "k.s", {"k"}, fetch), text) << other;
    }
}

}  // namespace
}  // namespace pws::test::target_alignment_test
