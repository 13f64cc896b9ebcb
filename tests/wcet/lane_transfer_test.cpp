// SPDX-License-Identifier: Apache-2.0
// What the analysis says of an instruction's results against what the instruction does: random straight-line code runs
// on random registers that an abstract state describes, and after each instruction the real registers must be among
// those that the analysed state describes. Every instruction that the analysis treats specially is in the code, and
// such as it knows nothing of.
#include "sw/wcet/lanes/lane_transfer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <map>

#include "tests/wcet/described_wave.h"

namespace pws::test::lane_transfer_test {
namespace {

using namespace wcet;

void go_on_as_a_part(isa::wave_state& s, const isa::inst& split, bool first) {
  const unsigned pair = split.src[0].index;
  const uint64_t mask = pair == isa::exec_lo ? s.active() : s.scalar64(pair);
  s.split_mask &= first ? mask : ~mask;
}

TEST(lane_transfer, describes_what_instructions_do) {
  std::map<std::string, unsigned> executed;
  uint64_t precise = 0, wide_sums = 0, parts = 0, places = 0;
  const char* wanted = std::getenv("PWS_LANE_PROGRAMS");
  const unsigned programs = wanted == nullptr ? 3000 : static_cast<unsigned>(std::atoi(wanted));
  for (unsigned seed = 0; seed < programs; ++seed) {
    random_source r(seed);
    code_writer writer(r);
    const size_t length = 4 + r.below(20);
    const bool splits = r.one_in(4);
    for (size_t k = 0; k < length; ++k) {
      if (splits && r.one_in(6)) writer.add_split();
      if (r.one_in(6)) writer.add_wide_sum();
      if (r.one_in(8)) writer.add_clamped_address();
      if (r.one_in(8)) writer.add_compared_branch();
      if (r.one_in(8)) {
        const auto some = [&] {
          if (r.one_in(2)) writer.add("v_add_u32");
          if (r.one_in(6)) writer.add(instructions()[r.below(static_cast<uint32_t>(instructions().size()))]);
        };
        writer.add_two_sides(
            [&] {
              some();
              if (r.one_in(3)) writer.add_two_sides(some, false);
            },
            false);
      }
      writer.add(instructions()[r.below(static_cast<uint32_t>(instructions().size()))]);
    }
    const analysed_code code(writer.words);
    const uint64_t launched = r.one_in(3) ? (uint64_t{1} << (1 + r.below(63))) - 1 : ~uint64_t{0};
    described_wave m(r, launched);
    m.set_launched(launched);
    ASSERT_EQ(m.mismatch(), "") << "seed " << seed << " before";
    std::string text;
    for (size_t k = 0; k + 1 < code.code.instructions.size(); ++k) {
      const isa::inst& i = code.code.instructions[k];
      // The analysis assumes that an instruction for which it is known that lanes are active has some.
      if (m.state.active() == 0 && std::string(i.row->mnemonic) == "v_readfirstlane_b32") break;
      text += isa::disassemble(i) + "\n";
      code.transfer.apply(m.known, k);
      m.state.pc = i.pc + i.bytes();
      i.exec(m.state, i);
      if (i.unit == isa::unit::split) {
        go_on_as_a_part(m.state, i, r.one_in(2));
        parts += m.state.active() != 0 ? 1 : 0;
      }
      ++executed[i.row->mnemonic];
      ASSERT_EQ(m.mismatch(), "") << "seed " << seed << " after\n" << text;
      if (i.row->mnemonic == std::string("v_addc_u32")) {
        const lane_value& high = m.known.vector(i.dst.index);
        wide_sums += !high.is_uniform() && i.dst.index > 0 && m.known.wide(i.dst.index - 1u) != nullptr;
      }
      if (i.row->mnemonic == std::string("v_addc_u32") && i.dst.index > 0)
        places += m.known.wide(i.dst.index - 1u) == nullptr && !m.known.wide_cover(i.dst.index - 1u).empty();
      if (i.dst.kind == isa::operand_kind::vgpr) precise += m.known.vector(i.dst.index).relation().classes < 64;
    }
  }
  for (const std::string& name : instructions()) EXPECT_GT(executed[name], 20u) << name;
  EXPECT_GT(wide_sums, programs / 100);
  EXPECT_GT(places, programs / 20);
  EXPECT_GT(parts, programs / 10);
  EXPECT_GT(precise, programs);  // a description that allows anything would fit as well
}

TEST(lane_transfer, describes_parts_and_what_they_are_together) {
  unsigned merged = 0, exec_known = 0;
  const char* wanted = std::getenv("PWS_LANE_PROGRAMS");
  const unsigned programs = wanted == nullptr ? 3000 : static_cast<unsigned>(std::atoi(wanted));
  for (unsigned seed = 0; seed < programs; ++seed) {
    random_source r(seed + 1000000);
    code_writer writer(r);
    const bool numbers = r.one_in(2);
    const auto block = [&] {
      for (size_t n = r.below(6); n != 0; --n) {
        // Lanes of other parts are not to be reached.
        const std::string& name = instructions()[r.below(static_cast<uint32_t>(instructions().size()))];
        if (name != "v_writelane_b32") writer.add(name);
        if (r.one_in(4)) writer.add(r.one_in(2) ? "v_cmp_lt_u32" : "v_mov_b32");
        if (numbers) writer.add(r.one_in(2) ? "v_add_u32" : "v_mov_b32");
      }
    };
    const unsigned depth = r.one_in(2) ? 0 : 1 + r.below(3);
    for (unsigned d = 0; d < depth; ++d) {
      block();
      writer.add_split();
    }
    for (unsigned d = 0; d < depth; ++d) {
      block();
      writer.add_merge();
    }
    block();
    // Branches in one another, some of them split.
    std::function<void(unsigned)> branch = [&](unsigned levels) {
      writer.add_two_sides(
          [&] {
            if (r.one_in(2)) block();
            if (levels != 0 && r.one_in(2)) branch(levels - 1);
          },
          !r.one_in(4));
      if (r.one_in(2)) block();
    };
    if (depth == 0) branch(2);
    const analysed_code code(writer.words);
    const uint64_t launched = r.one_in(3) ? (uint64_t{1} << (1 + r.below(63))) - 1 : ~uint64_t{0};
    described_wave m(r, launched, numbers);
    m.set_launched(launched);
    split_walk walk(code, r);
    walk.run(m, 0);
    ASSERT_TRUE(walk.failure.empty() || walk.failure == "stop") << "seed " << seed << ": " << walk.failure << "\n"
                                                                << code.text();
    merged += walk.merged;
    exec_known += walk.exec_known;
  }
  EXPECT_GT(merged, programs / 3);
  EXPECT_GT(exec_known, programs / 10);
}

}  // namespace
}  // namespace pws::test::lane_transfer_test
