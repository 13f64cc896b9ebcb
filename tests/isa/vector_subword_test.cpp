// SPDX-License-Identifier: Apache-2.0
// SDWA, DPP, and register pairs that overlap.
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/isa/vector_lanes.h"
#include "tests/isa/vector_machine.h"
#include "tests/isa/vector_reference.h"

namespace pws::isa::test::vector_subword_test {

namespace {

constexpr unsigned dst = 10, src0 = 2, src1 = 4;

// --- SDWA ----------------------------------------------------------------------------------------

uint32_t selected(uint32_t x, unsigned select, bool sign_extend) {
  if (select == 6) return x;
  if (select < 4) {
    const auto byte = static_cast<uint8_t>(x >> (8 * select));
    return sign_extend ? static_cast<uint32_t>(static_cast<int8_t>(byte)) : byte;
  }
  const auto word = static_cast<uint16_t>(x >> (16 * (select - 4)));
  return sign_extend ? static_cast<uint32_t>(static_cast<int16_t>(word)) : word;
}
uint32_t placed(uint32_t x, uint32_t old, unsigned select, unsigned unused) {
  if (select == 6) return x;
  uint8_t bytes[4];
  const unsigned first = select < 4 ? select : 2 * (select - 4);
  const unsigned count = select < 4 ? 1 : 2;
  const bool negative = (x >> (8 * count - 1) & 1) != 0;
  for (unsigned n = 0; n < 4; ++n) {
    if (n >= first && n < first + count)
      bytes[n] = static_cast<uint8_t>(x >> (8 * (n - first)));
    else if (unused == 2)
      bytes[n] = static_cast<uint8_t>(old >> (8 * n));
    else
      bytes[n] = unused == 1 && negative && n >= first + count ? 0xff : 0;
  }
  return bytes[0] | uint32_t{bytes[1]} << 8 | uint32_t{bytes[2]} << 16 | uint32_t{bytes[3]} << 24;
}

TEST(vector_sdwa, every_select_and_fill) {
  const opcode_row& sub = row_named("v_sub_u32");
  const lanes a = random_lanes(11), b = random_lanes(12), old = random_lanes(13);
  uint64_t n = 0;
  for (unsigned dst_sel = 0; dst_sel < 7; ++dst_sel)
    for (unsigned unused = 0; unused < 3; ++unused)
      for (unsigned sel0 = 0; sel0 < 7; ++sel0)
        for (unsigned sel1 = 0; sel1 < 7; ++sel1)
          for (unsigned ext = 0; ext < 4; ++ext) {
            sdwa_word f;
            f.dst_sel = dst_sel;
            f.dst_unused = unused;
            f.src0_sel = sel0;
            f.src1_sel = sel1;
            f.src0_sext = (ext & 1) != 0;
            f.src1_sext = (ext & 2) != 0;
            const uint64_t mask = test_masks()[n++ % test_masks().size()];
            vector_machine m;
            m.write(src0, 1, a);
            m.write(src1, 1, b);
            m.write(dst, 1, old);
            m.state.set_scalar64(exec_lo, mask);
            m.run(words_sdwa(sub, dst, src0, src1, f));
            lanes want{};
            uint64_t borrows = 0;
            for (unsigned l = 0; l < wave_size; ++l) {
              const uint32_t x = selected(static_cast<uint32_t>(a[l]), sel0, f.src0_sext);
              const uint32_t y = selected(static_cast<uint32_t>(b[l]), sel1, f.src1_sext);
              want[l] = placed(x - y, static_cast<uint32_t>(old[l]), dst_sel, unused);
              if (x < y) borrows |= uint64_t{1} << l;
            }
            ASSERT_EQ(m.read(dst, 1), merged(old, want, mask)) << dst_sel << unused << sel0 << sel1 << ext;
            ASSERT_EQ(m.state.vcc(), borrows & mask);
          }
}

TEST(vector_sdwa, half_precision_in_the_upper_word) {
  vector_machine m;
  m.write(src0, 1, all_of(0x4000'3c00));  // 2.0, 1.0
  m.write(src1, 1, all_of(0xc200'3800));  // -3.0, 0.5
  m.write(dst, 1, all_of(0x1234'5678));
  sdwa_word f;
  f.dst_sel = 5;
  f.dst_unused = 2;
  f.src0_sel = 5;
  f.src1_sel = 5;
  f.abs = 2;
  f.neg = 1;
  m.run(words_sdwa(row_named("v_add_f16"), dst, src0, src1, f));
  EXPECT_EQ(m.read(dst, 1), all_of(0x3c00'5678));  // -2 + |-3| = 1
}

TEST(vector_sdwa, compare_and_in_place) {
  vector_machine m;
  m.write(src0, 1, all_of(0x00ff'0001));
  m.write(src1, 1, all_of(0x0000'00ff));
  sdwa_word f;
  f.src0_sel = 5;
  f.src1_sel = 4;
  m.run(words_sdwa(row_named("v_cmp_eq_u32"), 0, src0, src1, f));
  EXPECT_EQ(m.state.vcc(), everyone);
  f.src0_sel = 2;
  m.run(words_sdwa(row_named("v_or_b32"), src0, src0, src1, f));
  EXPECT_EQ(m.read(src0, 1), all_of(0xff));
}

// --- DPP -----------------------------------------------------------------------------------------

// The lane that is read, worked out row by row from the ISA's pictures; -1 where there is none.
int dpp_lane(unsigned ctrl, int lane) {
  const int row = lane / 16, column = lane % 16;
  if (ctrl < 0x100) {
    const unsigned choice[4] = {ctrl & 3, ctrl >> 2 & 3, ctrl >> 4 & 3, ctrl >> 6 & 3};
    return lane / 4 * 4 + static_cast<int>(choice[lane % 4]);
  }
  const int n = static_cast<int>(ctrl % 16);
  if (ctrl < 0x110) return column + n <= 15 ? row * 16 + column + n : -1;
  if (ctrl < 0x120) return column >= n ? row * 16 + column - n : -1;
  if (ctrl < 0x130) return row * 16 + (column + 16 - n) % 16;
  switch (ctrl) {
    case 0x130:
      return lane == 63 ? -1 : lane + 1;
    case 0x134:
      return lane == 63 ? 0 : lane + 1;
    case 0x138:
      return lane == 0 ? -1 : lane - 1;
    case 0x13c:
      return lane == 0 ? 63 : lane - 1;
    case 0x140:
      return row * 16 + 15 - column;
    case 0x141:
      return column < 8 ? row * 16 + 7 - column : row * 16 + 23 - column;
    case 0x142:
      return row == 0 ? -1 : row * 16 - 1;
    default:
      return lane < 32 ? -1 : 31;
  }
}

TEST(vector_dpp, every_control_under_every_mask) {
  std::vector<unsigned> controls = {0x00,  0x1b,  0xe4,  0xb1,  0xff,  0x130, 0x134,
                                    0x138, 0x13c, 0x140, 0x141, 0x142, 0x143};
  for (unsigned n = 1; n < 16; ++n)
    for (const unsigned base : {0x100u, 0x110u, 0x120u}) controls.push_back(base + n);
  const lanes a = random_lanes(21), b = random_lanes(22), old = random_lanes(23);
  for (const unsigned ctrl : controls)
    for (const uint64_t mask : test_masks())
      for (const bool bound_ctrl : {false, true})
        for (const unsigned masks : {0xffu, 0xf0u, 0x5au, 0xafu}) {
          dpp_word f;
          f.ctrl = ctrl;
          f.bound_ctrl = bound_ctrl;
          f.row_mask = masks >> 4;
          f.bank_mask = masks & 15;
          vector_machine m;
          m.write(src0, 1, a);
          m.write(src1, 1, b);
          m.write(dst, 1, old);
          m.state.set_scalar64(exec_lo, mask);
          m.run(words_dpp(row_named("v_xor_b32"), dst, src0, src1, f));
          lanes want = old;
          for (unsigned l = 0; l < wave_size; ++l) {
            const int from = dpp_lane(ctrl, static_cast<int>(l));
            const bool valid = from >= 0 && (mask >> from & 1) != 0;
            const bool enabled = (f.row_mask >> (l / 16) & 1) != 0 && (f.bank_mask >> (l % 16 / 4) & 1) != 0;
            if ((mask >> l & 1) == 0 || !enabled || (!valid && !bound_ctrl)) continue;
            want[l] = (valid ? a[static_cast<unsigned>(from)] : 0) ^ b[l];
          }
          ASSERT_EQ(m.read(dst, 1), want)
              << std::hex << ctrl << " mask " << mask << " bound " << bound_ctrl << " " << masks;
        }
}

TEST(vector_dpp, accumulates_and_takes_modifiers) {
  vector_machine m;
  lanes a{}, want{};
  for (unsigned l = 0; l < wave_size; ++l) {
    a[l] = bits_of(static_cast<float>(l));
    want[l] = bits_of(100.0f - 2.0f * static_cast<float>(l ^ 1));
  }
  m.write(src0, 1, a);
  m.write(src1, 1, all_of(bits_of(-2.0f)));
  m.write(dst, 1, all_of(bits_of(100.0f)));
  dpp_word f;
  f.ctrl = 0xb1;  // quad_perm [1,0,3,2]
  f.neg = 1;
  f.abs = 2;
  m.run(words_dpp(row_named("v_mac_f32"), dst, src0, src1, f));
  EXPECT_EQ(m.read(dst, 1), want);
}

// --- Register pairs that overlap -----------------------------------------------------------------

TEST(vector_overlap, destination_pair_shifted_against_its_sources) {
  for (const uint64_t mask : test_masks())
    for (unsigned from = 8; from <= 12; ++from)
      for (unsigned amount = 7; amount <= 13; ++amount) {
        // v[10:11] = v[from:from+1] << v[amount], every register distinct before.
        vector_machine m;
        for (unsigned r = 6; r < 15; ++r) m.write(r, 1, random_lanes(100 + r));
        const lanes x = m.read(from, 2), n = m.read(amount, 1), old = m.read(10, 2);
        m.state.set_scalar64(exec_lo, mask);
        vop3_fields f;
        f.dst = 10;
        f.src[0] = v(amount);
        f.src[1] = v(from);
        m.run(words_vop3(row_named("v_lshlrev_b64"), f));
        lanes want{};
        for (unsigned l = 0; l < wave_size; ++l) want[l] = x[l] << (n[l] & 63);
        ASSERT_EQ(m.read(10, 2), merged(old, want, mask))
            << "from " << from << " amount " << amount << " mask " << mask;
        ASSERT_EQ(m.read(9, 1), random_lanes(109));
        ASSERT_EQ(m.read(12, 1), random_lanes(112));
      }
}

TEST(vector_overlap, narrowing_and_widening_in_place) {
  for (const uint64_t mask : test_masks())
    for (unsigned to = 10; to <= 11; ++to) {
      vector_machine m;
      lanes x;
      for (unsigned l = 0; l < wave_size; ++l) x[l] = bits_of(l * 1.5 - 20);
      m.write(10, 2, x);
      const lanes old = m.read(to, 1);
      m.state.set_scalar64(exec_lo, mask);
      m.run({word_e32(row_named("v_cvt_f32_f64"), to, v(10))});
      lanes want{};
      for (unsigned l = 0; l < wave_size; ++l) want[l] = bits_of(static_cast<float>(l * 1.5 - 20));
      ASSERT_EQ(m.read(to, 1), merged(old, want, mask));
      // And back: v[10:11] from the register it covers.
      m.write(to, 1, want);
      const lanes before = m.read(10, 2);
      m.run({word_e32(row_named("v_cvt_f64_f32"), 10, v(to))});
      ASSERT_EQ(m.read(10, 2), merged(before, x, mask));
    }
}

// The upper half of the source, which the result takes the place of, has the NaN's sign and payload.
TEST(vector_overlap, a_narrowed_nan_is_the_sources_in_place) {
  for (unsigned to = 10; to <= 12; ++to) {
    vector_machine m;
    m.write(10, 2, all_of(0xfffb373b2dc44f5b));
    m.run({word_e32(row_named("v_cvt_f32_f64"), to, v(10))});
    EXPECT_EQ(m.read(to, 1), all_of(0xffd9b9d9)) << to;
  }
}

TEST(vector_overlap, accumulator_and_source_in_one_register) {
  vector_machine m;
  m.write(dst, 1, all_of(bits_of(3.0f)));
  m.run({word_e32(row_named("v_mac_f32"), dst, v(dst), dst)});
  EXPECT_EQ(m.read(dst, 1), all_of(bits_of(12.0f)));
}

}  // namespace

}  // namespace pws::isa::test::vector_subword_test
