// SPDX-License-Identifier: Apache-2.0
// Results under way whose register only M0 names: any register of that kind may be meant, and no other.
#include "models/context/scoreboard.h"

#include <gtest/gtest.h>

#include "models/isa/code/decode.h"
#include "models/isa/inst.h"
#include "models/isa/opcode_row.h"

namespace pws::models::scoreboard_test {
namespace {

isa::inst decoded(uint32_t word, const char* mnemonic) {
  const isa::inst i = isa::decode(&word, 1, 0x1000);
  EXPECT_STREQ(i.row->mnemonic, mnemonic);
  return i;
}

const cycle_t now = 100, there = 104;

cycle_t ready_behind(const isa::inst& first, const isa::inst& second, uint32_t mode = 0) {
  scoreboard s;
  s.write(first, mode, now, there);
  return s.ready(second, mode);
}

TEST(scoreboard, a_register_that_m0_names_may_be_any) {
  const isa::inst scalar = decoded(0xbe802c00 | 91 << 16 | 0x87, "s_movreld_b32");
  const isa::inst vector = decoded(0x7e000000 | 4 << 17 | 0x36 << 9 | 0x87, "v_movreld_b32");
  const isa::inst reads_s5 = decoded(0xbe800005, "s_mov_b32"), writes_s99 = decoded(0xbe800087 | 99 << 16, "s_mov_b32");
  const isa::inst reads_v9 = decoded(0x7e000200 | 2 << 17 | 0x109, "v_mov_b32");
  const isa::inst writes_v255 = decoded(0x7e000200 | 255 << 17 | 0x87, "v_mov_b32");
  EXPECT_EQ(ready_behind(scalar, reads_s5), there);
  EXPECT_EQ(ready_behind(scalar, writes_s99), there);
  EXPECT_EQ(ready_behind(scalar, writes_v255), 0u) << "EXEC, which it reads, is none of them";
  EXPECT_EQ(ready_behind(vector, reads_v9), there);
  EXPECT_EQ(ready_behind(vector, writes_v255), there);
  EXPECT_EQ(ready_behind(vector, reads_s5), 0u);
}

// In VGPR indexing mode M0 moves the registers of all vector instructions, and of no others.
TEST(scoreboard, any_vector_register_is_meant_while_vgprs_are_indexed) {
  const isa::inst writes_v2 = decoded(0x7e000200 | 2 << 17 | 0x87, "v_mov_b32");
  const isa::inst reads_v9 = decoded(0x7e000200 | 4 << 17 | 0x109, "v_mov_b32");
  const isa::inst writes_s5 = decoded(0xbe800087 | 5 << 16, "s_mov_b32"), reads_s6 = decoded(0xbe800006, "s_mov_b32");
  EXPECT_EQ(ready_behind(writes_v2, reads_v9), 0u);
  EXPECT_EQ(ready_behind(writes_v2, reads_v9, isa::mode_indexing), there);
  EXPECT_EQ(ready_behind(writes_s5, reads_v9, isa::mode_indexing), there) << "it may wait for what it does not read";
  EXPECT_EQ(ready_behind(writes_v2, reads_s6, isa::mode_indexing), 0u);
  // What was written by M0 may be any register also once the mode is off again.
  scoreboard s;
  s.write(writes_v2, isa::mode_indexing, now, there);
  EXPECT_EQ(s.ready(reads_v9, 0), there);
}

// What is read by M0 is written where the instruction says.
TEST(scoreboard, a_source_that_m0_names_leaves_others_alone) {
  const isa::inst moves = decoded(0xbe802a00 | 91 << 16 | 90, "s_movrels_b32");
  EXPECT_EQ(ready_behind(moves, decoded(0xbe80005b, "s_mov_b32")), there);  // s91
  EXPECT_EQ(ready_behind(moves, decoded(0xbe800005, "s_mov_b32")), 0u);
}

}  // namespace
}  // namespace pws::models::scoreboard_test
