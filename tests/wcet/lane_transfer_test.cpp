// What the analysis says of an instruction's results against what the instruction does: random straight-line code runs
// on random registers that an abstract state describes, and after each instruction the real registers must be among
// those that the analysed state describes. Every instruction that the analysis treats specially is in the code, and
// such as it knows nothing of.
#include "sw/wcet/lanes/lane_transfer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <map>
#include <optional>

#include "models/isa/opcode_row.h"
#include "tests/wcet/lane_random.h"

namespace pws::test {
namespace {

using namespace wcet;
constexpr unsigned n_vgprs = 10, n_sgprs = 16;

// --- Code ------------------------------------------------------------------------------------------

const isa::opcode_row& row_named(const std::string& name) {
  for (const isa::opcode_row* r : isa::all_rows())
    if (name == r->mnemonic) return *r;
  throw std::runtime_error(name);
}

constexpr uint32_t literal = 255, vcc = 106;

class code_writer {
 public:
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

const std::vector<std::string>& instructions() {
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
      "s_cmpk_gt_u32", "s_cmpk_le_i32",
      // ... nothing known.
      "s_brev_b32", "s_bcnt1_i32_b64", "s_ff1_i32_b32", "s_nand_b64", "s_wqm_b64", "s_absdiff_i32", "s_bfm_b64",
      "s_cmov_b64", "s_bitset1_b32", "s_bfe_u64"};
  return names;
}

// --- Registers -------------------------------------------------------------------------------------

class machine {
 public:
  // `numbers`: everything is known.
  machine(random_source& r, uint64_t launched, bool numbers = false)
      : known(n_vgprs, launched, launched), rows_(n_vgprs) {
    state.n_vgprs = n_vgprs;
    state.n_sgprs = isa::sgpr_limit;
    state.vgpr = rows_.data();
    state.mode = 0x3c0;
    for (uint32_t& s : state.scalar) s = r.any();
    state.set_scalar64(isa::exec_lo, launched);
    for (unsigned v = 0; v < n_vgprs; ++v) {
      const described d = random_lanes(r);
      EXPECT_TRUE(d.value.holds(d.concrete, ~uint64_t{0}));
      for (unsigned l = 0; l < lanes_per_wave; ++l)
        rows_[v].lane[l] = (launched >> l & 1) != 0 ? d.concrete[l] : r.any();
      known.set_initial(v, numbers ? lane_value::of_lanes(d.concrete) : d.value);
    }
    for (unsigned v = 0; v + 1 < n_vgprs; v += 2)
      if (!numbers && r.one_in(3)) make_wide(r, v);
    for (unsigned s = 0; numbers && s < n_sgprs; ++s) known.set_scalar(s, word_set::constant(state.scalar[s]));
    for (unsigned s = 0; !numbers && s < n_sgprs; ++s) {
      if (r.one_in(3)) continue;
      if (r.one_in(4)) state.scalar[s] = 0;
      const unsigned bits = r.below(33);
      word_set w = r.one_in(2) ? word_set::aligned(bits, state.scalar[s])
                               : word_set{state.scalar[s] - r.below(100), 100 + r.below(100), 0, 0}.reduced();
      if (r.one_in(4)) w = word_set::constant(state.scalar[s]);
      known.set_scalar(s, w);
    }
  }

  machine(const machine& o) : state(o.state), known(o.known), rows_(o.rows_), launched_(o.launched_) {
    state.vgpr = rows_.data();
  }
  machine& operator=(const machine&) = delete;

  // Whether a split by that mask leaves work-items on both sides.
  bool parts_ways(uint64_t mask) const {
    const uint64_t work_items = state.split_mask & launched_;
    return (work_items & mask) != 0 && (work_items & ~mask) != 0;
  }
  // At their merge: takes the work-items of the second part.
  void take(const machine& second) {
    for (unsigned v = 0; v < n_vgprs; ++v)
      for (unsigned l = 0; l < lanes_per_wave; ++l)
        if ((state.split_mask >> l & 1) == 0) rows_[v].lane[l] = second.rows_[v].lane[l];
    state.split_mask |= second.state.split_mask;
    state.set_scalar64(isa::exec_lo, state.scalar64(isa::exec_lo) | second.state.scalar64(isa::exec_lo));
  }

  // "" or what does not fit.
  std::string mismatch() const {
    const uint64_t exec = state.active();
    if ((exec & ~known.lanes()) != 0) return "EXEC has other lanes";
    if (known.exec_number().value_or(exec) != exec) return "EXEC is another number";
    if (known.split_mask().value_or(state.split_mask) != state.split_mask) return "SpM is another number";
    for (unsigned v = 0; v < n_vgprs; ++v) {
      row_words w;
      std::copy(std::begin(rows_[v].lane), std::end(rows_[v].lane), w.begin());
      if (!known.vector(v).holds(w, exec)) return fmt::format("v{}", v);
    }
    for (unsigned v = 0; v + 1 < n_vgprs; ++v)
      if (const auto offsets = known.wide(v); offsets && !wide_holds(v, *offsets, exec))
        return fmt::format("v[{}:{}]", v, v + 1);
    for (unsigned v = 0; v + 1 < n_vgprs; ++v)
      if (!places_hold(v, known.wide_cover(v), exec)) return fmt::format("places of v[{}:{}]", v, v + 1);
    for (unsigned s = 0; s < 108; ++s)
      if ((s < n_sgprs || s >= 106) && !known.scalar(s).value.contains(state.scalar[s])) return fmt::format("s{}", s);
    if (!known.scc.contains(state.scc ? 1 : 0)) return "SCC";
    for (unsigned s = 0; s < 108; s += 2) {
      if (s >= n_sgprs && s < 106) continue;
      const lane_mask m = known.mask(s);
      const uint64_t real = state.scalar64(s);
      if (m.number.value_or(real) != real) return fmt::format("the mask s{} is another number", s);
      if ((real & ~m.lanes) != 0) return fmt::format("the mask s{} has other lanes", s);
      if (m.within_exec && (real & ~exec) != 0) return fmt::format("the mask s{} is not within EXEC", s);
      if (m.within[0] && (real & ~launched_) != 0) return fmt::format("the mask s{} is not within the launched", s);
      row_words bits;
      for (unsigned l = 0; l < lanes_per_wave; ++l) bits[l] = static_cast<uint32_t>(real >> l & 1);
      if (m.bits && !m.bits->holds(bits, exec)) return fmt::format("bits of the mask s{}", s);
    }
    return "";
  }
  bool wide_holds(unsigned v, const wide_offsets& offsets, uint64_t lanes) const {
    std::optional<uint64_t> base;
    for (unsigned l = 0; l < lanes_per_wave; ++l) {
      if ((lanes >> l & 1) == 0) continue;
      const uint64_t b = (rows_[v].lane[l] | uint64_t{rows_[v + 1].lane[l]} << 32) - static_cast<uint64_t>(offsets[l]);
      if (base && *base != b) return false;
      base = b;
    }
    return true;
  }
  bool places_hold(unsigned v, const lane_cover& c, uint64_t lanes) const {
    std::vector<uint64_t> at;
    for (unsigned l = 0; l < lanes_per_wave; ++l)
      if ((lanes >> l & 1) != 0) at.push_back(rows_[v].lane[l] | uint64_t{rows_[v + 1].lane[l]} << 32);
    return std::all_of(c.sizes().begin(), c.sizes().end(),
                       [&](const cover_size& s) { return is_covered(at, ~uint64_t{0}, s); });
  }
  void set_launched(uint64_t l) { launched_ = l; }

  isa::wave_state state;
  lane_state known;

 private:
  void make_wide(random_source& r, unsigned v) {
    const uint64_t base = r.number() | uint64_t{r.number()} << 32;
    const int64_t step = r.one_in(2) ? r.below(20) : static_cast<int64_t>(r.number()) << r.below(20);
    wide_offsets offsets;
    for (unsigned l = 0; l < lanes_per_wave; ++l) {
      offsets[l] = static_cast<int64_t>(l) * step;
      const uint64_t value = base + static_cast<uint64_t>(offsets[l]);
      rows_[v].lane[l] = static_cast<uint32_t>(value);
      rows_[v + 1].lane[l] = static_cast<uint32_t>(value >> 32);
    }
    known.set_initial(v, lane_value::unknown());
    known.set_initial(v + 1, lane_value::unknown());
    known.set_wide(v, offsets);
  }

  std::vector<isa::vgpr_row> rows_;
  uint64_t launched_ = ~uint64_t{0};
};

void go_on_as_a_part(isa::wave_state& s, const isa::inst& split, bool first) {
  const unsigned pair = split.src[0].index;
  const uint64_t mask = pair == isa::exec_lo ? s.active() : s.scalar64(pair);
  s.split_mask &= first ? mask : ~mask;
}

TEST(lane_transfer, describes_what_instructions_do) {
  std::map<std::string, unsigned> executed;
  uint64_t precise = 0, wide_sums = 0, parts = 0, places = 0;
  const char* wanted = std::getenv("PWS_LANE_PROGRAMS");
  const unsigned programs = wanted == nullptr ? 3000 : static_cast<unsigned>(std::atoi(wanted));
  for (unsigned seed = 0; seed < programs; ++seed) {
    random_source r(seed);
    code_writer writer(r);
    const size_t length = 4 + r.below(20);
    const bool splits = r.one_in(4);
    for (size_t k = 0; k < length; ++k) {
      if (splits && r.one_in(6)) writer.add_split();
      if (r.one_in(6)) writer.add_wide_sum();
      if (r.one_in(8)) writer.add_clamped_address();
      if (r.one_in(8)) writer.add_compared_branch();
      if (r.one_in(8)) {
        const auto some = [&] {
          if (r.one_in(2)) writer.add("v_add_u32");
          if (r.one_in(6)) writer.add(instructions()[r.below(static_cast<uint32_t>(instructions().size()))]);
        };
        writer.add_two_sides(
            [&] {
              some();
              if (r.one_in(3)) writer.add_two_sides(some, false);
            },
            false);
      }
      writer.add(instructions()[r.below(static_cast<uint32_t>(instructions().size()))]);
    }
    writer.words.push_back(0xbf810000);  // s_endpgm
    const cfg::function_code code = cfg::decode_function("f", writer.words.data(), writer.words.size(), 0x1000);
    const cfg::flow_graph graph(code);
    const launch_facts facts;
    const lane_transfer transfer(graph, facts);
    const uint64_t launched = r.one_in(3) ? (uint64_t{1} << (1 + r.below(63))) - 1 : ~uint64_t{0};
    machine m(r, launched);
    m.set_launched(launched);
    ASSERT_EQ(m.mismatch(), "") << "seed " << seed << " before";
    std::string text;
    for (size_t k = 0; k + 1 < code.instructions.size(); ++k) {
      const isa::inst& i = code.instructions[k];
      // The analysis assumes that an instruction for which it is known that lanes are active has some.
      if (m.state.active() == 0 && std::string(i.row->mnemonic) == "v_readfirstlane_b32") break;
      text += isa::disassemble(i) + "\n";
      transfer.apply(m.known, k);
      m.state.pc = i.pc + i.bytes();
      i.exec(m.state, i);
      if (i.unit == isa::unit::split) {
        go_on_as_a_part(m.state, i, r.one_in(2));
        parts += m.state.active() != 0 ? 1 : 0;
      }
      ++executed[i.row->mnemonic];
      ASSERT_EQ(m.mismatch(), "") << "seed " << seed << " after\n" << text;
      if (i.row->mnemonic == std::string("v_addc_u32")) {
        const lane_value& high = m.known.vector(i.dst.index);
        wide_sums += !high.is_uniform() && i.dst.index > 0 && m.known.wide(i.dst.index - 1u) != nullptr;
      }
      if (i.row->mnemonic == std::string("v_addc_u32") && i.dst.index > 0)
        places += m.known.wide(i.dst.index - 1u) == nullptr && !m.known.wide_cover(i.dst.index - 1u).empty();
      if (i.dst.kind == isa::operand_kind::vgpr) precise += m.known.vector(i.dst.index).relation().classes < 64;
    }
  }
  for (const std::string& name : instructions()) EXPECT_GT(executed[name], 20u) << name;
  EXPECT_GT(wide_sums, programs / 100);
  EXPECT_GT(places, programs / 20);
  EXPECT_GT(parts, programs / 10);
  EXPECT_GT(precise, programs);  // a description that allows anything would fit as well
}

// --- Parts -----------------------------------------------------------------------------------------

// A piece of code with splits and their merges, executed by all pieces of a wavefront, each with what is known of it.
class split_walk {
 public:
  split_walk(const lane_transfer& transfer, const std::vector<isa::inst>& code, random_source& r)
      : transfer_(transfer), code_(code), r_(r) {}
  unsigned merged = 0, exec_known = 0;
  std::string failure;

  // From instruction `k` to the end, or to the merge of the split around it.
  size_t run(machine& m, size_t k) {
    for (; k + 1 < code_.size() && failure.empty(); ++k) {
      const isa::inst& i = code_[k];
      if (i.unit == isa::unit::merge) return k;
      if (m.state.active() == 0 && std::string(i.row->mnemonic) == "v_readfirstlane_b32") {
        failure = "stop";
        return k;
      }
      m.state.pc = i.pc + i.bytes();
      if (i.unit == isa::unit::split) {
        k = split(m, k);
      } else {
        transfer_.apply(m.known, k);
        i.exec(m.state, i);
      }
      check(m, k);
    }
    return k;
  }

 private:
  void check(const machine& m, size_t k) {
    if (failure.empty()) failure = m.mismatch();
    if (!failure.empty() && failure != "stop") failure += fmt::format(" at {} {}", k, isa::disassemble(code_[k]));
  }
  // Returns the merge.
  size_t split(machine& m, size_t k) {
    const unsigned pair = code_[k].src[0].index;
    const uint64_t mask = pair == isa::exec_lo ? m.state.active() : m.state.scalar64(pair);
    const auto cases = transfer_.cases_of(m.known, k);
    const bool parts = m.parts_ways(mask) && !r_.one_in(4);  // else there is no context
    if (cases && parts && !cases->first) failure = fmt::format("parts that there are not, at {}", k);
    if (!failure.empty()) return k;
    if (!parts) {
      if (cases)
        m.known = cases->whole;
      else
        transfer_.apply(m.known, k);
      check(m, k);
      const size_t end = run(m, k + 1);
      if (cases)
        m.known.end_whole();
      else
        transfer_.apply(m.known, end);
      return end;
    }
    machine second = m;
    m.state.split_mask &= mask;
    second.state.split_mask &= ~mask;
    if (cases) {
      m.known = *cases->first;
      second.known = *cases->second;
    } else {
      transfer_.apply(m.known, k);
      second.known = m.known;
    }
    check(m, k);
    check(second, k);
    const size_t end = run(m, k + 1);
    if (failure.empty()) run(second, k + 1);
    if (!failure.empty()) return end;
    m.take(second);
    if (cases)
      m.known = transfer_.merged(m.known, second.known, end);
    else
      transfer_.apply(m.known, end);
    ++merged;
    exec_known += m.known.exec_number() ? 1 : 0;
    return end;
  }

  const lane_transfer& transfer_;
  const std::vector<isa::inst>& code_;
  random_source& r_;
};

TEST(lane_transfer, describes_parts_and_what_they_are_together) {
  unsigned merged = 0, exec_known = 0;
  const char* wanted = std::getenv("PWS_LANE_PROGRAMS");
  const unsigned programs = wanted == nullptr ? 3000 : static_cast<unsigned>(std::atoi(wanted));
  for (unsigned seed = 0; seed < programs; ++seed) {
    random_source r(seed + 1000000);
    code_writer writer(r);
    const bool numbers = r.one_in(2);
    const auto block = [&] {
      for (size_t n = r.below(6); n != 0; --n) {
        // Lanes of other parts are not to be reached.
        const std::string& name = instructions()[r.below(static_cast<uint32_t>(instructions().size()))];
        if (name != "v_writelane_b32") writer.add(name);
        if (r.one_in(4)) writer.add(r.one_in(2) ? "v_cmp_lt_u32" : "v_mov_b32");
        if (numbers) writer.add(r.one_in(2) ? "v_add_u32" : "v_mov_b32");
      }
    };
    const unsigned depth = r.one_in(2) ? 0 : 1 + r.below(3);
    for (unsigned d = 0; d < depth; ++d) {
      block();
      writer.add_split();
    }
    for (unsigned d = 0; d < depth; ++d) {
      block();
      writer.add_merge();
    }
    block();
    // Branches in one another, some of them split.
    std::function<void(unsigned)> branch = [&](unsigned levels) {
      writer.add_two_sides(
          [&] {
            if (r.one_in(2)) block();
            if (levels != 0 && r.one_in(2)) branch(levels - 1);
          },
          !r.one_in(4));
      if (r.one_in(2)) block();
    };
    if (depth == 0) branch(2);
    writer.words.push_back(0xbf810000);  // s_endpgm
    const cfg::function_code code = cfg::decode_function("f", writer.words.data(), writer.words.size(), 0x1000);
    const cfg::flow_graph graph(code);
    const launch_facts facts;
    const lane_transfer transfer(graph, facts);
    const uint64_t launched = r.one_in(3) ? (uint64_t{1} << (1 + r.below(63))) - 1 : ~uint64_t{0};
    machine m(r, launched, numbers);
    m.set_launched(launched);
    split_walk walk(transfer, code.instructions, r);
    walk.run(m, 0);
    std::string text;
    for (const isa::inst& i : code.instructions) text += isa::disassemble(i) + "\n";
    ASSERT_TRUE(walk.failure.empty() || walk.failure == "stop") << "seed " << seed << ": " << walk.failure << "\n"
                                                                << text;
    merged += walk.merged;
    exec_known += walk.exec_known;
  }
  EXPECT_GT(merged, programs / 3);
  EXPECT_GT(exec_known, programs / 10);
}

// Walks through the code from 40 random states, each of which `begin` completes; `end` sees what it has become.
void walk_words(
    const std::vector<uint32_t>& words, const std::function<void(machine&)>& begin,
    const std::function<void(const machine&)>& end = [](const machine&) {}) {
  const cfg::function_code code = cfg::decode_function("f", words.data(), words.size(), 0x1000);
  const cfg::flow_graph graph(code);
  const launch_facts facts;
  const lane_transfer transfer(graph, facts);
  unsigned merged = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    random_source r(seed);
    machine m(r, ~uint64_t{0});
    begin(m);
    split_walk walk(transfer, code.instructions, r);
    walk.run(m, 0);
    EXPECT_EQ(walk.failure, "") << "seed " << seed;
    merged += walk.merged;
    end(m);
  }
  EXPECT_GT(merged, 10u);
}

// A mask of before the split puts the other part's work-items into a part's EXEC: they are active behind the merge, and
// have not done what the other one did.
TEST(lane_transfer, a_part_may_write_the_others_lanes_to_exec) {
  const auto sop1 = [](const char* name, uint32_t dst, uint32_t src) {
    return 0xbe800000 | dst << 16 | uint32_t{row_named(name).opcode} << 8 | src;
  };
  const std::vector<uint32_t> words = {
      sop1("s_and_saveexec_b64", 2, 4),  // s[4:5] is not known
      0xbf147f7e,                        // split exec_lo, exec_hi
      // The first part is empty now, the second one has all work-items in EXEC.
      0x80000000 | uint32_t{row_named("s_xor_b64").opcode} << 23 | uint32_t{isa::exec_lo} << 16 | 2u << 8 |
          isa::exec_lo,
      0x7e000000 | 1u << 17 | uint32_t{row_named("v_mov_b32").opcode} << 9 | 135,  // v1 = 7
      0xbf150000,                                                                  // merge
      0xbf810000};
  walk_words(words, [](machine& m) {
    m.known.set_scalar(4, word_set::any());
    m.known.set_scalar(5, word_set::any());
  });
}

// The sides of a branch that data decide are together what was there before it, also where parts of the wavefront have
// taken them, and branches inside of a side do not matter.
TEST(lane_transfer, both_sides_together_are_what_was_there_before) {
  for (const bool outer : {false, true})
    for (const bool inner : {false, true})
      for (unsigned seed = 0; seed < 30; ++seed) {
        random_source r(seed);
        code_writer writer(r);
        const auto if_else = [&](uint32_t saved, uint32_t other, uint32_t condition, bool split, auto body) {
          writer.saveexec("s_and_saveexec_b64", saved, condition);
          writer.logic("s_xor_b64", other, isa::exec_lo, saved);
          if (split) writer.words.push_back(0xbf147f7e);  // split exec_lo, exec_hi
          body();
          if (seed % 2 != 0) {
            writer.saveexec("s_andn2_saveexec_b64", other, other);
          } else {
            writer.saveexec("s_or_saveexec_b64", other, other);
            writer.logic("s_xor_b64", isa::exec_lo, isa::exec_lo, other);
          }
          if (seed % 3 == 0) body();
          writer.logic("s_or_b64", isa::exec_lo, isa::exec_lo, other);
          if (split) writer.add_merge();
        };
        if_else(2, 2, 4, outer, [&] { if_else(8, 10, 6, inner, [] {}); });
        writer.words.push_back(0xbf810000);
        const cfg::function_code code = cfg::decode_function("f", writer.words.data(), writer.words.size(), 0x1000);
        const cfg::flow_graph graph(code);
        const launch_facts facts;
        const lane_transfer transfer(graph, facts);
        const uint64_t launched = seed % 5 == 0 ? 0xffffffffff : ~uint64_t{0};
        machine m(r, launched);
        m.set_launched(launched);
        for (unsigned k = 4; k < 8; ++k) m.known.set_scalar(k, word_set::any());
        split_walk walk(transfer, code.instructions, r);
        walk.run(m, 0);
        EXPECT_EQ(walk.failure, "") << "seed " << seed << (outer ? " outer" : "") << (inner ? " inner" : "");
        EXPECT_EQ(m.known.exec_number(), launched) << seed << (outer ? " outer" : "") << (inner ? " inner" : "");
      }
}

// ... but not where a side's mask has been changed, or a mask of another branch takes its place.
TEST(lane_transfer, other_masks_are_not_sides) {
  for (const unsigned wrong : {0u, 1u, 2u, 3u}) {
    random_source r(wrong);
    code_writer writer(r);
    writer.saveexec("s_and_saveexec_b64", 2, 4);
    writer.logic("s_xor_b64", 8, isa::exec_lo, 2);
    if (wrong == 0) writer.logic("s_and_b64", 8, 8, 6);                          // fewer lanes
    if (wrong == 1) writer.logic("s_andn2_b64", isa::exec_lo, isa::exec_lo, 6);  // some have left
    writer.saveexec("s_andn2_saveexec_b64", 10, 8);
    if (wrong == 2) writer.logic("s_and_b64", isa::exec_lo, isa::exec_lo, 6);
    if (wrong == 3) writer.logic("s_xor_b64", 10, 10, 6);
    writer.logic("s_or_b64", isa::exec_lo, isa::exec_lo, 10);
    writer.words.push_back(0xbf810000);
    const cfg::function_code code = cfg::decode_function("f", writer.words.data(), writer.words.size(), 0x1000);
    const cfg::flow_graph graph(code);
    const launch_facts facts;
    const lane_transfer transfer(graph, facts);
    machine m(r, ~uint64_t{0});
    m.state.set_scalar64(4, 0x0123456789abcdef);
    m.state.set_scalar64(6, 0x00ff00ff00ff00ff);
    for (unsigned k = 4; k < 8; ++k) m.known.set_scalar(k, word_set::any());
    split_walk walk(transfer, code.instructions, r);
    walk.run(m, 0);
    EXPECT_EQ(walk.failure, "") << wrong;
    EXPECT_NE(m.state.active(), ~uint64_t{0}) << wrong;
    EXPECT_EQ(m.known.exec_number(), std::nullopt) << wrong;
  }
}

// Each part has a number of its own in all of its lanes: together they have two.
TEST(lane_transfer, numbers_of_two_parts_are_two_numbers) {
  const std::vector<uint32_t> words = {
      0xbf140504,                                                                            // split s4, s5
      0x7e000000 | 8u << 17 | uint32_t{row_named("v_readfirstlane_b32").opcode} << 9 | 259,  // s8 = that of v3
      0x7e000000 | 1u << 17 | uint32_t{row_named("v_mov_b32").opcode} << 9 | 8,              // v1 = s8
      0xbf150000,                                                                            // merge
      0xbf810000};
  const auto begin = [](machine& m) {
    m.state.set_scalar64(4, 0xffff00ff);
    m.known.set_scalar(4, word_set::constant(0xffff00ff));
    m.known.set_scalar(5, word_set::constant(0));
    m.known.forget_vector(3);
    for (unsigned l = 0; l < lanes_per_wave; ++l) m.state.vgpr[3].lane[l] = l * 7919;
  };
  walk_words(words, begin, [](const machine& m) { EXPECT_EQ(m.known.exec_number(), ~uint64_t{0}); });
}

}  // namespace
}  // namespace pws::test
