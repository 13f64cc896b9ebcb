// SPDX-License-Identifier: Apache-2.0
// v_mqsad_u32_u8, the one row with four dwords of result, and VGPR indexing mode.
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/isa/vector_machine.h"

namespace pws::isa::test::vector_wide_test {

namespace {

constexpr uint32_t index_mode = default_mode | 1u << 27;

lanes random_lanes(uint64_t salt) {
  lanes x;
  for (unsigned l = 0; l < wave_size; ++l) x[l] = random_value(salt * 100 + l);
  return x;
}
lanes filled(uint64_t v) {
  lanes x;
  x.fill(v);
  return x;
}
lanes low(lanes x) {
  for (uint64_t& v : x) v &= 0xffffffff;
  return x;
}

TEST(vector_wide, masked_quad_distances) {
  for (const uint64_t mask : test_masks())
    for (const unsigned dst : {20u, 2u, 4u, 8u, 7u}) {  // apart from the sources, and over each of them
      vector_machine m;
      lanes window = random_lanes(mask), reference = random_lanes(mask + 1);
      for (unsigned l = 0; l < wave_size; l += 3) reference[l] &= 0x00ff00ff;  // bytes that do not count
      m.write(2, 2, window);
      m.write(4, 1, reference);
      lanes sums[4], old[4];
      for (unsigned k = 0; k < 4; ++k) {
        sums[k] = k == 1 ? filled(0xfffffffe) : low(random_lanes(7 + k));
        m.write(8 + k, 1, sums[k]);
      }
      for (unsigned k = 0; k < 4; ++k) old[k] = m.read(dst + k, 1);
      m.state.set_scalar64(exec_lo, mask);
      vop3_fields f;
      f.dst = dst;
      f.src[0] = v(2);
      f.src[1] = v(4);
      f.src[2] = v(8);
      m.run(words_vop3(row_named("v_mqsad_u32_u8"), f));
      for (unsigned k = 0; k < 4; ++k) {
        const lanes got = m.read(dst + k, 1);
        for (unsigned l = 0; l < wave_size; ++l) {
          uint64_t want = sums[k][l];
          for (unsigned n = 0; n < 4; ++n) {
            const auto a = static_cast<int>(window[l] >> (8 * (k + n)) & 0xff);
            const auto b = static_cast<int>(reference[l] >> (8 * n) & 0xff);
            if (b != 0) want += static_cast<uint64_t>(a > b ? a - b : b - a);
          }
          ASSERT_EQ(got[l], (mask >> l & 1) != 0 ? want & 0xffffffff : old[k][l]) << "dword " << k << " lane " << l;
        }
      }
    }
}

TEST(gpr_index, moves_the_operands_that_m0_names) {
  for (uint32_t enabled = 0; enabled < 16; ++enabled)
    for (const uint32_t index : {0u, 3u, 17u}) {
      vector_machine m;
      for (unsigned r = 0; r < vector_machine::n_vgprs; ++r) m.write(r, 1, filled(1000 + r));
      m.state.mode = index_mode;
      m.state.scalar[m0] = 0xabc00000 | enabled << 12 | index;
      vop3_fields f;
      f.dst = 30;
      f.src[0] = v(2);
      f.src[1] = v(5);
      f.src[2] = v(7);
      m.run(words_vop3(row_named("v_mad_u32_u24"), f));
      const auto moved = [&](unsigned r, unsigned bit) { return r + ((enabled >> bit & 1) != 0 ? index : 0); };
      const uint64_t want = uint64_t{1000 + moved(2, 0)} * (1000 + moved(5, 1)) + 1000 + moved(7, 2);
      for (unsigned r = 0; r < vector_machine::n_vgprs; ++r)
        EXPECT_EQ(m.read(r, 1), filled(r == moved(30, 3) ? want : 1000 + r)) << "v" << r << " enabled " << enabled;
    }
}

TEST(gpr_index, applies_to_the_short_forms_with_modes_and_masks) {
  vector_machine m;
  m.state.mode = index_mode;
  m.state.scalar[m0] = 1u << 12 | 9;  // src0 only
  m.write(11, 1, filled(77));
  m.write(40, 1, filled(5));
  m.state.set_scalar64(exec_lo, 0xf);
  m.run({word_e32(row_named("v_mov_b32"), 40, v(2))});
  for (unsigned l = 0; l < wave_size; ++l) EXPECT_EQ(m.read(40, 1)[l], l < 4 ? 77u : 5u);
  m.run({word_e32(row_named("v_mov_b32"), 40, 17)});  // scalar sources stay
  EXPECT_EQ(m.read(40, 1)[0], m.state.scalar[17]);
  m.state.mode = default_mode;
  m.write(2, 1, filled(1234));
  m.run({word_e32(row_named("v_mov_b32"), 40, v(2))});
  EXPECT_EQ(m.read(40, 1)[0], 1234u) << "off again";
}

TEST(gpr_index, pairs_and_accumulators_move_whole) {
  vector_machine m;
  m.state.mode = index_mode;
  m.state.scalar[m0] = 9u << 12 | 4;  // src0 and dst
  m.write(10, 2, filled(0x3ff0000000000000));
  m.write(20, 2, filled(0x4000000000000000));
  vop3_fields f;
  f.dst = 30;
  f.src[0] = v(6);
  f.src[1] = v(20);
  m.run(words_vop3(row_named("v_add_f64"), f));
  EXPECT_EQ(m.read(34, 2), filled(0x4008000000000000));
  m.write(10, 1, filled(0x40000000));  // 2
  m.write(20, 1, filled(0x40400000));  // 3
  m.write(38, 1, filled(0x3f800000));  // the accumulator is where the destination is
  m.run({word_e32(row_named("v_mac_f32"), 34, v(6), 20)});
  EXPECT_EQ(m.read(38, 1), filled(0x40e00000));
}

TEST(gpr_index, outside_the_registers_or_with_other_lane_movement_is_refused) {
  vector_machine m;
  m.state.mode = index_mode;
  m.state.scalar[m0] = 1u << 12 | 63;
  EXPECT_THROW(m.run({word_e32(row_named("v_mov_b32"), 40, v(2))}), program_error);
  m.state.scalar[m0] = 0;
  EXPECT_THROW(m.run(words_sdwa(row_named("v_mov_b32"), 1, 2, 0, {})), program_error);
  EXPECT_THROW(m.run(words_dpp(row_named("v_mov_b32"), 1, 2, 0, {})), program_error);
  EXPECT_THROW(m.run({word_e32(row_named("v_readfirstlane_b32"), 1, v(2))}), program_error);
  EXPECT_THROW(m.run({word_e32(row_named("v_movrels_b32"), 1, v(2))}), program_error);
}

}  // namespace

}  // namespace pws::isa::test::vector_wide_test
