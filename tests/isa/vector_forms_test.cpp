// SPDX-License-Identifier: Apache-2.0
// The forms of vector instructions beside plain registers: scalars, constants, literals, source and output modifiers.
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "tests/isa/vector_lanes.h"
#include "tests/isa/vector_machine.h"
#include "tests/isa/vector_reference.h"

namespace pws::isa::test::vector_forms_test {

namespace {

constexpr unsigned dst = 10, src0 = 2, src1 = 4;

// --- Scalar sources and constants ----------------------------------------------------------------

TEST(vector_sources, scalars_and_constants_reach_every_lane) {
  const opcode_row& add = row_named("v_add_u32");
  for (const uint64_t mask : test_masks()) {
    vector_machine m;
    const lanes b = random_lanes(1), old = random_lanes(2);
    m.write(src1, 1, b);
    m.state.set_scalar64(exec_lo, mask);
    m.state.scalar[5] = 0x89abcdef;
    m.state.scalar[m0] = 77;
    m.state.scc = true;
    const auto expect = [&](const std::vector<uint32_t>& words, uint64_t a) {
      m.write(dst, 1, old);
      m.state.set_scalar64(vcc_lo, 0);
      m.run(words);
      lanes want;
      for (unsigned l = 0; l < wave_size; ++l) want[l] = (a + b[l]) & 0xffffffff;
      EXPECT_EQ(m.read(dst, 1), merged(old, want, mask)) << a;
    };
    expect({word_e32(add, dst, 5, src1)}, 0x89abcdef);
    expect({word_e32(add, dst, 124, src1)}, 77);
    expect({word_e32(add, dst, integer_field(64), src1)}, 64);
    expect({word_e32(add, dst, integer_field(-16), src1)}, 0xfffffff0);
    expect({word_e32(add, dst, 242, src1)}, 0x3f800000);
    expect({word_e32(add, dst, literal_follows, src1), 0xdeadbeef}, 0xdeadbeef);
    expect({word_e32(add, dst, 251, src1)}, 1);                  // vccz
    expect({word_e32(add, dst, 252, src1)}, mask == 0 ? 1 : 0);  // execz
    expect({word_e32(add, dst, 253, src1)}, 1);                  // scc
  }
}

TEST(vector_sources, constants_take_the_type_of_the_operand) {
  vector_machine m;
  vop3_fields f;
  f.dst = dst;
  f.src[0] = 242;  // 1.0
  f.src[1] = 244;  // 2.0
  m.run(words_vop3(row_named("v_add_f64"), f));
  EXPECT_EQ(m.read(dst, 2), all_of(bits_of(3.0)));
  m.run(words_vop3(row_named("v_add_f16"), f));
  EXPECT_EQ(m.read(dst, 1), all_of(0x4200));
  m.run(words_vop3(row_named("v_add_f32"), f));
  EXPECT_EQ(m.read(dst, 1), all_of(bits_of(3.0f)));
  f.src[0] = integer_field(4);
  f.src[1] = integer_field(-1);
  m.run(words_vop3(row_named("v_lshlrev_b64"), f));
  EXPECT_EQ(m.read(dst, 2), all_of(~uint64_t{15}));
  // A literal is the high half of a double.
  m.run({word_e32(row_named("v_floor_f64"), dst, literal_follows), 0x40091eb8});
  EXPECT_EQ(m.read(dst, 2), all_of(bits_of(3.0)));
}

TEST(vector_sources, scalar_pairs_are_64_bits) {
  vector_machine m;
  m.state.set_scalar64(6, 0x123456789abcdef0);
  vop3_fields f;
  f.dst = dst;
  f.src[0] = integer_field(4);
  f.src[1] = 6;
  m.run(words_vop3(row_named("v_lshrrev_b64"), f));
  EXPECT_EQ(m.read(dst, 2), all_of(0x0123456789abcdef));
}

// A work-item that belongs to another SWF is not there for whoever reads EXEC: v_mbcnt counts the lanes of this SWF
// only.
TEST(vector_sources, exec_is_what_the_split_mask_leaves_of_it) {
  vector_machine m;
  m.state.set_scalar64(exec_lo, 0x00000000ffffffff);
  m.state.split_mask = 0xffffffff0000f0f0;
  m.run({word_e32(row_named("v_mov_b32"), dst, 126)});
  EXPECT_EQ(m.read(dst, 1)[4], 0xf0f0u);
  vop3_fields f;
  f.dst = dst;
  f.src[0] = 126;
  f.src[1] = integer_field(0);
  m.run(words_vop3(row_named("v_mbcnt_lo_u32_b32"), f));
  EXPECT_EQ(m.read(dst, 1)[15], 7u);
  f.src[0] = integer_field(0);
  f.src[1] = integer_field(1);
  f.src[2] = 126;
  m.run(words_vop3(row_named("v_cndmask_b32"), f));
  EXPECT_EQ(m.read(dst, 1)[12], 1u);
}

TEST(vector_sources, registers_beyond_the_allocation_are_errors) {
  vector_machine m;
  m.state.n_vgprs = 12;
  const opcode_row& mov = row_named("v_mov_b32");
  EXPECT_THROW(m.run({word_e32(mov, 12, v(0))}), program_error);
  EXPECT_THROW(m.run({word_e32(mov, 0, v(12))}), program_error);
  EXPECT_THROW(m.run({word_e32(row_named("v_floor_f64"), 11, v(0))}), program_error);
  EXPECT_NO_THROW(m.run({word_e32(mov, 11, v(11))}));
}

// --- Modifiers -----------------------------------------------------------------------------------

TEST(vector_modifiers, neg_and_abs_of_each_source_and_width) {
  const float a = -3.5f, b = 1.25f, c = -0.5f;
  vector_machine m;
  m.write(2, 1, all_of(bits_of(a)));
  m.write(4, 1, all_of(bits_of(b)));
  m.write(6, 1, all_of(bits_of(c)));
  for (unsigned neg = 0; neg < 8; ++neg)
    for (unsigned abs = 0; abs < 8; ++abs) {
      const auto value = [&](float x, unsigned n) {
        const float y = (abs >> n & 1) != 0 ? std::fabs(x) : x;
        return (neg >> n & 1) != 0 ? -y : y;
      };
      vop3_fields f;
      f.dst = dst;
      for (unsigned n = 0; n < 3; ++n) f.src[n] = v(2 + 2 * n);
      f.neg = neg;
      f.abs = abs;
      m.run(words_vop3(row_named("v_fma_f32"), f));
      EXPECT_EQ(m.read(dst, 1), all_of(bits_of(std::fma(value(a, 0), value(b, 1), value(c, 2))))) << neg << " " << abs;
    }
  m.write(2, 2, all_of(bits_of(-3.5)));
  m.write(4, 2, all_of(bits_of(1.25)));
  vop3_fields f;
  f.dst = dst;
  f.src[0] = v(2);
  f.src[1] = v(4);
  f.abs = 1;
  f.neg = 2;
  m.run(words_vop3(row_named("v_add_f64"), f));
  EXPECT_EQ(m.read(dst, 2), all_of(bits_of(2.25)));
  m.write(2, 1, all_of(0xc300));  // -3.5
  m.write(4, 1, all_of(0x3d00));  // 1.25
  m.run(words_vop3(row_named("v_add_f16"), f));
  EXPECT_EQ(m.read(dst, 1), all_of(0x4080));
  // The sources themselves are left alone, and a constant takes modifiers too.
  EXPECT_EQ(m.read(2, 1), all_of(0xc300));
  f.src[0] = 242;
  f.neg = 1;
  f.abs = 0;
  m.run(words_vop3(row_named("v_add_f16"), f));
  EXPECT_EQ(m.read(dst, 1), all_of(0x3400));
}

TEST(vector_modifiers, cndmask_takes_float_modifiers) {
  vector_machine m;
  m.write(2, 1, all_of(0x00000001));
  m.write(4, 1, all_of(0x40000000));
  m.state.set_scalar64(20, 0xff);
  vop3_fields f;
  f.dst = dst;
  f.src[0] = v(2);
  f.src[1] = v(4);
  f.src[2] = 20;
  f.neg = 3;
  m.run(words_vop3(row_named("v_cndmask_b32"), f));
  for (unsigned l = 0; l < wave_size; ++l) EXPECT_EQ(m.read(dst, 1)[l], l < 8 ? 0xc0000000 : 0x80000001) << l;
}

TEST(vector_modifiers, clamp_limits_to_the_unit_interval) {
  const float values[] = {-1.0f, -0.0f, 0.0f, 0.25f, 1.0f, 1.5f, INFINITY, -INFINITY};
  vector_machine m;
  lanes in{}, want{};
  for (unsigned l = 0; l < wave_size; ++l) {
    in[l] = bits_of(values[l % 8]);
    want[l] = bits_of(std::fmin(std::fmax(values[l % 8], 0.0f), 1.0f)) & 0x7fffffff;
  }
  in[63] = 0x7fc00000;
  want[63] = 0;
  m.write(2, 1, in);
  vop3_fields f;
  f.dst = dst;
  f.src[0] = v(2);
  f.src[1] = 242;  // times 1.0
  f.clamp = true;
  m.run(words_vop3(row_named("v_mul_f32"), f));
  EXPECT_EQ(m.read(dst, 1), want);
  // Without DX10_CLAMP a NaN stays one.
  m.state.mode = default_mode & ~0x100u;
  m.run(words_vop3(row_named("v_mul_f32"), f));
  EXPECT_EQ(m.read(dst, 1)[63], 0x7fc00000u);
}

TEST(vector_modifiers, integer_clamp_saturates_unsigned_sums_and_differences) {
  struct sample {
    const char* row;
    uint32_t a, b, want;
    bool carry;
  };
  const sample samples[] = {
      {"v_add_u32", 0xffffffff, 32, 0xffffffff, true},
      {"v_add_u32", 0xfffffffe, 1, 0xffffffff, false},
      {"v_add_u32", 5, 32, 37, false},
      {"v_add_u32", 0x80000000, 0x80000000, 0xffffffff, true},
      {"v_sub_u32", 5, 6, 0, true},
      {"v_sub_u32", 6, 5, 1, false},
      {"v_subrev_u32", 6, 5, 0, true},
      {"v_subrev_u32", 5, 6, 1, false},
      {"v_add_u16", 0x7000ffff, 1, 0xffff, false},
      {"v_add_u16", 0xffff0001, 0xffff0002, 3, false},
      {"v_sub_u16", 0xffff0005, 6, 0, false},
      {"v_sub_u16", 6, 0xffff0005, 1, false},
      {"v_subrev_u16", 0x10000006, 5, 0, false},
      {"v_subrev_u16", 5, 0x10000006, 1, false},
  };
  for (const sample& t : samples) {
    vector_machine m;
    m.write(2, 1, all_of(t.a));
    m.write(4, 1, all_of(t.b));
    vop3_fields f;
    f.dst = dst;
    f.src[0] = v(2);
    f.src[1] = v(4);
    f.sdst = 30;
    f.clamp = true;
    const bool writes_carry = (row_named(t.row).flags & writes_vcc) != 0;
    if (!writes_carry) f.sdst = 0;
    m.run(words_vop3(row_named(t.row), f));
    EXPECT_EQ(m.read(dst, 1), all_of(t.want)) << t.row << " " << t.a << " " << t.b;
    if (writes_carry) {
      EXPECT_EQ(m.state.scalar64(30), t.carry ? ~uint64_t{0} : 0) << t.row;
    }
  }
}

TEST(vector_modifiers, other_integer_clamps_are_refused) {
  for (const char* row : {"v_mul_u32_u24", "v_lshlrev_b32", "v_and_b32", "v_mad_u32_u24"}) {
    vector_machine m;
    vop3_fields f;
    f.dst = dst;
    f.src[0] = v(2);
    f.src[1] = v(4);
    f.clamp = true;
    EXPECT_THROW(m.run(words_vop3(row_named(row), f)), program_error) << row;
  }
}

TEST(vector_modifiers, omod_scales_where_denormals_are_flushed_outside_ieee_mode) {
  vector_machine m;
  m.write(2, 1, all_of(bits_of(3.0f)));
  vop3_fields f;
  f.dst = dst;
  f.src[0] = v(2);
  f.src[1] = 242;
  const float factors[] = {1.0f, 2.0f, 4.0f, 0.5f};
  for (unsigned omod = 0; omod < 4; ++omod) {
    f.omod = omod;
    m.state.mode = default_mode & ~0x200u;
    m.run(words_vop3(row_named("v_mul_f32"), f));
    EXPECT_EQ(m.read(dst, 1), all_of(bits_of(3.0f * factors[omod])));
    m.state.mode = default_mode;  // IEEE
    m.run(words_vop3(row_named("v_mul_f32"), f));
    EXPECT_EQ(m.read(dst, 1), all_of(bits_of(3.0f)));
    m.state.mode = (default_mode & ~0x200u) | 0x30;  // single-precision denormals kept
    m.run(words_vop3(row_named("v_mul_f32"), f));
    EXPECT_EQ(m.read(dst, 1), all_of(bits_of(3.0f)));
  }
  // -0 becomes +0, and 4.0 * 0.5 is clamped after the scaling.
  m.state.mode = default_mode & ~0x200u;
  f.omod = 1;
  m.write(2, 1, all_of(0x80000000));
  m.run(words_vop3(row_named("v_mul_f32"), f));
  EXPECT_EQ(m.read(dst, 1), all_of(0));
  m.write(2, 1, all_of(bits_of(0.75f)));
  f.clamp = true;
  m.run(words_vop3(row_named("v_mul_f32"), f));
  EXPECT_EQ(m.read(dst, 1), all_of(bits_of(1.0f)));
}

}  // namespace

}  // namespace pws::isa::test::vector_forms_test
