// SPDX-License-Identifier: Apache-2.0
// v_writelane_b32 with a scalar value and the lane's number in M0, which LLVM before 18 does not assemble.
#include "sw/pwscc/assembler_gaps.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "models/isa/code/decode.h"
#include "models/isa/inst.h"
#include "tests/pwscc/pass/pass_support.h"

namespace pws::test::assembler_gaps_test {
namespace {

using pwscc::without_assembler_gaps;

// The instructions of a kernel with that line, as the machine reads them.
std::vector<std::string> code_of(const std::string& line) {
  const loader::program_image program = assembled(without_assembler_gaps(kernel_text(line)));
  const loader::found_kernel k = program.find_kernel("k");
  const std::vector<uint8_t> bytes = k.object->load(0x100000).bytes;
  std::vector<std::string> out;
  for (size_t at = k.kernel->entry_offset; out.empty() || out.back() != "s_endpgm";) {
    std::array<uint32_t, 2> words{};
    std::memcpy(words.data(), &bytes.at(at), std::min(sizeof words, bytes.size() - at));
    const isa::inst i = isa::decode(words.data(), 2, at);
    out.push_back(isa::disassemble(i));
    at += i.bytes();
  }
  return out;
}

TEST(assembler_gaps, become_the_same_instruction) {
  for (const char* text :
       {"v_writelane_b32 v0, s6, m0", "v_writelane_b32 v255, s101, m0", "v_writelane_b32 v7, vcc_lo, m0",
        "v_writelane_b32 v7, vcc_hi, m0", "v_writelane_b32 v7, exec_lo, m0", "v_writelane_b32 v7, exec_hi, m0"})
    EXPECT_THAT(code_of(fmt::format("\t{}  ; a comment\n", text)), testing::Contains(std::string(text)));
}

TEST(assembler_gaps, nothing_else_changes) {
  for (const char* line :
       {"\tv_writelane_b32 v0, s6, s7\n", "\tv_writelane_b32 v0, 3, m0\n", "\tv_writelane_b32 v0, m0, m0\n",
        "\tv_writelane_b32 v0, s6, 5\n", "\tv_writelane_b32 v256, s6, m0\n", "\tv_writelane_b32 v0, s102, m0\n",
        "; v_writelane_b32 v0, s6, m0\n", "\tv_readlane_b32 s6, v0, m0\n", "v_writelane_b32", ""})
    EXPECT_EQ(without_assembler_gaps(line), line);
}

TEST(assembler_gaps, lines_stay_where_they_are) {
  EXPECT_EQ(without_assembler_gaps("a\nv_writelane_b32 v1, s2, m0\nb\n\tv_writelane_b32 v3, s4, m0"),
            "a\n\t.long 0xd28a0001, 0x0000f802  ; v_writelane_b32 v1, s2, m0\nb\n"
            "\t.long 0xd28a0003, 0x0000f804  ; v_writelane_b32 v3, s4, m0");
}

}  // namespace
}  // namespace pws::test::assembler_gaps_test
