// SPDX-License-Identifier: Apache-2.0
// What an instruction is: the facts by which flow graphs, the analysis, the compiler pass and the machine tell
// instructions apart. Each row says its `meaning`; tests/isa/operation_test.cpp holds mnemonics against it, and nothing
// reads one. Questions that are asked often are functions in predicates.h.
#pragma once

#include <cstdint>

namespace pws::isa {

// In parentheses what has that operation, without its type. Scalar and vector instructions share the names.
enum class operation : uint8_t {
  other,  // nobody asks; or the unit says it (waits, barriers, split, merge)

  // The integer functions of integer.h, on registers as wholes
  move,              // s_mov, s_movk, v_mov
  select,            // s_cselect by SCC, v_cndmask by a mask: the first if set
  conditional_move,  // s_cmov, s_cmovk: if SCC is set
  bit_and,
  bit_or,
  bit_xor,
  bit_andn2,  // a & ~b
  bit_orn2,   // a | ~b
  bit_nand,
  bit_nor,
  bit_xnor,
  bit_not,
  bit_field_insert,   // v_bfi
  bit_field_extract,  // s_bfe, v_bfe
  sign_extend,        // s_sext: from the data type
  shift_left,         // s_lshl, v_lshlrev
  shift_right,        // lshr, ashr: the data type says which
  add,
  add_carry,  // s_addc, v_addc
  subtract,
  subtract_borrow,  // s_subb, v_subb
  multiply,         // the product's low bits
  multiply_high,    // bits 32 and up
  multiply_add,     // v_mad
  minimum,          // of two
  maximum,          // of two
  minimum3,         // v_min3
  maximum3,         // v_max3
  median3,          // v_med3: the one in the middle

  // Other functions of integers
  bit_reverse,    // s_brev, v_bfrev
  bit_set,        // s_bitset: one bit of the destination
  align_bits,     // v_alignbit: 32 bits of two registers
  align_bytes,    // v_alignbyte
  permute_bytes,  // v_perm
  compare,        // s_cmp, s_cmpk, v_cmp, v_cmpx
  compare_bit,    // s_bitcmp: one bit of the first source with 0

  // Moves by M0
  move_relative_source,       // s_movrels, v_movrels: the register that M0 names
  move_relative_destination,  // s_movreld, v_movreld
  move_relative_both,         // v_movrelsd

  // Floating-point numbers
  convert,                // v_cvt: from the data type, to the row's result, rounded as MODE says or truncated
  convert_byte,           // v_cvt_f32_ubyte0 to 3
  convert_two,            // v_cvt_pkrtz: two of them into the halves of one register
  reciprocal,             // v_rcp
  reciprocal_of_integer,  // v_rcp_iflag
  divide_scale,           // v_div_scale, v_div_fmas, v_div_fixup: the steps of a division
  divide_fmas,
  divide_fixup,

  // Across lanes
  read_lane,
  write_lane,
  read_first_lane,
  count_lanes_below,  // v_mbcnt
  swizzle,            // ds_swizzle
  permute_forward,    // ds_permute: to the lane that an address names
  permute_backward,   // ds_bpermute: from it

  // Control flow
  branch,  // to a fixed target, on a branch_condition
  set_pc,  // s_setpc: a return
  call,    // s_swappc
  get_pc,
  fork,  // s_cbranch_g_fork, s_cbranch_i_fork: the branch stack
  join,  // s_cbranch_join
  end_program,

  // State beside the registers
  get_hardware_register,         // s_getreg
  set_hardware_register,         // s_setreg, s_setreg_imm32
  set_vector_register_indexing,  // s_set_gpr_idx_*
  read_clock,                    // s_memtime, s_memrealtime
  invalidate_vector_cache,       // buffer_wbinvl1
  invalidate_scalar_cache,       // s_dcache_inv
  write_back_scalar_cache,       // s_dcache_wb
  invalidate_instruction_cache,

  // Waiting and messages
  nop,  // s_nop; v_nop is `other`
  sleep,
  trap,
  halt,
  send_message,
  send_message_and_halt,

  // Memory
  load,
  store,
  atomic,                // of what is in memory and an operand
  exchange,              // an atomic that puts its operand there: swap, ds_wrxchg; ds_wrxchg2: two
  compare_and_exchange,  // ... if what is there is the same as another: cmpswap, ds_cmpst
  atomic_from_lds,       // ds_*_src2_*: both operands are in LDS
  count_active_lanes,    // ds_append, ds_consume: one counter for the wavefront
  lds_nop,
  grid_barrier,      // ds_gws_barrier
  global_data_share  // the other ds_gws_*, ds_ordered_count
};

// The type in an instruction's name: what it computes with, or what it moves at one address. Where there are several,
// the last: v_mad_u64_u32 is u32. (Types of operands, by which registers are read, are opcode_row::dst and src.)
enum class data_type : uint8_t {
  none,  // s_branch; formatted buffer accesses and images, where the resource says it
  b8,
  u8,
  i8,
  b16,
  u16,
  i16,
  f16,
  u24,  // 24 bits of a 32-bit register
  i24,
  b32,
  u32,
  i32,
  f32,
  b64,
  u64,
  i64,
  f64,
  b96,
  b128,
  b256,
  b512
};

constexpr bool is_integer(data_type t) {
  return t != data_type::f16 && t != data_type::f32 && t != data_type::f64;
}
constexpr bool is_signed(data_type t) {
  return t == data_type::i8 || t == data_type::i16 || t == data_type::i24 || t == data_type::i32 || t == data_type::i64;
}

// In memory; 0 for none. A 24-bit number has a dword.
constexpr unsigned bytes_of(data_type t) {
  constexpr uint8_t bytes[] = {0, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 4, 8, 8, 8, 8, 12, 16, 32, 64};
  static_assert(sizeof bytes == static_cast<unsigned>(data_type::b512) + 1);
  return bytes[static_cast<unsigned>(t)];
}

// What a compare tests. For integers, not_equal is "ne" and "lg"; for floating-point numbers it is "neq", and "lg" is
// less_or_greater.
enum class relation : uint8_t {
  none,
  never,
  less,
  equal,
  less_or_equal,
  greater,
  not_equal,
  greater_or_equal,
  always,
  less_or_greater,
  ordered,
  unordered,
  not_greater_or_equal,
  not_less_or_greater,
  not_greater,
  not_less_or_equal,
  not_less,
  in_class  // v_cmp_class
};

// The relation of b and a where `r` is that of the integers a and b; and the one that holds where `r` does not.
constexpr relation exchanged(relation r) {
  switch (r) {
    case relation::less:
      return relation::greater;
    case relation::less_or_equal:
      return relation::greater_or_equal;
    case relation::greater:
      return relation::less;
    case relation::greater_or_equal:
      return relation::less_or_equal;
    default:
      return r;
  }
}
constexpr relation opposite(relation r) {
  switch (r) {
    case relation::less:
      return relation::greater_or_equal;
    case relation::less_or_equal:
      return relation::greater;
    case relation::greater:
      return relation::less_or_equal;
    case relation::greater_or_equal:
      return relation::less;
    case relation::equal:
      return relation::not_equal;
    case relation::not_equal:
      return relation::equal;
    default:
      return relation::none;
  }
}

// When a branch is taken.
enum class branch_condition : uint8_t {
  none,  // no branch
  always,
  scc_zero,
  scc_one,
  vcc_zero,
  vcc_nonzero,
  exec_zero,
  exec_nonzero,
  debugger  // s_cbranch_cdbg*: never, as no debugger is attached
};

// What an instruction is, whatever its encoding.
struct meaning {
  operation does = operation::other;
  data_type of = data_type::none;
  relation compares = relation::none;
  branch_condition taken_if = branch_condition::none;
  // s_*_saveexec: the second source is EXEC and the result goes there; its old value goes to dst.
  bool saves_exec = false;
  // The sources change places: v_subrev, v_subbrev; the vector shifts, whose count comes first; v_cndmask, whose second
  // source is taken where the bit is set.
  bool reversed = false;

  bool operator==(const meaning& o) const {
    return does == o.does && of == o.of && compares == o.compares && taken_if == o.taken_if &&
           saves_exec == o.saves_exec && reversed == o.reversed;
  }
};

// and, or, xor, not and what is made of them.
constexpr bool is_logic(operation o) {
  return o >= operation::bit_and && o <= operation::bit_not;
}
constexpr bool is_shift(operation o) {
  return o == operation::shift_left || o == operation::shift_right;
}
// One of arithmetic() in integer.h.
constexpr bool is_arithmetic(operation o) {
  return o >= operation::move && o <= operation::median3;
}
constexpr bool is_of_three(operation o) {
  return o == operation::minimum3 || o == operation::maximum3 || o == operation::median3 ||
         o == operation::multiply_add || o == operation::bit_field_insert;
}
constexpr bool is_conditional(operation o) {
  return o == operation::select || o == operation::conditional_move;
}
constexpr bool carries_in(operation o) {
  return o == operation::add_carry || o == operation::subtract_borrow;
}
constexpr bool carries(operation o) {
  return carries_in(o) || o == operation::add || o == operation::subtract;
}
// A scalar instruction says in SCC whether the result is not 0.
constexpr bool tests_result(operation o) {
  return is_logic(o) || is_shift(o) || o == operation::bit_field_extract;
}

// One of arithmetic() on integers; a row of that kind is a case of integer_sources().
constexpr bool is_integer_function(const meaning& m) {
  return is_arithmetic(m.does) && is_integer(m.of);
}

constexpr meaning reversed(operation does, data_type of) {
  return {does, of, relation::none, branch_condition::none, false, true};
}
// s_OP_saveexec_b64
constexpr meaning saving_exec(operation does) {
  return {does, data_type::b64, relation::none, branch_condition::none, true};
}
constexpr meaning branch_if(branch_condition taken_if) {
  return {operation::branch, data_type::none, relation::none, taken_if};
}

}  // namespace pws::isa
