// SPDX-License-Identifier: Apache-2.0
// The scalar instructions (GCN3 ISA, chapter 12.1-12.5).
#include "base/popcount.h"
#include "models/isa/integer.h"
#include "models/isa/rows/rows.h"
#include "models/isa/scalar/scalar_executors.h"
#include "models/isa/scalar/scalar_semantics.h"

namespace pws::isa {

namespace {

using t = data_type;

using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;
using rows = std::vector<opcode_row>;

// The machine acts on these by their unit; the state does not change.
constexpr auto nothing = [] {};

// Forks and joins of the branch stack write EXEC, and scalar registers that only MODE.CSP names.
constexpr u32 branch_stack = reads_exec | writes_exec | relative_index;

// A function of integers (integer.h). SCC is the carry, whether the result is not 0, or whether a minimum or maximum is
// the first source.
template <operation O, data_type D>
opcode_row scalar_integer(format f, unsigned opcode, const char* mnemonic) {
  using T = number<D>;
  const auto row = [&](auto function) { return scalar_row(f, opcode, mnemonic, {O, D}, function); };
  if constexpr (O == operation::move)
    return row([](T a) { return a; });
  else if constexpr (O == operation::bit_not)
    return row([](T a) { return nonzero(logic(O, a, a)); });
  else if constexpr (O == operation::conditional_move)
    return row([](T a, scc_in c) { return if_set<T>{c.value, a}; });
  else if constexpr (O == operation::select)
    return row([](T a, T b, scc_in c) { return chosen<T>(c.value, a, b); });
  else if constexpr (carries_in(O))
    return row([](T a, T b, scc_in c) {
      return flagged<T>{arithmetic<T>(O, a, b, c.value), carry_out<T>(O, a, b, c.value)};
    });
  else if constexpr (carries(O))
    return row([](T a, T b) { return flagged<T>{arithmetic<T>(O, a, b, 0), carry_out<T>(O, a, b, 0)}; });
  else if constexpr (is_shift(O))
    return row([](T a, u32 n) { return nonzero(arithmetic<T>(O, a, static_cast<T>(n), 0)); });
  else if constexpr (O == operation::bit_field_extract)
    return row([](T a, u32 where) { return nonzero(bit_field(a, where)); });
  else if constexpr (O == operation::minimum)
    return row([](T a, T b) { return flagged<T>{smaller(a, b), a < b}; });
  else if constexpr (O == operation::maximum)
    return row([](T a, T b) { return flagged<T>{larger(a, b), a > b}; });
  else if constexpr (tests_result(O))
    return row([](T a, T b) { return nonzero(arithmetic<T>(O, a, b, 0)); });
  else
    return row([](T a, T b) { return arithmetic<T>(O, a, b, 0); });
}
// SOPK takes the immediate of unsigned compares zero-extended.
template <relation R, data_type D>
opcode_row scalar_compare(format f, unsigned opcode, const char* mnemonic) {
  using T = number<D>;
  const meaning means{operation::compare, D, R};
  using immediate = std::conditional_t<is_signed(D), int16_t, uint16_t>;
  if (f == format::sopk)
    return scalar_row(f, opcode, mnemonic, means,
                      [](T a, simm k) { return scc_out{holds<T>(R, a, static_cast<immediate>(k.value))}; });
  return scalar_row(f, opcode, mnemonic, means, [](T a, T b) { return scc_out{holds(R, a, b)}; });
}
template <operation O>
opcode_row saveexec_row(unsigned opcode, const char* mnemonic) {
  return scalar_row(format::sop1, opcode, mnemonic, saving_exec(O),
                    [](u64 a, exec_in e) { return saved_exec{logic(O, a, e.value)}; });
}

rows sop2_rows() {
  using o = operation;
  constexpr format f = format::sop2;
  return {
      scalar_integer<o::add, t::u32>(f, 0, "s_add_u32"),
      scalar_integer<o::subtract, t::u32>(f, 1, "s_sub_u32"),
      scalar_integer<o::add, t::i32>(f, 2, "s_add_i32"),
      scalar_integer<o::subtract, t::i32>(f, 3, "s_sub_i32"),
      scalar_integer<o::add_carry, t::u32>(f, 4, "s_addc_u32"),
      scalar_integer<o::subtract_borrow, t::u32>(f, 5, "s_subb_u32"),
      scalar_integer<o::minimum, t::i32>(f, 6, "s_min_i32"),
      scalar_integer<o::minimum, t::u32>(f, 7, "s_min_u32"),
      scalar_integer<o::maximum, t::i32>(f, 8, "s_max_i32"),
      scalar_integer<o::maximum, t::u32>(f, 9, "s_max_u32"),
      scalar_integer<o::select, t::b32>(f, 10, "s_cselect_b32"),
      scalar_integer<o::select, t::b64>(f, 11, "s_cselect_b64"),
      scalar_integer<o::bit_and, t::b32>(f, 12, "s_and_b32"),
      scalar_integer<o::bit_and, t::b64>(f, 13, "s_and_b64"),
      scalar_integer<o::bit_or, t::b32>(f, 14, "s_or_b32"),
      scalar_integer<o::bit_or, t::b64>(f, 15, "s_or_b64"),
      scalar_integer<o::bit_xor, t::b32>(f, 16, "s_xor_b32"),
      scalar_integer<o::bit_xor, t::b64>(f, 17, "s_xor_b64"),
      scalar_integer<o::bit_andn2, t::b32>(f, 18, "s_andn2_b32"),
      scalar_integer<o::bit_andn2, t::b64>(f, 19, "s_andn2_b64"),
      scalar_integer<o::bit_orn2, t::b32>(f, 20, "s_orn2_b32"),
      scalar_integer<o::bit_orn2, t::b64>(f, 21, "s_orn2_b64"),
      scalar_integer<o::bit_nand, t::b32>(f, 22, "s_nand_b32"),
      scalar_integer<o::bit_nand, t::b64>(f, 23, "s_nand_b64"),
      scalar_integer<o::bit_nor, t::b32>(f, 24, "s_nor_b32"),
      scalar_integer<o::bit_nor, t::b64>(f, 25, "s_nor_b64"),
      scalar_integer<o::bit_xnor, t::b32>(f, 26, "s_xnor_b32"),
      scalar_integer<o::bit_xnor, t::b64>(f, 27, "s_xnor_b64"),
      scalar_integer<o::shift_left, t::b32>(f, 28, "s_lshl_b32"),
      scalar_integer<o::shift_left, t::b64>(f, 29, "s_lshl_b64"),
      scalar_integer<o::shift_right, t::b32>(f, 30, "s_lshr_b32"),
      scalar_integer<o::shift_right, t::b64>(f, 31, "s_lshr_b64"),
      scalar_integer<o::shift_right, t::i32>(f, 32, "s_ashr_i32"),
      scalar_integer<o::shift_right, t::i64>(f, 33, "s_ashr_i64"),
      scalar_row(f, 34, "s_bfm_b32", [](u32 n, u32 at) { return low_mask<u32>(n & 31) << bit_number<u32>(at); }),
      scalar_row(f, 35, "s_bfm_b64", [](u32 n, u32 at) { return low_mask<u64>(n & 63) << bit_number<u64>(at); }),
      scalar_integer<o::multiply, t::i32>(f, 36, "s_mul_i32"),
      scalar_integer<o::bit_field_extract, t::u32>(f, 37, "s_bfe_u32"),
      scalar_integer<o::bit_field_extract, t::i32>(f, 38, "s_bfe_i32"),
      scalar_integer<o::bit_field_extract, t::u64>(f, 39, "s_bfe_u64"),
      scalar_integer<o::bit_field_extract, t::i64>(f, 40, "s_bfe_i64"),
      scalar_row(
          f, 41, "s_cbranch_g_fork", {o::fork},
          [](u64 condition, u64 target, wave_state& w) { fork(w, condition, target); }, unit::branch, branch_stack),
      scalar_row(f, 42, "s_absdiff_i32", [](u32 a, u32 b) { return nonzero(magnitude(a - b)); }),
      refused_row(f, 43, "s_rfe_restore_b64", type::none, type::b64, type::b32),
  };
}

rows sop1_rows() {
  using o = operation;
  constexpr format f = format::sop1;
  return {
      scalar_integer<o::move, t::b32>(f, 0, "s_mov_b32"),
      scalar_integer<o::move, t::b64>(f, 1, "s_mov_b64"),
      scalar_integer<o::conditional_move, t::b32>(f, 2, "s_cmov_b32"),
      scalar_integer<o::conditional_move, t::b64>(f, 3, "s_cmov_b64"),
      scalar_integer<o::bit_not, t::b32>(f, 4, "s_not_b32"),
      scalar_integer<o::bit_not, t::b64>(f, 5, "s_not_b64"),
      scalar_row(f, 6, "s_wqm_b32", [](u32 a) { return nonzero(whole_quads(a)); }),
      scalar_row(f, 7, "s_wqm_b64", [](u64 a) { return nonzero(whole_quads(a)); }),
      scalar_row(f, 8, "s_brev_b32", {o::bit_reverse, t::b32}, [](u32 a) { return bit_reverse(a); }),
      scalar_row(f, 9, "s_brev_b64", {o::bit_reverse, t::b64}, [](u64 a) { return bit_reverse(a); }),
      scalar_row(f, 10, "s_bcnt0_i32_b32", [](u32 a) { return nonzero(32 - popcount(a)); }),
      scalar_row(f, 11, "s_bcnt0_i32_b64", [](u64 a) { return nonzero(64 - popcount(a)); }),
      scalar_row(f, 12, "s_bcnt1_i32_b32", [](u32 a) { return nonzero(popcount(a)); }),
      scalar_row(f, 13, "s_bcnt1_i32_b64", [](u64 a) { return nonzero(popcount(a)); }),
      scalar_row(f, 14, "s_ff0_i32_b32", [](u32 a) { return lowest_one(~a); }),
      scalar_row(f, 15, "s_ff0_i32_b64", [](u64 a) { return lowest_one(~a); }),
      scalar_row(f, 16, "s_ff1_i32_b32", [](u32 a) { return lowest_one(a); }),
      scalar_row(f, 17, "s_ff1_i32_b64", [](u64 a) { return lowest_one(a); }),
      scalar_row(f, 18, "s_flbit_i32_b32", [](u32 a) { return leading_zeros(a); }),
      scalar_row(f, 19, "s_flbit_i32_b64", [](u64 a) { return leading_zeros(a); }),
      scalar_row(f, 20, "s_flbit_i32", [](u32 a) { return leading_sign_bits(a); }),
      scalar_row(f, 21, "s_flbit_i32_i64", [](u64 a) { return leading_sign_bits(a); }),
      scalar_row(f, 22, "s_sext_i32_i8", {o::sign_extend, t::i8}, [](u32 a) { return i32{static_cast<int8_t>(a)}; }),
      scalar_row(f, 23, "s_sext_i32_i16", {o::sign_extend, t::i16}, [](u32 a) { return i32{static_cast<int16_t>(a)}; }),
      scalar_row(f, 24, "s_bitset0_b32", {o::bit_set, t::b32},
                 [](u32 n, old<u32> d) { return with_bit(d.value, n, false); }),
      scalar_row(f, 25, "s_bitset0_b64", {o::bit_set, t::b64},
                 [](u32 n, old<u64> d) { return with_bit(d.value, n, false); }),
      scalar_row(f, 26, "s_bitset1_b32", {o::bit_set, t::b32},
                 [](u32 n, old<u32> d) { return with_bit(d.value, n, true); }),
      scalar_row(f, 27, "s_bitset1_b64", {o::bit_set, t::b64},
                 [](u32 n, old<u64> d) { return with_bit(d.value, n, true); }),
      scalar_row(f, 28, "s_getpc_b64", {o::get_pc, t::b64}, [](next_pc pc) { return pc.value; }),
      scalar_row(
          f, 29, "s_setpc_b64", {o::set_pc, t::b64},
          [](u64 a) {
            return jump<no_value>{{}, a};
          },
          unit::branch),
      scalar_row(
          f, 30, "s_swappc_b64", {o::call, t::b64},
          [](u64 a, next_pc pc) {
            return jump<u64>{pc.value, a};
          },
          unit::branch),
      refused_row(f, 31, "s_rfe_b64", type::none, type::b64),
      saveexec_row<o::bit_and>(32, "s_and_saveexec_b64"),
      saveexec_row<o::bit_or>(33, "s_or_saveexec_b64"),
      saveexec_row<o::bit_xor>(34, "s_xor_saveexec_b64"),
      saveexec_row<o::bit_andn2>(35, "s_andn2_saveexec_b64"),
      saveexec_row<o::bit_orn2>(36, "s_orn2_saveexec_b64"),
      saveexec_row<o::bit_nand>(37, "s_nand_saveexec_b64"),
      saveexec_row<o::bit_nor>(38, "s_nor_saveexec_b64"),
      saveexec_row<o::bit_xnor>(39, "s_xnor_saveexec_b64"),
      scalar_row(f, 40, "s_quadmask_b32", [](u32 a) { return nonzero(quad_mask(a)); }),
      scalar_row(f, 41, "s_quadmask_b64", [](u64 a) { return nonzero(quad_mask(a)); }),
      scalar_row(
          f, 42, "s_movrels_b32", {o::move_relative_source, t::b32},
          [](u32, const wave_state& w, const inst& i) { return relative_source<u32>(w, i); }, unit::salu,
          reads_m0 | relative_index),
      scalar_row(
          f, 43, "s_movrels_b64", {o::move_relative_source, t::b64},
          [](u64, const wave_state& w, const inst& i) { return relative_source<u64>(w, i); }, unit::salu,
          reads_m0 | relative_index),
      scalar_row(
          f, 44, "s_movreld_b32", {o::move_relative_destination, t::b32},
          [](u32 a, wave_state& w, const inst& i) { return relative_write(w, i, a); }, unit::salu,
          reads_m0 | relative_index),
      scalar_row(
          f, 45, "s_movreld_b64", {o::move_relative_destination, t::b64},
          [](u64 a, wave_state& w, const inst& i) { return relative_write(w, i, a); }, unit::salu,
          reads_m0 | relative_index),
      scalar_row(
          f, 46, "s_cbranch_join", {o::join}, [](u32 depth, wave_state& w) { join(w, depth); }, unit::branch,
          branch_stack),
      scalar_row(f, 48, "s_abs_i32", [](u32 a) { return nonzero(magnitude(a)); }),
      scalar_row(
          f, 50, "s_set_gpr_idx_idx", {o::set_vector_register_indexing},
          [](u32 index, wave_state& w) { set_gpr_index(w, index); }, unit::salu, reads_m0 | writes_m0),
  };
}

rows sopk_rows() {
  using r = relation;
  using o = operation;
  constexpr format f = format::sopk;
  return {
      scalar_row(f, 0, "s_movk_i32", {o::move, t::i32}, [](simm k) { return k.value; }),
      scalar_row(f, 1, "s_cmovk_i32", {o::conditional_move, t::i32},
                 [](simm k, scc_in c) {
                   return if_set<i32>{c.value, k.value};
                 }),
      scalar_compare<r::equal, t::i32>(f, 2, "s_cmpk_eq_i32"),
      scalar_compare<r::not_equal, t::i32>(f, 3, "s_cmpk_lg_i32"),
      scalar_compare<r::greater, t::i32>(f, 4, "s_cmpk_gt_i32"),
      scalar_compare<r::greater_or_equal, t::i32>(f, 5, "s_cmpk_ge_i32"),
      scalar_compare<r::less, t::i32>(f, 6, "s_cmpk_lt_i32"),
      scalar_compare<r::less_or_equal, t::i32>(f, 7, "s_cmpk_le_i32"),
      scalar_compare<r::equal, t::u32>(f, 8, "s_cmpk_eq_u32"),
      scalar_compare<r::not_equal, t::u32>(f, 9, "s_cmpk_lg_u32"),
      scalar_compare<r::greater, t::u32>(f, 10, "s_cmpk_gt_u32"),
      scalar_compare<r::greater_or_equal, t::u32>(f, 11, "s_cmpk_ge_u32"),
      scalar_compare<r::less, t::u32>(f, 12, "s_cmpk_lt_u32"),
      scalar_compare<r::less_or_equal, t::u32>(f, 13, "s_cmpk_le_u32"),
      scalar_row(f, 14, "s_addk_i32", {o::add, t::i32},
                 [](old<i32> d, simm k) {
                   return flagged<i32>{plus(d.value, k.value), carry_of(d.value, k.value)};
                 }),
      scalar_row(f, 15, "s_mulk_i32", {o::multiply, t::i32},
                 [](old<u32> d, simm k) { return d.value * static_cast<u32>(k.value); }),
      scalar_row(
          f, 16, "s_cbranch_i_fork", {o::fork},
          [](u64 condition, wave_state& w, const inst& i) { fork(w, condition, i.target); }, unit::branch,
          branch_stack),
      scalar_row(f, 17, "s_getreg_b32", {o::get_hardware_register, t::b32},
                 [](const wave_state& w, simm k) { return get_hardware_register(w, static_cast<u32>(k.value)); }),
      scalar_row(f, 18, "s_setreg_b32", {o::set_hardware_register, t::b32},
                 [](u32 a, wave_state& w, simm k) { set_hardware_register(w, static_cast<u32>(k.value), a); }),
      scalar_row(
          f, 20, "s_setreg_imm32_b32", {o::set_hardware_register, t::b32},
          [](u32 a, wave_state& w, simm k) { set_hardware_register(w, static_cast<u32>(k.value), a); }, unit::salu,
          literal_k),
  };
}

rows sopc_rows() {
  using r = relation;
  using o = operation;
  constexpr format f = format::sopc;
  return {
      scalar_compare<r::equal, t::i32>(f, 0, "s_cmp_eq_i32"),
      scalar_compare<r::not_equal, t::i32>(f, 1, "s_cmp_lg_i32"),
      scalar_compare<r::greater, t::i32>(f, 2, "s_cmp_gt_i32"),
      scalar_compare<r::greater_or_equal, t::i32>(f, 3, "s_cmp_ge_i32"),
      scalar_compare<r::less, t::i32>(f, 4, "s_cmp_lt_i32"),
      scalar_compare<r::less_or_equal, t::i32>(f, 5, "s_cmp_le_i32"),
      scalar_compare<r::equal, t::u32>(f, 6, "s_cmp_eq_u32"),
      scalar_compare<r::not_equal, t::u32>(f, 7, "s_cmp_lg_u32"),
      scalar_compare<r::greater, t::u32>(f, 8, "s_cmp_gt_u32"),
      scalar_compare<r::greater_or_equal, t::u32>(f, 9, "s_cmp_ge_u32"),
      scalar_compare<r::less, t::u32>(f, 10, "s_cmp_lt_u32"),
      scalar_compare<r::less_or_equal, t::u32>(f, 11, "s_cmp_le_u32"),
      scalar_row(f, 12, "s_bitcmp0_b32", {o::compare_bit, t::b32, r::equal},
                 [](u32 a, u32 n) { return scc_out{!bit_of(a, n)}; }),
      scalar_row(f, 13, "s_bitcmp1_b32", {o::compare_bit, t::b32, r::not_equal},
                 [](u32 a, u32 n) { return scc_out{bit_of(a, n)}; }),
      scalar_row(f, 14, "s_bitcmp0_b64", {o::compare_bit, t::b64, r::equal},
                 [](u64 a, u32 n) { return scc_out{!bit_of(a, n)}; }),
      scalar_row(f, 15, "s_bitcmp1_b64", {o::compare_bit, t::b64, r::not_equal},
                 [](u64 a, u32 n) { return scc_out{bit_of(a, n)}; }),
      refused_row(f, 16, "s_setvskip", type::none, type::b32, type::b32),
      scalar_row(
          f, 17, "s_set_gpr_idx_on", {o::set_vector_register_indexing},
          [](u32 index, wave_state& w, simm operands) {
            set_gpr_index(w, index);
            set_gpr_index_operands(w, static_cast<u32>(operands.value));
            enable_gpr_index(w, true);
          },
          unit::salu, reads_m0 | writes_m0),
      scalar_compare<r::equal, t::u64>(f, 18, "s_cmp_eq_u64"),
      scalar_compare<r::not_equal, t::u64>(f, 19, "s_cmp_lg_u64"),
      // Predictable wavefront splitting; both opcodes are free in GCN3.
      scalar_row(
          f, 20, "split", [](u32, u32) {}, unit::split),
      scalar_row(f, 21, "merge", nothing, unit::merge),
  };
}

rows sopp_rows() {
  using when = branch_condition;
  using o = operation;
  constexpr format f = format::sopp;
  return {
      scalar_row(f, 0, "s_nop", {o::nop}, nothing, unit::internal),
      scalar_row(f, 1, "s_endpgm", {o::end_program}, nothing, unit::end),
      scalar_row(
          f, 2, "s_branch", branch_if(when::always), [] { return taken{true}; }, unit::branch),
      scalar_row(f, 3, "s_wakeup", nothing, unit::internal),
      scalar_row(
          f, 4, "s_cbranch_scc0", branch_if(when::scc_zero), [](scc_in c) { return taken{!c.value}; }, unit::branch),
      scalar_row(
          f, 5, "s_cbranch_scc1", branch_if(when::scc_one), [](scc_in c) { return taken{c.value}; }, unit::branch),
      scalar_row(
          f, 6, "s_cbranch_vccz", branch_if(when::vcc_zero), [](vcc_in v) { return taken{v.value == 0}; },
          unit::branch),
      scalar_row(
          f, 7, "s_cbranch_vccnz", branch_if(when::vcc_nonzero), [](vcc_in v) { return taken{v.value != 0}; },
          unit::branch),
      scalar_row(
          f, 8, "s_cbranch_execz", branch_if(when::exec_zero), [](exec_in e) { return taken{e.value == 0}; },
          unit::branch),
      scalar_row(
          f, 9, "s_cbranch_execnz", branch_if(when::exec_nonzero), [](exec_in e) { return taken{e.value != 0}; },
          unit::branch),
      scalar_row(f, 10, "s_barrier", nothing, unit::barrier),
      refused_row(f, 11, "s_setkill"),
      scalar_row(f, 12, "s_waitcnt", nothing, unit::waitcnt),
      scalar_row(f, 13, "s_sethalt", {o::halt}, nothing, unit::message),
      scalar_row(f, 14, "s_sleep", {o::sleep}, nothing, unit::internal),
      scalar_row(f, 15, "s_setprio", nothing, unit::internal),
      scalar_row(f, 16, "s_sendmsg", {o::send_message}, nothing, unit::message, reads_m0),
      scalar_row(f, 17, "s_sendmsghalt", {o::send_message_and_halt}, nothing, unit::message, reads_m0),
      scalar_row(f, 18, "s_trap", {o::trap}, nothing, unit::message),
      scalar_row(f, 19, "s_icache_inv", {o::invalidate_instruction_cache}, nothing, unit::internal),
      scalar_row(f, 20, "s_incperflevel", nothing, unit::internal),
      scalar_row(f, 21, "s_decperflevel", nothing, unit::internal),
      scalar_row(f, 22, "s_ttracedata", nothing, unit::internal, reads_m0),
      // No debugger is attached: the bits that these test are 0.
      scalar_row(
          f, 23, "s_cbranch_cdbgsys", branch_if(when::debugger), [] { return taken{false}; }, unit::branch),
      scalar_row(
          f, 24, "s_cbranch_cdbguser", branch_if(when::debugger), [] { return taken{false}; }, unit::branch),
      scalar_row(
          f, 25, "s_cbranch_cdbgsys_or_user", branch_if(when::debugger), [] { return taken{false}; }, unit::branch),
      scalar_row(
          f, 26, "s_cbranch_cdbgsys_and_user", branch_if(when::debugger), [] { return taken{false}; }, unit::branch),
      refused_row(f, 27, "s_endpgm_saved", type::none, type::none, type::none, {o::end_program}),
      scalar_row(f, 28, "s_set_gpr_idx_off", {o::set_vector_register_indexing},
                 [](wave_state& w) { enable_gpr_index(w, false); }),
      scalar_row(
          f, 29, "s_set_gpr_idx_mode", {o::set_vector_register_indexing},
          [](wave_state& w, simm operands) { set_gpr_index_operands(w, static_cast<u32>(operands.value)); }, unit::salu,
          reads_m0 | writes_m0),
  };
}

}  // namespace

const std::vector<opcode_row>& scalar_rows() {
  static const rows all = [] {
    rows r;
    for (const rows& group : {sop2_rows(), sop1_rows(), sopk_rows(), sopc_rows(), sopp_rows()})
      r.insert(r.end(), group.begin(), group.end());
    return r;
  }();
  return all;
}

}  // namespace pws::isa
