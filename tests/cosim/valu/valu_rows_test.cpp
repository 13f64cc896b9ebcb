// SPDX-License-Identifier: Apache-2.0
// Every instruction that the vector ALU does, in all encodings, against models/isa.
// PWS_RTL_VECTORS: instructions per group (default 4,000; a tenth of it with 64 lanes), each with 64 work-items.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/cosim/valu/stimulus.h"
#include "tests/cosim/valu/supported_rows.h"
#include "tests/cosim/valu/valu_check.h"

namespace pws::cosim::valu_rows_test {

namespace {

uint64_t vectors() {
  const char* wanted = std::getenv("PWS_RTL_VECTORS");
  return wanted == nullptr ? 4000 : std::strtoull(wanted, nullptr, 10);
}

// Fresh values in the instruction's registers: in those that there would be if the fields were legal, too.
void randomise_operands(isa::wave_state& s, const expectation& e, random_source& random) {
  if (!e.legal) return;
  const isa::operand* regs[4] = {};
  unsigned n = 0;
  for (unsigned k = 0; k < 3; ++k)
    if (e.inst.src[k].kind == isa::operand_kind::vgpr) regs[n++] = &e.inst.src[k];
  for (unsigned k = 0; k + 1 < n || k == 0; ++k) {
    if (n == 0) break;
    const isa::operand& a = *regs[k];
    const isa::operand& b = *regs[n > 1 ? k + 1 : k];
    randomise_rows(s, a.index, b.index, random);
    if (a.dwords == 2 || b.dwords == 2) randomise_rows(s, a.index + a.dwords - 1u, b.index + b.dwords - 1u, random);
  }
}

void run_group(rtl_valu& rtl, const row_group& group, uint64_t count) {
  ASSERT_GT(count, 0u);
  random_source random(0x9c5 + rtl.lanes());
  valu_check check(rtl);
  for (unsigned row = 0; row < 256; row += 2) randomise_rows(check.state(), row, row + 1, random);
  unsigned mismatches = 0;
  for (uint64_t n = 0; n < count && mismatches < 10; ++n) {
    const isa::opcode_row& row = vector_row_named(group.mnemonics[n % group.mnemonics.size()]);
    const std::vector<encoding_kind> kinds = encodings_of(row);
    uint32_t words[2];
    random_words(row, kinds[random.below(static_cast<uint32_t>(kinds.size()))], random, words);
    randomise_scalars(check.state(), random);
    randomise_operands(check.state(), expect(words), random);
    const std::string difference = check.run(words);
    if (!difference.empty()) {
      ++mismatches;
      ADD_FAILURE() << "instruction " << n << " of the group: " << difference;
    }
    if (n % 64 == 0) rtl.idle_cycle();
  }
  // Most words must have been legal, or this tested nothing.
  if (mismatches == 0) {
    EXPECT_GT(check.executed(), count / 2);
  }
}

class valu_rows : public testing::TestWithParam<row_group> {};

TEST_P(valu_rows, agree_with_the_model) {
  const auto rtl = make_rtl_valu_16();
  run_group(*rtl, GetParam(), vectors());
}
#ifdef PWS_RTL_64_LANES
TEST_P(valu_rows, agree_with_the_model_in_64_lanes) {
  const auto rtl = make_rtl_valu_64();
  run_group(*rtl, GetParam(), (vectors() + 9) / 10);
}
#endif

INSTANTIATE_TEST_SUITE_P(all, valu_rows, testing::ValuesIn(supported_groups()),
                         [](const auto& group) { return group.param.name; });

}  // namespace

}  // namespace pws::cosim::valu_rows_test
