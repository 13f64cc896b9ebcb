// SPDX-License-Identifier: Apache-2.0
// What each row is said to be, against lists and rules written a second time: from opcodes, flags and operand types of
// the ISA document where these tell, by name where they do not. Every row is in exactly one of them, or computes a
// value that may be any.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>

#include "models/isa/code/opcode_table.h"
#include "models/isa/predicates.h"

namespace pws::isa::test::operation_test {

namespace {

using o = operation;
using t = data_type;
using c = branch_condition;

std::string text_of(const meaning& m) {
  std::ostringstream s;
  s << "operation " << unsigned(m.does) << " of type " << unsigned(m.of) << ", relation " << unsigned(m.compares)
    << ", branch condition " << unsigned(m.taken_if) << (m.saves_exec ? ", saves EXEC" : "")
    << (m.reversed ? ", reversed" : "");
  return s.str();
}

std::vector<std::string> split(const std::string& text) {
  std::istringstream s(text);
  std::vector<std::string> words;
  for (std::string w; s >> w;) words.push_back(w);
  return words;
}

struct named {
  const char* names;
  meaning means;
};
meaning saveexec(o does) {
  meaning m{does, t::b64};
  m.saves_exec = true;
  return m;
}
meaning branch(c condition) {
  return {o::branch, t::none, relation::none, condition};
}

// Moves, logic and numbers.
const std::vector<named>& alu() {
  static const std::vector<named> list = {
      {"s_mov_b32 v_mov_b32", {o::move, t::b32}},
      {"s_mov_b64", {o::move, t::b64}},
      {"s_movk_i32", {o::move, t::i32}},
      {"s_cmov_b32", {o::conditional_move, t::b32}},
      {"s_cmov_b64", {o::conditional_move, t::b64}},
      {"s_cmovk_i32", {o::conditional_move, t::i32}},
      {"s_cselect_b32", {o::select, t::b32}},
      {"v_cndmask_b32", reversed(o::select, t::b32)},
      {"s_cselect_b64", {o::select, t::b64}},
      {"s_movrels_b32 v_movrels_b32", {o::move_relative_source, t::b32}},
      {"s_movrels_b64", {o::move_relative_source, t::b64}},
      {"s_movreld_b32 v_movreld_b32", {o::move_relative_destination, t::b32}},
      {"s_movreld_b64", {o::move_relative_destination, t::b64}},
      {"v_movrelsd_b32", {o::move_relative_both, t::b32}},
      {"s_and_b32 v_and_b32", {o::bit_and, t::b32}},
      {"s_or_b32 v_or_b32", {o::bit_or, t::b32}},
      {"s_xor_b32 v_xor_b32", {o::bit_xor, t::b32}},
      {"s_andn2_b32", {o::bit_andn2, t::b32}},
      {"s_orn2_b32", {o::bit_orn2, t::b32}},
      {"s_nand_b32", {o::bit_nand, t::b32}},
      {"s_nor_b32", {o::bit_nor, t::b32}},
      {"s_xnor_b32", {o::bit_xnor, t::b32}},
      {"s_not_b32 v_not_b32", {o::bit_not, t::b32}},
      {"s_and_b64", {o::bit_and, t::b64}},
      {"s_or_b64", {o::bit_or, t::b64}},
      {"s_xor_b64", {o::bit_xor, t::b64}},
      {"s_andn2_b64", {o::bit_andn2, t::b64}},
      {"s_orn2_b64", {o::bit_orn2, t::b64}},
      {"s_nand_b64", {o::bit_nand, t::b64}},
      {"s_nor_b64", {o::bit_nor, t::b64}},
      {"s_xnor_b64", {o::bit_xnor, t::b64}},
      {"s_not_b64", {o::bit_not, t::b64}},
      {"s_and_saveexec_b64", saveexec(o::bit_and)},
      {"s_or_saveexec_b64", saveexec(o::bit_or)},
      {"s_xor_saveexec_b64", saveexec(o::bit_xor)},
      {"s_andn2_saveexec_b64", saveexec(o::bit_andn2)},
      {"s_orn2_saveexec_b64", saveexec(o::bit_orn2)},
      {"s_nand_saveexec_b64", saveexec(o::bit_nand)},
      {"s_nor_saveexec_b64", saveexec(o::bit_nor)},
      {"s_xnor_saveexec_b64", saveexec(o::bit_xnor)},
      {"s_add_u32 v_add_u32", {o::add, t::u32}},
      {"s_add_i32 s_addk_i32", {o::add, t::i32}},
      {"v_add_u16", {o::add, t::u16}},
      {"v_add_f16", {o::add, t::f16}},
      {"v_add_f32", {o::add, t::f32}},
      {"v_add_f64", {o::add, t::f64}},
      {"s_addc_u32 v_addc_u32", {o::add_carry, t::u32}},
      {"s_sub_u32 v_sub_u32", {o::subtract, t::u32}},
      {"s_sub_i32", {o::subtract, t::i32}},
      {"v_sub_u16", {o::subtract, t::u16}},
      {"v_sub_f16", {o::subtract, t::f16}},
      {"v_sub_f32", {o::subtract, t::f32}},
      {"v_subrev_u32", reversed(o::subtract, t::u32)},
      {"v_subrev_u16", reversed(o::subtract, t::u16)},
      {"v_subrev_f16", reversed(o::subtract, t::f16)},
      {"v_subrev_f32", reversed(o::subtract, t::f32)},
      {"s_subb_u32 v_subb_u32", {o::subtract_borrow, t::u32}},
      {"v_subbrev_u32", reversed(o::subtract_borrow, t::u32)},
      {"s_mul_i32 s_mulk_i32", {o::multiply, t::i32}},
      {"v_mul_lo_u32", {o::multiply, t::u32}},
      {"v_mul_lo_u16", {o::multiply, t::u16}},
      {"v_mul_u32_u24", {o::multiply, t::u24}},
      {"v_mul_i32_i24", {o::multiply, t::i24}},
      {"v_mul_f16", {o::multiply, t::f16}},
      {"v_mul_f32", {o::multiply, t::f32}},
      {"v_mul_f64", {o::multiply, t::f64}},
      {"v_mul_hi_u32", {o::multiply_high, t::u32}},
      {"v_mul_hi_i32", {o::multiply_high, t::i32}},
      {"v_mul_hi_u32_u24", {o::multiply_high, t::u24}},
      {"v_mul_hi_i32_i24", {o::multiply_high, t::i24}},
      {"v_mad_u32_u24", {o::multiply_add, t::u24}},
      {"v_mad_i32_i24", {o::multiply_add, t::i24}},
      {"v_mad_u64_u32", {o::multiply_add, t::u32}},
      {"v_mad_i64_i32", {o::multiply_add, t::i32}},
      {"v_mad_u16", {o::multiply_add, t::u16}},
      {"v_mad_i16", {o::multiply_add, t::i16}},
      {"v_mad_f16", {o::multiply_add, t::f16}},
      {"v_mad_f32", {o::multiply_add, t::f32}},
      {"s_min_u32 v_min_u32", {o::minimum, t::u32}},
      {"s_min_i32 v_min_i32", {o::minimum, t::i32}},
      {"v_min_u16", {o::minimum, t::u16}},
      {"v_min_i16", {o::minimum, t::i16}},
      {"v_min_f16", {o::minimum, t::f16}},
      {"v_min_f32", {o::minimum, t::f32}},
      {"v_min_f64", {o::minimum, t::f64}},
      {"s_max_u32 v_max_u32", {o::maximum, t::u32}},
      {"s_max_i32 v_max_i32", {o::maximum, t::i32}},
      {"v_max_u16", {o::maximum, t::u16}},
      {"v_max_i16", {o::maximum, t::i16}},
      {"v_max_f16", {o::maximum, t::f16}},
      {"v_max_f32", {o::maximum, t::f32}},
      {"v_max_f64", {o::maximum, t::f64}},
      {"v_min3_i32", {o::minimum3, t::i32}},
      {"v_min3_u32", {o::minimum3, t::u32}},
      {"v_min3_f32", {o::minimum3, t::f32}},
      {"v_max3_i32", {o::maximum3, t::i32}},
      {"v_max3_u32", {o::maximum3, t::u32}},
      {"v_max3_f32", {o::maximum3, t::f32}},
      {"v_med3_i32", {o::median3, t::i32}},
      {"v_med3_u32", {o::median3, t::u32}},
      {"v_med3_f32", {o::median3, t::f32}},
      {"v_bfi_b32", {o::bit_field_insert, t::b32}},
      {"s_brev_b32 v_bfrev_b32", {o::bit_reverse, t::b32}},
      {"s_brev_b64", {o::bit_reverse, t::b64}},
      {"s_bitset0_b32 s_bitset1_b32", {o::bit_set, t::b32}},
      {"s_bitset0_b64 s_bitset1_b64", {o::bit_set, t::b64}},
      {"v_alignbit_b32", {o::align_bits, t::b32}},
      {"v_alignbyte_b32", {o::align_bytes, t::b32}},
      {"v_perm_b32", {o::permute_bytes, t::b32}},
      {"v_cvt_f32_u32 v_cvt_f64_u32", {o::convert, t::u32}},
      {"v_cvt_f32_i32 v_cvt_f64_i32", {o::convert, t::i32}},
      {"v_cvt_f16_u16", {o::convert, t::u16}},
      {"v_cvt_f16_i16", {o::convert, t::i16}},
      {"v_cvt_f32_f16 v_cvt_u16_f16 v_cvt_i16_f16", {o::convert, t::f16}},
      {"v_cvt_f16_f32 v_cvt_f64_f32 v_cvt_u32_f32 v_cvt_i32_f32", {o::convert, t::f32}},
      {"v_cvt_f32_f64 v_cvt_u32_f64 v_cvt_i32_f64", {o::convert, t::f64}},
      {"v_cvt_f32_ubyte0 v_cvt_f32_ubyte1 v_cvt_f32_ubyte2 v_cvt_f32_ubyte3", {o::convert_byte, t::u8}},
      {"v_cvt_pkrtz_f16_f32", {o::convert_two, t::f32}},
      {"v_rcp_f16", {o::reciprocal, t::f16}},
      {"v_rcp_f32", {o::reciprocal, t::f32}},
      {"v_rcp_f64", {o::reciprocal, t::f64}},
      {"v_rcp_iflag_f32", {o::reciprocal_of_integer, t::f32}},
      {"v_div_scale_f32", {o::divide_scale, t::f32}},
      {"v_div_scale_f64", {o::divide_scale, t::f64}},
      {"v_div_fmas_f32", {o::divide_fmas, t::f32}},
      {"v_div_fmas_f64", {o::divide_fmas, t::f64}},
      {"v_div_fixup_f16", {o::divide_fixup, t::f16}},
      {"v_div_fixup_f32", {o::divide_fixup, t::f32}},
      {"v_div_fixup_f64", {o::divide_fixup, t::f64}},
      {"s_lshl_b32", {o::shift_left, t::b32}},
      {"s_lshl_b64", {o::shift_left, t::b64}},
      {"s_lshr_b32", {o::shift_right, t::b32}},
      {"s_lshr_b64", {o::shift_right, t::b64}},
      {"s_ashr_i32", {o::shift_right, t::i32}},
      {"s_ashr_i64", {o::shift_right, t::i64}},
      {"v_lshlrev_b16", reversed(o::shift_left, t::b16)},
      {"v_lshlrev_b32", reversed(o::shift_left, t::b32)},
      {"v_lshlrev_b64", reversed(o::shift_left, t::b64)},
      {"v_lshrrev_b16", reversed(o::shift_right, t::b16)},
      {"v_lshrrev_b32", reversed(o::shift_right, t::b32)},
      {"v_lshrrev_b64", reversed(o::shift_right, t::b64)},
      {"v_ashrrev_i16", reversed(o::shift_right, t::i16)},
      {"v_ashrrev_i32", reversed(o::shift_right, t::i32)},
      {"v_ashrrev_i64", reversed(o::shift_right, t::i64)},
      {"s_bfe_u32 v_bfe_u32", {o::bit_field_extract, t::u32}},
      {"s_bfe_i32 v_bfe_i32", {o::bit_field_extract, t::i32}},
      {"s_bfe_u64", {o::bit_field_extract, t::u64}},
      {"s_bfe_i64", {o::bit_field_extract, t::i64}},
      {"s_sext_i32_i8", {o::sign_extend, t::i8}},
      {"s_sext_i32_i16", {o::sign_extend, t::i16}},
  };
  return list;
}

// What is no function of numbers.
const std::vector<named>& other_operations() {
  static const std::vector<named> list = {
      {"s_bitcmp0_b32", {o::compare_bit, t::b32, relation::equal}},
      {"s_bitcmp1_b32", {o::compare_bit, t::b32, relation::not_equal}},
      {"s_bitcmp0_b64", {o::compare_bit, t::b64, relation::equal}},
      {"s_bitcmp1_b64", {o::compare_bit, t::b64, relation::not_equal}},
      {"v_readlane_b32", {o::read_lane, t::b32}},
      {"v_writelane_b32", {o::write_lane, t::b32}},
      {"v_readfirstlane_b32", {o::read_first_lane, t::b32}},
      {"v_mbcnt_lo_u32_b32 v_mbcnt_hi_u32_b32", {o::count_lanes_below, t::b32}},
      {"s_branch", branch(c::always)},
      {"s_cbranch_scc0", branch(c::scc_zero)},
      {"s_cbranch_scc1", branch(c::scc_one)},
      {"s_cbranch_vccz", branch(c::vcc_zero)},
      {"s_cbranch_vccnz", branch(c::vcc_nonzero)},
      {"s_cbranch_execz", branch(c::exec_zero)},
      {"s_cbranch_execnz", branch(c::exec_nonzero)},
      {"s_cbranch_cdbgsys s_cbranch_cdbguser s_cbranch_cdbgsys_or_user s_cbranch_cdbgsys_and_user",
       branch(c::debugger)},
      {"s_setpc_b64", {o::set_pc, t::b64}},
      {"s_swappc_b64", {o::call, t::b64}},
      {"s_getpc_b64", {o::get_pc, t::b64}},
      {"s_cbranch_g_fork s_cbranch_i_fork", {o::fork}},
      {"s_cbranch_join", {o::join}},
      {"s_endpgm s_endpgm_saved", {o::end_program}},
      {"s_getreg_b32", {o::get_hardware_register, t::b32}},
      {"s_setreg_b32 s_setreg_imm32_b32", {o::set_hardware_register, t::b32}},
      {"s_set_gpr_idx_on s_set_gpr_idx_off s_set_gpr_idx_idx s_set_gpr_idx_mode", {o::set_vector_register_indexing}},
      {"s_memtime s_memrealtime", {o::read_clock}},
      {"buffer_wbinvl1 buffer_wbinvl1_vol", {o::invalidate_vector_cache}},
      {"s_dcache_inv s_dcache_inv_vol", {o::invalidate_scalar_cache}},
      {"s_dcache_wb s_dcache_wb_vol", {o::write_back_scalar_cache}},
      {"s_icache_inv", {o::invalidate_instruction_cache}},
      {"s_nop", {o::nop}},
      {"s_sleep", {o::sleep}},
      {"s_trap", {o::trap}},
      {"s_sethalt", {o::halt}},
      {"s_sendmsg", {o::send_message}},
      {"s_sendmsghalt", {o::send_message_and_halt}},
      {"ds_nop", {o::lds_nop}},
      {"ds_gws_barrier", {o::grid_barrier}},
      {"ds_swizzle_b32", {o::swizzle, t::b32}},
      {"ds_permute_b32", {o::permute_forward, t::b32}},
      {"ds_bpermute_b32", {o::permute_backward, t::b32}},
      {"ds_append ds_consume", {o::count_active_lanes, t::b32}},
      {"ds_gws_sema_release_all ds_gws_init ds_gws_sema_v ds_gws_sema_br ds_gws_sema_p ds_ordered_count",
       {o::global_data_share}},
  };
  return list;
}

// Rows that compute nothing and that nobody asks about, or whose unit says it all. A new row that computes nothing and
// belongs to none of the lists fails below.
constexpr const char* others = R"(
  split merge s_barrier s_waitcnt s_decperflevel s_incperflevel s_setkill s_setprio s_ttracedata s_wakeup s_setvskip
  s_rfe_b64 s_rfe_restore_b64
  v_nop v_clrexcp
)";

// A value that an ALU computes may be any: a row that says no more than that has no entry, and is held by what the
// tests of semantics compare it with.
bool computes_any_value(const opcode_row& row) {
  const bool on_alu =
      row.unit == unit::salu || row.unit == unit::valu || row.unit == unit::valu_trans || row.unit == unit::valu_f64;
  return on_alu && row.dst != type::none && row.means == meaning();
}

std::map<std::string, meaning> by_name() {
  std::map<std::string, meaning> all;
  const auto add = [&](const std::string& names, const meaning& m) {
    for (const std::string& n : split(names)) EXPECT_TRUE(all.emplace(n, m).second) << n << " is in two lists";
  };
  for (const auto& list : {alu(), other_operations()})
    for (const named& n : list) add(n.names, n.means);
  add(others, {});
  return all;
}

// --- Rules -----------------------------------------------------------------------------------------

meaning compare(relation r, t of) {
  return {o::compare, of, r};
}

// VOPC: opcode = base + relation, bases 16 apart (v_cmpx in between) or, for integers, 8.
meaning vector_compare(unsigned opcode) {
  constexpr t floats[] = {t::f16, t::f32, t::f64};
  constexpr t integers[] = {t::i16, t::u16, t::i32, t::u32, t::i64, t::u64};
  using r = relation;
  constexpr r of_floats[] = {r::never,
                             r::less,
                             r::equal,
                             r::less_or_equal,
                             r::greater,
                             r::less_or_greater,
                             r::greater_or_equal,
                             r::ordered,
                             r::unordered,
                             r::not_greater_or_equal,
                             r::not_less_or_greater,
                             r::not_greater,
                             r::not_less_or_equal,
                             r::not_equal,
                             r::not_less,
                             r::always};
  constexpr r of_integers[] = {
      r::never, r::less, r::equal, r::less_or_equal, r::greater, r::not_equal, r::greater_or_equal, r::always};
  if (opcode < 0x20) {
    constexpr t classes[] = {t::f32, t::f64, t::f16};
    return compare(r::in_class, classes[(opcode - 0x10) / 2]);
  }
  if (opcode < 0x80) return compare(of_floats[opcode & 15], floats[opcode / 32 - 1]);
  return compare(of_integers[opcode & 7], integers[(opcode - 0xa0) / 32 * 2 + (opcode >> 3 & 1)]);
}

// s_cmp and s_cmpk: eq, lg, gt, ge, lt, le of i32, then of u32; s_cmp_eq_u64 and s_cmp_lg_u64.
std::optional<meaning> scalar_compare(const opcode_row& row) {
  using r = relation;
  constexpr r order[] = {r::equal, r::not_equal, r::greater, r::greater_or_equal, r::less, r::less_or_equal};
  const unsigned first = row.native == format::sopk ? 2 : 0, n = row.opcode - first;
  const bool none = (row.native != format::sopc && row.native != format::sopk) || row.opcode < first;
  if (row.native == format::sopc && (row.opcode == 18 || row.opcode == 19))
    return compare(order[row.opcode - 18], t::u64);
  if (none || n >= 12) return std::nullopt;
  return compare(order[n % 6], n < 6 ? t::i32 : t::u32);
}

t bits_of_dwords(unsigned dwords) {
  static const std::map<unsigned, t> types = {{1, t::b32},  {2, t::b64},  {3, t::b96},
                                              {4, t::b128}, {8, t::b256}, {16, t::b512}};
  return types.at(dwords);
}

// FLAT and MUBUF number loads and stores alike.
meaning vector_memory(const opcode_row& row) {
  const bool store = (row.flags & is_store) != 0;
  const o does = store ? o::store : o::load;
  if (row.native == format::mtbuf || row.opcode < 8) return {does};  // formatted
  if ((row.flags & is_atomic) != 0) {                                // 0 is swap, 1 cmpswap
    const unsigned n = row.opcode & 0x1f;
    const o atomic = n == 0 ? o::exchange : n == 1 ? o::compare_and_exchange : o::atomic;
    return {atomic, bits_of_dwords(dwords_of(row.dst))};
  }
  static const std::map<unsigned, t> narrow = {{0x10, t::u8},  {0x11, t::i8}, {0x12, t::u16},
                                               {0x13, t::i16}, {0x18, t::b8}, {0x1a, t::b16}};
  const auto found = narrow.find(row.opcode);
  if (found != narrow.end()) return {does, found->second};
  return {does, bits_of_dwords(dwords_of(store ? row.src[1] : row.dst))};
}

// Atomics: the row's own type, if its width is right.
meaning local_memory(const opcode_row& row) {
  const bool store = (row.flags & is_store) != 0;
  if ((row.flags & is_atomic) != 0) {
    const bool from_lds = row.opcode >= 0x80 && row.opcode < 0x100;
    const unsigned bytes = from_lds ? (row.opcode < 0xc0 ? 4 : 8) : 4 * dwords_of(row.src[1]);
    // 0xd to 0xf of each 32: ds_wrxchg and ds_wrxchg2; 0x10, 0x11: ds_cmpst.
    const unsigned n = row.opcode & 0x1f;
    const o atomic = n >= 0xd && n <= 0xf ? o::exchange : n == 0x10 || n == 0x11 ? o::compare_and_exchange : o::atomic;
    return {from_lds ? o::atomic_from_lds : atomic, bytes_of(row.means.of) == bytes ? row.means.of : t::none};
  }
  static const std::map<unsigned, t> narrow = {{0x39, t::i8},  {0x3a, t::u8}, {0x3b, t::i16},
                                               {0x3c, t::u16}, {0x1e, t::b8}, {0x1f, t::b16}};
  const o does = store ? o::store : o::load;
  const auto found = narrow.find(row.opcode);
  if (found != narrow.end()) return {does, found->second};
  const unsigned two_loaded = !store && (row.flags & double_access) != 0 ? 2 : 1;
  return {does, bits_of_dwords(dwords_of(store ? row.src[1] : row.dst) / two_loaded)};
}

meaning by_rule(const opcode_row& row) {
  switch (row.native) {
    case format::vopc:
      return vector_compare(row.opcode);
    case format::flat:
    case format::mubuf:
    case format::mtbuf:
      return vector_memory(row);
    case format::mimg:
      if (row.opcode == 0x0e) return {};  // image_get_resinfo touches no memory
      return {(row.flags & is_store) != 0 ? o::store : o::load};
    case format::ds:
      return local_memory(row);
    case format::smem: {
      const bool store = (row.flags & is_store) != 0;
      return {store ? o::store : o::load, bits_of_dwords(dwords_of(store ? row.src[1] : row.dst))};
    }
    default:
      break;
  }
  const auto m = scalar_compare(row);
  if (m) return *m;
  if (computes_any_value(row)) return {};
  ADD_FAILURE() << row.mnemonic << " is in no list: what is it?";
  return {};
}

TEST(operation, of_every_row) {
  std::map<std::string, meaning> names = by_name();
  for (const opcode_row* row : all_rows()) {
    const auto found = names.find(row->mnemonic);
    const meaning expected = found != names.end() ? found->second : by_rule(*row);
    EXPECT_EQ(row->means, expected) << row->mnemonic << ": " << text_of(row->means) << "; expected "
                                    << text_of(expected);
    if (found != names.end()) names.erase(found);
  }
  for (const auto& [name, m] : names) ADD_FAILURE() << "there is no row " << name;
}

// A list that is empty, or rows that are not given their meaning, would pass what compares nothing.
TEST(operation, each_is_of_some_row) {
  std::set<operation> seen;
  for (const opcode_row* row : all_rows()) seen.insert(row->means.does);
  for (unsigned k = 0; k <= static_cast<unsigned>(operation::global_data_share); ++k)
    EXPECT_EQ(seen.count(static_cast<operation>(k)), 1u) << "operation " << k;
}

}  // namespace

}  // namespace pws::isa::test::operation_test
