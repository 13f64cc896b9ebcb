// SPDX-License-Identifier: Apache-2.0
// v_readlane, v_writelane, v_readfirstlane, v_movrel*, v_nop.
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/isa/vector_machine.h"

namespace pws::isa::test::vector_lane_access_test {

namespace {

lanes numbered(uint64_t base) {
  lanes x;
  for (unsigned l = 0; l < wave_size; ++l) x[l] = base + l;
  return x;
}

TEST(lane_access, readlane_ignores_exec_and_wraps_the_lane) {
  vector_machine m;
  m.write(3, 1, numbered(1000));
  m.state.set_scalar64(exec_lo, 0);
  for (const int lane : {0, 1, 31, 32, 63, 64}) {
    vop3_fields f;
    f.dst = 7;
    f.src[0] = v(3);
    f.src[1] = integer_field(lane);
    m.run(words_vop3(row_named("v_readlane_b32"), f));
    EXPECT_EQ(m.state.scalar[7], 1000u + static_cast<unsigned>(lane) % 64);
    m.state.scalar[9] = 0xffffff00u + static_cast<unsigned>(lane);
    f.src[1] = 9;
    f.dst = 124;
    m.run(words_vop3(row_named("v_readlane_b32"), f));
    EXPECT_EQ(m.state.scalar[m0], 1000u + static_cast<unsigned>(lane) % 64);
  }
}

TEST(lane_access, writelane_ignores_exec_and_keeps_the_other_lanes) {
  for (const int lane : {0, 31, 32, 63}) {
    vector_machine m;
    m.write(3, 1, numbered(0));
    m.state.set_scalar64(exec_lo, 0);
    m.state.scalar[5] = 0xcafe;
    vop3_fields f;
    f.dst = 3;
    f.src[0] = 5;
    f.src[1] = integer_field(lane);
    m.run(words_vop3(row_named("v_writelane_b32"), f));
    lanes want = numbered(0);
    want[static_cast<unsigned>(lane)] = 0xcafe;
    EXPECT_EQ(m.read(3, 1), want);
  }
}

TEST(lane_access, lane_number_from_a_vector_register_is_refused) {
  vector_machine m;
  vop3_fields f;
  f.dst = 7;
  f.src[0] = v(3);
  f.src[1] = v(4);
  EXPECT_THROW(m.run(words_vop3(row_named("v_readlane_b32"), f)), program_error);
}

TEST(lane_access, readfirstlane_takes_the_first_lane_of_exec_and_split_mask) {
  vector_machine m;
  m.write(3, 1, numbered(500));
  const uint32_t word = word_e32(row_named("v_readfirstlane_b32"), 7, v(3));
  const struct {
    uint64_t exec, split;
    uint32_t want;
  } cases[] = {{everyone, everyone, 500},
               {uint64_t{1} << 63, everyone, 563},
               {0xaaaaaaaaaaaaaaaa, everyone, 501},
               {everyone, uint64_t{1} << 32, 532},
               {0, everyone, 500},
               {0xf0, 0x0f, 500}};
  for (const auto& c : cases) {
    m.state.set_scalar64(exec_lo, c.exec);
    m.state.split_mask = c.split;
    m.run({word});
    EXPECT_EQ(m.state.scalar[7], c.want);
  }
  m.state.scalar[9] = 42;
  m.run({word_e32(row_named("v_readfirstlane_b32"), 7, 9)});
  EXPECT_EQ(m.state.scalar[7], 42u);
}

TEST(lane_access, relative_moves_add_m0) {
  for (const uint64_t mask : test_masks()) {
    vector_machine m;
    for (unsigned r = 0; r < 10; ++r) m.write(r, 1, numbered(100 * r));
    m.state.set_scalar64(exec_lo, mask);
    const auto expect = [&](unsigned reg, const lanes& old, const lanes& moved) {
      for (unsigned l = 0; l < wave_size; ++l) EXPECT_EQ(m.read(reg, 1)[l], (mask >> l & 1) != 0 ? moved[l] : old[l]);
    };
    m.state.scalar[m0] = 3;
    m.run({word_e32(row_named("v_movrels_b32"), 0, v(2))});
    expect(0, numbered(0), numbered(500));
    m.run({word_e32(row_named("v_movreld_b32"), 4, v(1))});
    expect(7, numbered(700), numbered(100));
    m.run({word_e32(row_named("v_movrelsd_b32"), 5, v(6))});
    expect(8, numbered(800), numbered(900));
    m.state.scalar[5] = 77;
    m.run({word_e32(row_named("v_movreld_b32"), 6, 5)});
    lanes want;
    want.fill(77);
    expect(9, numbered(900), want);
    EXPECT_EQ(m.read(4, 1), numbered(400));
    EXPECT_EQ(m.read(5, 1), numbered(500));
  }
}

TEST(lane_access, relative_moves_outside_the_registers_are_errors) {
  vector_machine m;
  for (const uint32_t offset : {64u, 0x80000000u, 0xffffffffu}) {
    m.state.scalar[m0] = offset;
    EXPECT_THROW(m.run({word_e32(row_named("v_movrels_b32"), 0, v(1))}), program_error);
    EXPECT_THROW(m.run({word_e32(row_named("v_movreld_b32"), 1, v(0))}), program_error);
  }
  m.state.scalar[m0] = 0;
  EXPECT_THROW(m.run({word_e32(row_named("v_movrels_b32"), 0, 5)}), program_error);
}

TEST(lane_access, nop_does_nothing) {
  vector_machine m;
  m.write(0, 1, numbered(9));
  const wave_state before = m.state;
  m.run({word_e32(row_named("v_nop"), 0, 0)});
  m.run({word_e32(row_named("v_clrexcp"), 0, 0)});
  EXPECT_EQ(m.read(0, 1), numbered(9));
  for (unsigned k = 0; k < scalar_count; ++k) EXPECT_EQ(m.state.scalar[k], before.scalar[k]);
}

}  // namespace

}  // namespace pws::isa::test::vector_lane_access_test
