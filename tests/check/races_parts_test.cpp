// SPDX-License-Identifier: Apache-2.0
// Races, by sequences of events: of parts of a dword, and of lanes of one instruction.
#include "tests/check/races_fixture.h"

namespace pws::check::races_parts_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using kind = race_access::kind;

using races_of_lanes = races_fixture;
using races_of_parts = races_fixture;

// A store of a dword by the lanes of `mask`.
race_access store_of(uint64_t mask, const uint64_t* at, const uint32_t (*data)[64]) {
  race_access a;
  a.does = kind::store;
  a.bytes = 4;
  a.pc = 0x10;
  a.mask = mask;
  a.address = at;
  a.data = data;
  return a;
}

// ---- parts of dwords

TEST_F(races_of_parts, neighbouring_bytes_do_not_race) {
  const path_id a = lone(), b = lone(), c = lone(), d = lone();
  store(a, 0x10, 0x1000, 1);
  store(b, 0x14, 0x1001, 1);
  store(c, 0x18, 0x1002, 2);
  EXPECT_THAT(found(), IsEmpty());
  load(d, 0x20, 0x1000, 4);
  EXPECT_THAT(found(), ElementsAre("race_read_write 20 10", "race_read_write 20 14", "race_read_write 20 18"));
}

TEST_F(races_of_parts, a_byte_of_a_dword_that_was_written_whole) {
  const path_id a = lone(), b = lone();
  store(a, 0x10, 0x1000);
  store(b, 0x14, 0x1003, 1);
  EXPECT_THAT(found(), ElementsAre("race_write_write 14 10"));
  EXPECT_EQ(sink_.all[0].address, 0x1003u);
  EXPECT_EQ(sink_.all[0].bytes, 1u);
}

TEST_F(races_of_parts, unaligned_accesses) {
  const path_id a = lone(), b = lone(), c = lone();
  store(a, 0x10, 0x1002, 4);
  load(b, 0x14, 0x1000, 2);
  load(b, 0x18, 0x1006, 2);
  EXPECT_THAT(found(), IsEmpty());
  load(c, 0x1c, 0x1005, 1);
  EXPECT_THAT(found(), ElementsAre("race_read_write 1c 10"));
}

TEST_F(races_of_parts, the_same_value_byte_by_byte) {
  const path_id a = lone(), b = lone(), c = lone();
  go(a, 0x10, kind::store, 0x1000, 4, 0x04030201);
  go(b, 0x14, kind::store, 0x1001, 1, 0x02);
  EXPECT_THAT(found(), IsEmpty());
  go(c, 0x18, kind::store, 0x1002, 1, 0x02);
  EXPECT_THAT(found(), ElementsAre("race_write_write 18 10"));
}

// ---- lanes of one instruction

TEST_F(races_of_lanes, write_different_values_to_one_byte) {
  uint64_t at[64];
  uint32_t data[1][64];
  race_access a = store_of(0xff, at, data);
  for (uint64_t l = 0; l < 64; ++l) {
    at[l] = 0x1000 + 4 * (l % 4);
    data[0][l] = 7;
  }
  const path_id p = lone();
  races_.access(p, a);
  EXPECT_THAT(found(), IsEmpty());
  data[0][6] = 8;
  a.pc = 0x14;
  races_.access(p, a);
  ASSERT_THAT(found(), ElementsAre("same_instruction_write_write 14 14"));
  EXPECT_EQ(sink_.all[0].here.lanes, uint64_t{1} << 6);
  EXPECT_EQ(sink_.all[0].other->lanes, uint64_t{1} << 2);
  EXPECT_EQ(sink_.all[0].address, 0x1008u);
}

TEST_F(races_of_lanes, in_a_loop_each_lane_writes_where_another_did_before) {
  uint64_t at[64];
  uint32_t data[1][64];
  const race_access a = store_of(~uint64_t{0}, at, data);
  const path_id p = lone();
  for (uint32_t k = 0; k < 8; ++k) {
    for (uint32_t l = 0; l < 64; ++l) {
      at[l] = 0x1000 + 4 * ((l + k) % 64);
      data[0][l] = 64 * k + l;
    }
    races_.access(p, a);
  }
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(races_of_lanes, that_overlap_without_the_same_address) {
  uint64_t at[64] = {0x1000, 0x1003};
  uint32_t data[1][64] = {{0x04030201, 0x07060504}};
  race_access a = store_of(3, at, data);
  const path_id p = lone();
  races_.access(p, a);
  EXPECT_THAT(found(), IsEmpty());  // the byte that both write gets 4 from both
  data[0][1] = 5;
  races_.access(p, a);
  EXPECT_THAT(found(), ElementsAre("same_instruction_write_write 10 10"));
}

// A tile's rows load the same words: all lanes are named.
TEST_F(races_of_lanes, that_load_the_same_words_are_all_named) {
  const path_id a = lone(), b = lone();
  store(a, 0x10, 0x1008);
  uint64_t at[64];
  for (uint64_t l = 0; l < 64; ++l) at[l] = 0x1000 + 4 * (l % 16);
  race_access x;
  x.does = kind::load;
  x.counts_for_vmcnt = true;
  x.bytes = 4;
  x.pc = 0x20;
  x.mask = ~uint64_t{0};
  x.address = at;
  races_.access(b, x);
  ASSERT_THAT(found(), ElementsAre("race_read_write 20 10"));
  EXPECT_EQ(sink_.all[0].here.lanes, 0x0004000400040004u);
}

}  // namespace
}  // namespace pws::check::races_parts_test
