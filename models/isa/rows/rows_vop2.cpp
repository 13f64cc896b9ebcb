// SPDX-License-Identifier: Apache-2.0
// VOP2: two sources, some with the destination or a literal as the third. (GCN3 ISA, chapter 12, "VOP2 Instructions")
#include <cmath>

#include "models/isa/integer.h"
#include "models/isa/vector/lane_bits.h"
#include "models/isa/vector/lane_float.h"
#include "models/isa/vector/vector_executor.h"

namespace pws::isa {

std::vector<opcode_row> vop2_rows() {
  using o = operation;
  using t = data_type;
  using namespace row_option;
  constexpr uint64_t fused_literal = literal_k | no_sdwa | no_dpp | no_vop3;
  return {
      // A float signature, because source modifiers apply.
      vop2<bitwise>(0x00, "v_cndmask_b32", reversed(o::select, t::b32),
                    [](float a, float b, lane_flag which) { return which.bit != 0 ? b : a; }),

      vop2(0x01, "v_add_f32", {o::add, t::f32}, [](float a, float b) { return a + b; }),
      vop2(0x02, "v_sub_f32", {o::subtract, t::f32}, [](float a, float b) { return a - b; }),
      vop2(0x03, "v_subrev_f32", reversed(o::subtract, t::f32), [](float a, float b) { return b - a; }),
      vop2<flush>(0x04, "v_mul_legacy_f32", [](float a, float b) { return multiply_legacy(a, b); }),
      vop2(0x05, "v_mul_f32", {o::multiply, t::f32}, [](float a, float b) { return a * b; }),
      vector_integer<o::multiply, t::i24>(format::vop2, 0x06, "v_mul_i32_i24"),
      vector_integer<o::multiply_high, t::i24>(format::vop2, 0x07, "v_mul_hi_i32_i24"),
      vector_integer<o::multiply, t::u24>(format::vop2, 0x08, "v_mul_u32_u24"),
      vector_integer<o::multiply_high, t::u24>(format::vop2, 0x09, "v_mul_hi_u32_u24"),
      vop2<bitwise>(0x0a, "v_min_f32", {o::minimum, t::f32},
                    [](float a, float b, fp_mode m) { return min_of(a, b, m); }),
      vop2<bitwise>(0x0b, "v_max_f32", {o::maximum, t::f32},
                    [](float a, float b, fp_mode m) { return max_of(a, b, m); }),
      vector_integer<o::minimum, t::i32>(format::vop2, 0x0c, "v_min_i32"),
      vector_integer<o::maximum, t::i32>(format::vop2, 0x0d, "v_max_i32"),
      vector_integer<o::minimum, t::u32>(format::vop2, 0x0e, "v_min_u32"),
      vector_integer<o::maximum, t::u32>(format::vop2, 0x0f, "v_max_u32"),
      vector_integer<o::shift_right, t::b32>(format::vop2, 0x10, "v_lshrrev_b32"),
      vector_integer<o::shift_right, t::i32>(format::vop2, 0x11, "v_ashrrev_i32"),
      vector_integer<o::shift_left, t::b32>(format::vop2, 0x12, "v_lshlrev_b32"),
      vector_integer<o::bit_and, t::b32>(format::vop2, 0x13, "v_and_b32"),
      vector_integer<o::bit_or, t::b32>(format::vop2, 0x14, "v_or_b32"),
      vector_integer<o::bit_xor, t::b32>(format::vop2, 0x15, "v_xor_b32"),
      vop2<flush | reads_dst>(0x16, "v_mac_f32", [](float a, float b, float d) { return a * b + d; }),
      vop2<flush | fused_literal>(0x17, "v_madmk_f32", [](float a, float k, float b) { return a * k + b; }),
      vop2<flush | fused_literal>(0x18, "v_madak_f32", [](float a, float b, float k) { return a * b + k; }),

      // Carry and borrow.
      vector_integer<o::add, t::u32>(format::vop2, 0x19, "v_add_u32"),
      vector_integer<o::subtract, t::u32>(format::vop2, 0x1a, "v_sub_u32"),
      vector_integer<o::subtract, t::u32, swapped>(format::vop2, 0x1b, "v_subrev_u32"),
      vector_integer<o::add_carry, t::u32>(format::vop2, 0x1c, "v_addc_u32"),
      vector_integer<o::subtract_borrow, t::u32>(format::vop2, 0x1d, "v_subb_u32"),
      vector_integer<o::subtract_borrow, t::u32, swapped>(format::vop2, 0x1e, "v_subbrev_u32"),

      // 16 bits.
      vop2(0x1f, "v_add_f16", {o::add, t::f16}, [](half a, half b) { return half(a + b); }),
      vop2(0x20, "v_sub_f16", {o::subtract, t::f16}, [](half a, half b) { return half(a - b); }),
      vop2(0x21, "v_subrev_f16", reversed(o::subtract, t::f16), [](half a, half b) { return half(b - a); }),
      vop2(0x22, "v_mul_f16", {o::multiply, t::f16}, [](half a, half b) { return half(a * b); }),
      vop2<reads_dst>(0x23, "v_mac_f16", [](half a, half b, half d) { return multiply_add_flushed(a, b, d); }),
      vop2<fused_literal>(0x24, "v_madmk_f16", [](half a, half k, half b) { return multiply_add_flushed(a, k, b); }),
      vop2<fused_literal>(0x25, "v_madak_f16", [](half a, half b, half k) { return multiply_add_flushed(a, b, k); }),
      vector_integer<o::add, t::u16>(format::vop2, 0x26, "v_add_u16"),
      vector_integer<o::subtract, t::u16>(format::vop2, 0x27, "v_sub_u16"),
      vector_integer<o::subtract, t::u16, swapped>(format::vop2, 0x28, "v_subrev_u16"),
      vector_integer<o::multiply, t::u16>(format::vop2, 0x29, "v_mul_lo_u16"),
      vector_integer<o::shift_left, t::b16>(format::vop2, 0x2a, "v_lshlrev_b16"),
      vector_integer<o::shift_right, t::b16>(format::vop2, 0x2b, "v_lshrrev_b16"),
      vector_integer<o::shift_right, t::i16>(format::vop2, 0x2c, "v_ashrrev_i16"),
      vop2<bitwise>(0x2d, "v_max_f16", {o::maximum, t::f16}, [](half a, half b, fp_mode m) { return max_of(a, b, m); }),
      vop2<bitwise>(0x2e, "v_min_f16", {o::minimum, t::f16}, [](half a, half b, fp_mode m) { return min_of(a, b, m); }),
      vector_integer<o::maximum, t::u16>(format::vop2, 0x2f, "v_max_u16"),
      vector_integer<o::maximum, t::i16>(format::vop2, 0x30, "v_max_i16"),
      vector_integer<o::minimum, t::u16>(format::vop2, 0x31, "v_min_u16"),
      vector_integer<o::minimum, t::i16>(format::vop2, 0x32, "v_min_i16"),
      vop2(0x33, "v_ldexp_f16", [](half x, int16_t n) { return half(scale_by_power(static_cast<double>(x), n)); }),
  };
}

}  // namespace pws::isa
