// SPDX-License-Identifier: Apache-2.0
// What is asked of instructions. Everything here is a look at the row.
#pragma once

#include "models/isa/hardware_register.h"
#include "models/isa/opcode_row.h"
#include "models/isa/wave_state.h"

namespace pws::isa {

inline operation operation_of(const inst& i) {
  return i.row->means.does;
}
inline data_type data_type_of(const inst& i) {
  return i.row->means.of;
}

// Each bit of the result is made of the same bit of each source.
constexpr bool is_bit_by_bit(operation o) {
  return o == operation::move || is_logic(o);
}

// --- Scalar instructions ---------------------------------------------------------------------------

// True for instructions of the scalar ALU and the branch unit, but not for scalar memory.
inline bool is_scalar(const inst& i) {
  return i.native <= format::sopp;
}
// s_OP_TYPE, with registers or an immediate (s_movk, s_addk, ...). Not s_OP_saveexec, whose result goes to EXEC.
inline bool is_scalar(const inst& i, operation o, data_type t) {
  return is_scalar(i) && i.row->means.does == o && i.row->means.of == t && !i.row->means.saves_exec;
}
// s_OP_saveexec_b64
inline bool is_saveexec(const inst& i) {
  return i.row->means.saves_exec;
}
inline bool is_saveexec(const inst& i, operation o) {
  return i.row->means.saves_exec && i.row->means.does == o;
}
// What code makes masks of lanes with: a move or logic of 64 bits, s_OP_saveexec_b64 among them.
inline bool is_mask_logic(const inst& i) {
  return is_scalar(i) && i.row->means.of == data_type::b64 && is_bit_by_bit(i.row->means.does);
}
// s_OP_b64
inline bool is_on_masks(const inst& i, operation o) {
  return is_scalar(i, o, data_type::b64);
}

// --- Vector instructions -------------------------------------------------------------------------

constexpr bool is_vector_alu(unit u) {
  return u == unit::valu || u == unit::valu_trans || u == unit::valu_f64;
}

// --- Operands --------------------------------------------------------------------------------------

// The 64 bits of scalar registers `first` and `first` + 1.
inline bool is_pair(const operand& o, unsigned first) {
  return o.kind == operand_kind::scalar && o.index == first && o.dwords == 2;
}
inline bool is_exec(const operand& o) {
  return is_pair(o, exec_lo);
}
// EXEC or half of it.
inline bool touches_exec(const operand& o) {
  return o.kind == operand_kind::scalar && o.index + o.dwords > exec_lo && o.index <= exec_hi;
}
// One of the two registers, at least.
inline bool writes_pair(const inst& i, unsigned first) {
  for (unsigned k = 0; k < i.n_writes; ++k) {
    const inst::run& r = i.writes[k];
    if (!r.is_vgpr && r.first <= first + 1 && r.first + r.count > first) return true;
  }
  return false;
}

// --- Control flow ----------------------------------------------------------------------------------

// The condition of a branch to a fixed target; none for all other instructions.
inline branch_condition branch_condition_of(const inst& i) {
  return i.row->means.taken_if;
}
// A branch that may or may not be taken.
inline bool is_conditional_branch(const inst& i) {
  return i.row->means.taken_if > branch_condition::always;
}
// s_cbranch_execz, s_cbranch_execnz
inline bool tests_exec(const inst& i) {
  const branch_condition c = branch_condition_of(i);
  return c == branch_condition::exec_zero || c == branch_condition::exec_nonzero;
}
// s_cbranch_vccz, s_cbranch_vccnz
inline bool tests_vcc(const inst& i) {
  const branch_condition c = branch_condition_of(i);
  return c == branch_condition::vcc_zero || c == branch_condition::vcc_nonzero;
}
// s_cbranch_scc0, s_cbranch_scc1
inline bool tests_scc(const inst& i) {
  const branch_condition c = branch_condition_of(i);
  return c == branch_condition::scc_zero || c == branch_condition::scc_one;
}
inline bool is_call(const inst& i) {
  return i.row->means.does == operation::call;
}
// A call, or a return: code goes on where a register says.
inline bool is_indirect_jump(const inst& i) {
  return i.row->means.does == operation::call || i.row->means.does == operation::set_pc;
}

// --- State -----------------------------------------------------------------------------------------

// Which registers it reads or writes only M0 (or MODE) says: v_movrel*, s_movrel*, the branch stack; while MODE has
// VGPR indexing on, any vector ALU instruction.
inline bool is_indexed(const inst& i, uint32_t mode) {
  const bool vector = i.native >= format::vop1 && i.native <= format::vopc;
  return i.relative_index || (vector && (mode & mode_indexing) != 0);
}
// Reads or writes scalar registers that only M0 or MODE names: s_movrel, the branch stack.
inline bool touches_unknown_scalars(const inst& i) {
  return i.relative_index && is_scalar(i);
}

// --- Memory ----------------------------------------------------------------------------------------

// True for one place in memory or LDS and operands in registers.
constexpr bool is_atomic_operation(operation o) {
  return o == operation::atomic || o == operation::exchange || o == operation::compare_and_exchange;
}
// An atomic of vector memory; those of LDS are not among them.
inline bool is_vector_memory_atomic(const inst& i) {
  return i.unit == unit::vector_memory && is_atomic_operation(operation_of(i));
}
// An atomic that puts a given value there, on a condition or always: with what is returned, the way to take a lock.
inline bool is_exchange(const inst& i) {
  return operation_of(i) == operation::exchange || operation_of(i) == operation::compare_and_exchange;
}
// The most texels that a lane of an image instruction touches, whatever resource and sampler say. A filter has two on
// each axis.
inline unsigned most_texels(const inst& i) {
  if ((i.row->flags & four_dsts) != 0) return 4;
  if ((i.row->flags & samples) == 0) return 1;
  return image_fields_of(i).array ? 4 : 8;
}
// Lanes give each other values through LDS's crossbar; its memory is not touched.
constexpr bool exchanges_lanes(operation o) {
  return o == operation::swizzle || o == operation::permute_forward || o == operation::permute_backward;
}
inline bool exchanges_lanes(const inst& i) {
  return exchanges_lanes(operation_of(i));
}

}  // namespace pws::isa
