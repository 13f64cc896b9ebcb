// SPDX-License-Identifier: Apache-2.0
// Cycles of s_nop and s_sleep, which model and analysis take from one function, against the ISA document's words.
#include "models/isa/idle_cycles.h"

#include <gtest/gtest.h>

#include "models/isa/code/decode.h"

namespace pws::isa::idle_cycles_test {
namespace {

uint64_t cycles_of(uint32_t word) {
  return idle_cycles(decode(&word, 1, 0));
}

TEST(idle_cycles, are_what_the_immediate_says) {
  constexpr uint32_t s_nop = 0xbf800000, s_sleep = 0xbf8e0000;
  EXPECT_EQ(cycles_of(s_nop), 1u);
  EXPECT_EQ(cycles_of(s_nop | 15), 16u);
  EXPECT_EQ(cycles_of(s_sleep), 0u);
  EXPECT_EQ(cycles_of(s_sleep | 1), 64u);
  EXPECT_EQ(cycles_of(s_sleep | 127), 8128u);
  for (uint32_t simm = 0; simm <= 0xffff; ++simm) {
    EXPECT_EQ(cycles_of(s_nop | simm), simm % 16 + 1) << "the low four bits";
    EXPECT_EQ(cycles_of(s_sleep | simm), simm % 128 * 64) << "the low seven bits";
  }
}

// Opcodes 0 and 14 of other formats, and neighbours.
TEST(idle_cycles, others_have_none) {
  for (const uint32_t word : {
           0xbf8c000fu,  // s_waitcnt vmcnt(15)
           0xbf8d000fu,  // s_sethalt 15
           0xbf8f000fu,  // s_setprio 15
           0xbf810000u,  // s_endpgm
           0xb000000fu,  // s_movk_i32 s0, 15: SOPK, opcode 0
           0xb700000fu,  // s_addk_i32 s0, 15: SOPK, opcode 14
           0x7e000000u,  // v_nop: VOP1, opcode 0
           0x8000000fu,  // s_add_u32 s0, s15, s0: SOP2, opcode 0
           0x8700000fu,  // s_or_b32: SOP2, opcode 14
       })
    EXPECT_EQ(cycles_of(word), 0u) << std::hex << word;
}

}  // namespace
}  // namespace pws::isa::idle_cycles_test
