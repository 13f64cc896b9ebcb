// SPDX-License-Identifier: Apache-2.0
// Random code of the instructions that the analysis of lanes treats specially, and of such as it knows nothing of.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "models/isa/code/opcode_table.h"
#include "models/isa/opcode_row.h"
#include "tests/wcet/lane_random.h"

namespace pws::test {

constexpr unsigned n_vgprs = 10, n_sgprs = 16;

inline const isa::opcode_row& row_named(const std::string& name) {
  for (const isa::opcode_row* r : isa::all_rows())
    if (name == r->mnemonic) return *r;
  throw std::runtime_error(name);
}

class code_writer {
 public:
  static constexpr uint32_t vcc = 106;
  explicit code_writer(random_source& r) : r_(r) {}
  std::vector<uint32_t> words;

  // A 64-bit sum as compilers write it, or nearly: one of its registers may be another.
  void add_wide_sum() {
    const uint32_t carry = r_.one_in(2) ? vcc : 2 * r_.below(n_sgprs / 2);
    uint32_t row = vgpr(isa::type::b64), a = vgpr(isa::type::b64), b = 256 + vgpr(isa::type::b64);
    if (r_.one_in(3)) a = row;
    uint32_t a_high = 256 + a + 1, b_high = b + 1;
    if (r_.one_in(2)) {
      b = inline_number();
      b_high = r_.one_in(2) ? 128 : r_.one_in(2) ? 193 : inline_number();
    }
    if (r_.one_in(16)) a_high = 256 + vgpr(isa::type::b32);
    if (r_.one_in(16)) row = vgpr(isa::type::b64);
    const uint32_t first = row;
    if (r_.one_in(16)) row = vgpr(isa::type::b64);
    const auto sum = [&](const char* name, uint32_t dst, uint32_t x, uint32_t y, uint32_t mask) {
      words.push_back(0xd0000000 | (0x100u + row_named(name).opcode) << 16 | carry << 8 | dst);
      words.push_back(x | y << 9 | mask << 18);
    };
    const bool swapped = r_.one_in(2);
    sum("v_add_u32", first, swapped ? b : 256 + a, swapped ? 256 + a : b, 0);
    if (r_.one_in(8)) add(r_.one_in(2) ? "v_mov_b32" : "s_and_saveexec_b64");
    sum("v_addc_u32", row + 1, swapped ? b_high : a_high, swapped ? a_high : b_high, carry);
  }

  // An address as compilers write it for a table: a clamp, times its elements' size, and a 64-bit base.
  void add_clamped_address() {
    const uint32_t row = vgpr(isa::type::b64), x = 256 + vgpr(isa::type::b32);
    const auto vop3 = [&](const char* name, uint32_t dst, uint32_t a, uint32_t b, uint32_t c, uint32_t mask = 0) {
      const isa::opcode_row& r = row_named(name);
      words.push_back(0xd0000000 | (r.native == isa::format::vop2 ? 0x100u + r.opcode : r.opcode) << 16 | mask << 8 |
                      dst);
      words.push_back(a | b << 9 | c << 18);
    };
    // Its bounds are numbers or a scalar register.
    const uint32_t low = r_.one_in(3) ? r_.below(n_sgprs) : inline_number(), high = inline_number();
    if (r_.one_in(2)) {
      vop3(r_.one_in(2) ? "v_med3_i32" : "v_med3_u32", row, x, low, high);
    } else {
      vop3("v_min_i32", row, x, high, 0);
      vop3("v_max_i32", row, 256 + row, low, 0);
    }
    if (r_.one_in(3))  // a sign
      vop3("v_ashrrev_i32", row + 1, 128 + 31, 256 + row, 0);
    else
      vop3("v_lshrrev_b32", row + 1, 128 + (r_.one_in(2) ? 31 : r_.below(32)), 256 + row, 0);
    vop3("v_lshlrev_b64", row, 128 + r_.below(8), 256 + row, 0);
    const uint32_t base = r_.below(n_sgprs - 1);
    vop3("v_add_u32", row, base, 256 + row, 0, vcc);
    const uint32_t upper = r_.one_in(8) ? 256 + vgpr(isa::type::b32) : inline_number();
    vop3("v_addc_u32", row + 1, upper, 256 + row + 1, vcc, vcc);
  }

  // A number is compared, and some go on with those lanes where it is small, or large; nearly as compilers write it.
  void add_compared_branch() {
    constexpr const char* compares[] = {"v_cmp_lt_u32", "v_cmp_le_u32", "v_cmp_gt_u32", "v_cmp_ge_u32", "v_cmp_lt_i32",
                                        "v_cmp_le_i32", "v_cmp_gt_i32", "v_cmp_ge_i32", "v_cmp_eq_u32", "v_cmp_ne_u32"};
    const isa::opcode_row& compare = row_named(compares[r_.below(10)]);
    const uint32_t row = vgpr(isa::type::b32), bound = r_.one_in(4) ? sgpr(isa::type::b32) : inline_number();
    const uint32_t pair = r_.one_in(2) ? vcc : 2 * r_.below(n_sgprs / 2);
    if (r_.one_in(2)) {
      words.push_back(0xd0000000 | uint32_t{compare.opcode} << 16 | pair);
      words.push_back(r_.one_in(2) ? (256 + row) | bound << 9 : bound | (256 + row) << 9);
    } else {
      words.push_back(0x7c000000 | uint32_t{compare.opcode} << 17 | row << 9 | bound);
    }
    if (r_.one_in(3)) add(r_.one_in(2) ? "v_mov_b32" : r_.one_in(2) ? "s_and_b64" : "s_or_saveexec_b64");
    const uint32_t saved = 2 * r_.below(n_sgprs / 2);
    words.push_back(0xbe800000 | saved << 16 | uint32_t{row_named("s_and_saveexec_b64").opcode} << 8 |
                    (r_.one_in(4) ? vcc : pair));
    if (r_.one_in(2)) add(r_.one_in(2) ? "v_lshlrev_b32" : "v_add_u32");
    if (r_.one_in(3))  // back
      words.push_back(0xbe800000 | uint32_t{isa::exec_lo} << 16 | uint32_t{row_named("s_mov_b64").opcode} << 8 | saved);
  }

  // Both sides of a branch that anything may decide, nearly as compilers write it; `body` writes what either side does,
  // and the whole may be between a split and its merge.
  template <class F>
  void add_two_sides(F body, bool split) {
    const uint32_t saved = 2 * r_.below(n_sgprs / 2), condition = r_.one_in(2) ? vcc : 2 * r_.below(n_sgprs / 2);
    uint32_t other = r_.one_in(2) ? saved : 2 * r_.below(n_sgprs / 2), whole = 2 * r_.below(n_sgprs / 2);
    saveexec("s_and_saveexec_b64", saved, condition);
    if (r_.one_in(2))
      logic("s_xor_b64", other, isa::exec_lo, saved);
    else
      logic("s_xor_b64", other, saved, isa::exec_lo);
    if (split) words.push_back(0xbf147f7e);  // split exec_lo, exec_hi
    body();
    if (r_.one_in(16)) other = 2 * r_.below(n_sgprs / 2);
    if (r_.one_in(2)) {
      saveexec("s_andn2_saveexec_b64", whole, other);
    } else {
      saveexec("s_or_saveexec_b64", whole, other);
      logic("s_xor_b64", isa::exec_lo, isa::exec_lo, whole);
    }
    body();
    if (r_.one_in(16)) whole = 2 * r_.below(n_sgprs / 2);
    logic("s_or_b64", isa::exec_lo, isa::exec_lo, whole);
    if (split) add_merge();
  }

  // One part of the wavefront goes on: the lanes of a mask, or the others.
  void add_split() {
    const uint32_t pair = r_.one_in(4) ? uint32_t{isa::exec_lo} : r_.one_in(3) ? vcc : 2 * r_.below(n_sgprs / 2);
    words.push_back(0xbf140000 | (pair + 1) << 8 | pair);
  }
  void add_merge() { words.push_back(0xbf150000); }

  void saveexec(const char* name, uint32_t dst, uint32_t src) {
    words.push_back(0xbe800000 | dst << 16 | uint32_t{row_named(name).opcode} << 8 | src);
  }
  void logic(const char* name, uint32_t dst, uint32_t a, uint32_t b) {
    words.push_back(0x80000000 | uint32_t{row_named(name).opcode} << 23 | dst << 16 | b << 8 | a);
  }

  void add(const std::string& name) {
    const isa::opcode_row& row = row_named(name);
    switch (row.native) {
      case isa::format::sop1:
        sop1(row);
        break;
      case isa::format::sop2:
      case isa::format::sopc:
        sop2(row);
        break;
      case isa::format::sopk:
        words.push_back(0xb0000000 | uint32_t{row.opcode} << 23 | sgpr(row.dst) << 16 | r_.number() % 0x10000);
        break;
      case isa::format::vop3:
        vop3(row, row.opcode);
        break;
      default:
        vector(row);
        break;
    }
  }

 private:
  static constexpr uint32_t literal = 255;
  static unsigned width(isa::type t) { return isa::dwords_of(t); }
  uint32_t sgpr(isa::type t) { return width(t) == 2 ? 2 * r_.below(n_sgprs / 2) : r_.below(n_sgprs); }
  uint32_t vgpr(isa::type t) { return r_.below(n_vgprs - (width(t) == 2 ? 1 : 0)); }
  uint32_t inline_number() { return r_.one_in(3) ? 193 + r_.below(16) : 128 + r_.below(65); }
  uint32_t scalar(isa::type t) {
    if (width(t) == 2) {
      const uint32_t what = r_.below(8);
      if (what == 0) return isa::exec_lo;
      if (what == 1) return vcc;
      if (what == 2) return inline_number();
    }
    return r_.one_in(3) ? inline_number() : sgpr(t);
  }
  void emit(uint32_t word, bool has_literal) {
    words.push_back(word);
    if (has_literal) words.push_back(r_.number());
  }

  void sop1(const isa::opcode_row& row) {
    const bool use_literal = width(row.src[0]) == 1 && r_.one_in(4);
    uint32_t dst = sgpr(row.dst);
    if (width(row.dst) == 2 && r_.one_in(8)) dst = vcc;
    if (row.mnemonic == std::string("s_mov_b64") && r_.one_in(3)) dst = isa::exec_lo;
    emit(0xbe800000 | dst << 16 | uint32_t{row.opcode} << 8 | (use_literal ? literal : scalar(row.src[0])),
         use_literal);
  }
  void sop2(const isa::opcode_row& row) {
    const bool use_literal = width(row.src[0]) == 1 && r_.one_in(4);
    const uint32_t a = use_literal ? literal : scalar(row.src[0]), b = scalar(row.src[1]);
    if (row.native == isa::format::sopc) return emit(0xbf000000 | uint32_t{row.opcode} << 16 | b << 8 | a, use_literal);
    uint32_t dst = sgpr(row.dst);
    if (width(row.dst) == 2 && r_.one_in(4)) dst = r_.one_in(2) ? vcc : uint32_t{isa::exec_lo};
    emit(0x80000000 | uint32_t{row.opcode} << 23 | dst << 16 | b << 8 | a, use_literal);
  }

  bool scalar_taken_ = false;
  // A vector instruction reads one scalar register at most; constants do not count.
  uint32_t vector_source(isa::type t, bool vgpr_only) {
    if (!vgpr_only && r_.one_in(3)) return inline_number();
    if (!vgpr_only && !scalar_taken_ && r_.one_in(3)) {
      scalar_taken_ = true;
      return sgpr(t);
    }
    return 256 + vgpr(t);
  }
  void vector(const isa::opcode_row& row) {
    scalar_taken_ = (row.flags & (isa::reads_vcc | isa::implicit_vcc)) != 0;
    if (r_.one_in(4) && (row.flags & (isa::no_sdwa | isa::scalar_dst)) == 0) return sdwa(row);
    if (r_.one_in(2) && (row.flags & isa::no_vop3) == 0) {
      const unsigned base = row.native == isa::format::vop1 ? 0x140 : row.native == isa::format::vop2 ? 0x100 : 0;
      return vop3(row, base + row.opcode);
    }
    const bool use_literal = width(row.src[0]) == 1 && r_.one_in(4);
    const uint32_t a = use_literal ? literal : vector_source(row.src[0], false);
    const uint32_t op = row.opcode;
    const bool to_scalar = (row.flags & isa::scalar_dst) != 0;
    const uint32_t dst = to_scalar ? r_.below(n_sgprs) : vgpr(row.dst);
    if (row.native == isa::format::vop1)
      emit(0x7e000000 | dst << 17 | op << 9 | (to_scalar ? 256 + vgpr(row.src[0]) : a), !to_scalar && use_literal);
    else if (row.native == isa::format::vop2)
      emit(op << 25 | dst << 17 | vgpr(row.src[1]) << 9 | a, use_literal);
    else
      emit(0x7c000000 | op << 17 | vgpr(row.src[1]) << 9 | a, use_literal);
  }
  // Parts of dwords.
  void sdwa(const isa::opcode_row& row) {
    constexpr uint32_t second_dword = 249;
    const uint32_t op = row.opcode, dst = vgpr(row.dst), b = row.src[1] == isa::type::none ? 0 : vgpr(row.src[1]);
    words.push_back(row.native == isa::format::vop1   ? 0x7e000000 | dst << 17 | op << 9 | second_dword
                    : row.native == isa::format::vop2 ? op << 25 | dst << 17 | b << 9 | second_dword
                                                      : 0x7c000000 | op << 17 | b << 9 | second_dword);
    const bool is_signed = !isa::is_float(row.src[0]) && r_.one_in(3);
    words.push_back(vgpr(row.src[0]) | (r_.one_in(2) ? 6 : r_.below(7)) << 8 | r_.below(3) << 11 | r_.below(7) << 16 |
                    (is_signed ? 1u << 19 : 0) | r_.below(7) << 24 | (is_signed && r_.one_in(2) ? 1u << 27 : 0));
  }
  void vop3(const isa::opcode_row& row, unsigned op) {
    scalar_taken_ = (row.flags & isa::implicit_vcc) != 0;
    const bool flagged = (row.flags & isa::writes_vcc) != 0;
    const bool compares = row.native == isa::format::vopc;
    const bool to_scalar = (row.flags & isa::scalar_dst) != 0;
    const bool lane_named = (row.flags & isa::ignores_exec) != 0;
    const uint32_t pair = 2 * r_.below(n_sgprs / 2);
    uint32_t word = 0xd0000000 | op << 16 | (compares ? pair : to_scalar ? r_.below(n_sgprs) : vgpr(row.dst));
    if (flagged) word |= pair << 8;
    uint32_t sources = 0;
    unsigned n = 0;
    for (; n < 3 && row.src[n] != isa::type::none; ++n)
      sources |= (lane_named && (n == 1 || !to_scalar) ? inline_number() : vector_source(row.src[n], to_scalar))
                 << (9 * n);
    if ((row.flags & isa::reads_vcc) != 0) {
      // The only scalar register then.
      sources = (256 + vgpr(row.src[0])) | (256 + vgpr(row.src[1])) << 9 | (r_.one_in(2) ? vcc : pair) << 18;
    } else if (isa::is_float(row.dst) && r_.one_in(4)) {
      word |= 1u << 15;  // clamp
    }
    words.push_back(word);
    words.push_back(sources);
  }

  random_source& r_;
};

// Mnemonics.
inline const std::vector<std::string>& instructions() {
  static const std::vector<std::string> names = {
      // In lanes.
      "v_mov_b32", "v_not_b32", "v_and_b32", "v_or_b32", "v_xor_b32", "v_lshlrev_b32", "v_lshrrev_b32", "v_ashrrev_i32",
      "v_add_u32", "v_sub_u32", "v_subrev_u32", "v_addc_u32", "v_subb_u32", "v_subbrev_u32", "v_mul_lo_u32",
      "v_mul_hi_u32", "v_mul_u32_u24", "v_mul_i32_i24", "v_mad_u32_u24", "v_mad_i32_i24", "v_bfe_u32", "v_bfe_i32",
      "v_min_u32", "v_max_u32", "v_min_i32", "v_max_i32", "v_min3_u32", "v_max3_u32", "v_min3_i32", "v_max3_i32",
      "v_med3_u32", "v_med3_i32", "v_lshlrev_b16", "v_add_u16", "v_sub_u16", "v_subrev_u16", "v_mul_lo_u16",
      "v_lshlrev_b64", "v_lshrrev_b64", "v_ashrrev_i64", "v_mad_u64_u32", "v_cndmask_b32", "v_mbcnt_lo_u32_b32",
      "v_mbcnt_hi_u32_b32", "v_readfirstlane_b32", "v_readlane_b32", "v_writelane_b32", "v_cmp_lt_u32", "v_cmp_eq_u32",
      "v_cmp_le_u32", "v_cmp_gt_u32", "v_cmp_ne_u32", "v_cmp_ge_u32", "v_cmp_lt_i32", "v_cmp_gt_i32", "v_cmp_le_i32",
      "v_cmp_eq_i32", "v_cmpx_lt_u32", "v_cmp_lt_u64", "v_cmp_t_u32", "v_cmp_f_i32",
      // ... nothing known.
      "v_add_f32", "v_bfi_b32", "v_alignbit_b32", "v_perm_b32", "v_cvt_f32_u32", "v_mac_f32", "v_ffbh_u32",
      "v_mul_hi_i32", "v_bfrev_b32", "v_div_scale_f32", "v_mad_i64_i32", "v_sad_u32", "v_add_f64",
      // Shared by all lanes.
      "s_mov_b32", "s_mov_b64", "s_movk_i32", "s_add_u32", "s_add_i32", "s_addc_u32", "s_addk_i32", "s_sub_u32",
      "s_sub_i32", "s_subb_u32", "s_mul_i32", "s_mulk_i32", "s_and_b32", "s_or_b32", "s_xor_b32", "s_andn2_b32",
      "s_orn2_b32", "s_not_b32", "s_lshl_b32", "s_lshr_b32", "s_ashr_i32", "s_bfe_u32", "s_bfe_i32", "s_sext_i32_i8",
      "s_sext_i32_i16", "s_min_u32", "s_max_u32", "s_min_i32", "s_max_i32", "s_cselect_b32", "s_cmov_b32",
      "s_cmovk_i32", "s_not_b64", "s_and_b64", "s_or_b64", "s_xor_b64", "s_andn2_b64", "s_cselect_b64", "s_lshl_b64",
      "s_lshr_b64", "s_ashr_i64", "s_and_saveexec_b64", "s_or_saveexec_b64", "s_xor_saveexec_b64",
      "s_andn2_saveexec_b64", "s_nand_saveexec_b64", "s_cmp_lt_u32", "s_cmp_eq_i32", "s_cmp_ge_i32", "s_cmp_lg_u32",
      "s_cmpk_gt_u32", "s_cmpk_le_i32", "s_bitcmp0_b32", "s_bitcmp1_b32",
      // ... nothing known.
      "s_brev_b32", "s_bcnt1_i32_b64", "s_ff1_i32_b32", "s_nand_b64", "s_wqm_b64", "s_absdiff_i32", "s_bfm_b64",
      "s_cmov_b64", "s_bitset1_b32", "s_bfe_u64"};
  return names;
}

}  // namespace pws::test
