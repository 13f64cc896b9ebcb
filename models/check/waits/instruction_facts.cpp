// SPDX-License-Identifier: Apache-2.0
#include "models/check/waits/instruction_facts.h"

#include "models/check/waits/wait_states.h"
#include "models/isa/predicates.h"

namespace pws::check {

namespace {

using isa::format;
using isa::operand;
using isa::operand_kind;
using isa::operation;

isa::inst::run run_of(const operand& o) {
  isa::inst::run r;
  if (o.kind != operand_kind::scalar && o.kind != operand_kind::vgpr) return r;
  r.first = o.index;
  r.count = o.dwords;
  r.is_vgpr = o.kind == operand_kind::vgpr;
  return r;
}

counted_by counter_of(const isa::inst& i) {
  if (operation_of(i) == operation::send_message) return counted_by::message;
  switch (i.unit) {
    case isa::unit::scalar_memory:
      return counted_by::scalar;
    case isa::unit::lds:
      return counted_by::lds;
    case isa::unit::vector_memory:
      if (operation_of(i) == operation::invalidate_vector_cache) return counted_by::nothing;
      return i.native == format::flat ? counted_by::flat : counted_by::vm;
    default:
      return counted_by::nothing;
  }
}

uint32_t valu_roles(const isa::inst& i, instruction_facts& f) {
  uint32_t roles = 0;
  for (unsigned k = 0; k < i.n_writes; ++k) {
    const isa::inst::run& w = i.writes[k];
    if (w.is_vgpr)
      roles |= valu_writes_vgpr;
    else
      roles |= w.first >= isa::exec_lo ? valu_writes_exec : valu_writes_scalar;
  }
  for (const isa::input_operand& s : isa::operands_of(i).sources) {
    if (s.from.kind == operand_kind::vccz || s.from.kind == operand_kind::execz) roles |= uses_zero_flag;
    if (s.role == isa::operand_role::flag && s.field < 0) roles |= uses_vcc_of_division;
    if (s.of_other_lanes) roles |= is_dpp;
  }
  const operation does = operation_of(i);
  if ((does == operation::read_lane || does == operation::write_lane) && i.src[1].kind == operand_kind::scalar) {
    f.lane_select = run_of(i.src[1]);
    roles |= selects_lane;
  }
  return roles;
}

bool is_buffer(const isa::inst& i) {
  return i.native == format::mubuf || i.native == format::mtbuf;
}

uint32_t vector_memory_roles(const isa::inst& i, instruction_facts& f) {
  uint32_t roles = 0;
  for (unsigned k = 0; k < i.n_reads; ++k)
    if (!i.reads[k].is_vgpr && i.reads[k].first < isa::m0) roles |= reads_scalar_for_vmem;
  constexpr uint32_t stores = isa::is_store | isa::is_atomic;
  // With the scalar offset in a register a buffer store reads its data in time.
  // So do image stores, as their resources have 8 dwords.
  const bool in_time = i.native == format::mimg || (is_buffer(i) && i.src[3].kind == operand_kind::scalar);
  if ((i.row->flags & stores) != 0 && i.src[1].kind == operand_kind::vgpr && i.src[1].dwords > 2 && !in_time) {
    f.store_data = run_of(i.src[1]);
    roles |= stores_wide_data;
  }
  return roles;
}

}  // namespace

instruction_facts facts_of(const isa::inst& i) {
  instruction_facts f;
  f.of = &i;
  for (unsigned k = 0; k < i.n_reads; ++k) f.reads.add(i.reads[k]);
  if (!i.lds_bit)
    for (unsigned k = 0; k < i.n_writes; ++k) f.writes.add(i.writes[k]);
  f.touches = f.reads;
  f.touches.add(f.writes);
  f.counts = counter_of(i);
  f.of_image = i.native == format::mimg;
  f.ignores_exec = (i.row->flags & isa::ignores_exec) != 0;

  const operation does = operation_of(i);
  if (isa::is_vector_alu(i.unit)) f.roles = valu_roles(i, f);
  if (i.unit == isa::unit::vector_memory) f.roles = vector_memory_roles(i, f);
  if (i.unit == isa::unit::salu && isa::is_scalar(i)) {
    for (unsigned k = 0; k < i.n_writes; ++k)
      if (!i.writes[k].is_vgpr && i.writes[k].first <= isa::m0 && i.writes[k].first + i.writes[k].count > isa::m0)
        f.roles |= salu_writes_m0;
    if (does == operation::set_hardware_register) f.roles |= sets_hardware_register;
    if (does == operation::get_hardware_register) f.roles |= gets_hardware_register;
    if ((f.roles & (sets_hardware_register | gets_hardware_register)) != 0)
      f.hardware_register = isa::hardware_register_field(static_cast<uint32_t>(i.simm)).id;
  }
  if (i.unit == isa::unit::message || (i.native == format::sopp && (i.row->flags & isa::reads_m0) != 0))
    f.roles |= needs_m0_for_message;
  if (i.unit == isa::unit::scalar_memory && (i.row->flags & isa::is_store) != 0) f.store_data = run_of(i.src[1]);
  if (does == operation::nop) f.wait_states = (static_cast<uint32_t>(i.simm) & 0xf) + 1;
  // Another function: the wavefront's instruction buffer is emptied, and what is there has to be fetched first.
  // Compilers count on it: LLVM's hazard recogniser looks at one function at a time.
  if (isa::is_indirect_jump(i)) f.wait_states = most_wait_states;

  f.special = does == operation::write_back_scalar_cache || f.counts == counted_by::message ||
              i.unit == isa::unit::waitcnt || i.unit == isa::unit::barrier || i.unit == isa::unit::end ||
              i.unit == isa::unit::split || i.unit == isa::unit::merge;
  f.followers = followers_of(f);
  return f;
}

instruction_facts with_registers_of(const instruction_facts& f, isa::inst moved) {
  isa::note_operands(moved);
  instruction_facts g = facts_of(moved);
  g.of = f.of;
  return g;
}

instruction_facts with_m0(const instruction_facts& f, const isa::index_by_m0& index) {
  return with_registers_of(f, isa::in_place(*f.of, index));
}

instruction_facts with_address(const instruction_facts& f, unsigned registers) {
  isa::inst sized = *f.of;
  sized.src[0].dwords = static_cast<uint8_t>(registers);
  return with_registers_of(f, sized);
}

}  // namespace pws::check
