// SPDX-License-Identifier: Apache-2.0
// Operands of the check of initialisation, and what scalar instructions do to definedness.
#include "models/check/init/bit_rules.h"
#include "models/check/init/init_checker.h"
#include "models/isa/operands.h"
#include "models/isa/predicates.h"
#include "models/isa/scalar/scalar_executors.h"

namespace pws::check::init {

namespace {

using isa::inst;
using isa::operand;
using isa::operand_kind;
using isa::operation;

}  // namespace

// ---- operands

// Up to 64 bits. What EXEC holds is defined: what was not has been reported.
known init_checker::scalar_source(const context& c, const isa::wave_state& s, const operand& o) const {
  switch (o.kind) {
    case operand_kind::none:
    case operand_kind::vgpr:
      return {};
    case operand_kind::scc:
      return {s.scc ? uint64_t{1} : 0, c.scalars.scc ? uint64_t{1} : 0};
    case operand_kind::vccz:
      return {0, undefined_zero_test({s.vcc(), c.scalars.bits64(isa::vcc_lo)}) ? uint64_t{1} : 0};
    case operand_kind::scalar:
      if (o.index >= isa::exec_lo) break;
      return {isa::special_source(s, o), o.dwords >= 2 ? c.scalars.bits64(o.index) : c.scalars.bits[o.index]};
    default:
      break;
  }
  return {isa::special_source(s, o), 0};
}

origin init_checker::scalar_origin(context& c, const inst& i, const operand& o) {
  using kind = origin_table::kind;
  if (o.kind == operand_kind::scc)
    return c.scalars.scc_from != 0 ? c.scalars.scc_from
                                   : origins_.of(at(c, i, 0), kind::scalar_register, isa::scalar_count);
  const unsigned first = o.kind == operand_kind::vccz ? unsigned{isa::vcc_lo} : o.index;
  const unsigned count = o.kind == operand_kind::vccz ? 2 : o.dwords;
  for (unsigned r = first; r < first + count && r < isa::exec_lo; ++r) {
    if (c.scalars.bits[r] == 0) continue;
    if (c.scalars.from[r] == 0)
      c.scalars.from[r] = origins_.of(at(c, i, 0), kind::scalar_register, static_cast<uint16_t>(r));
    return c.scalars.from[r];
  }
  return 0;
}

origin init_checker::vector_origin(context& c, const inst& i, unsigned r) {
  const origin from = c.vectors->from(r);
  if (from != 0) return from;
  const uint64_t lanes = c.vectors->lanes(r);
  const origin fresh = origins_.of(at(c, i, lanes), origin_table::kind::vector_register, static_cast<uint16_t>(r));
  c.vectors->set_origin(r, fresh);
  return fresh;
}

// The origin of the first source that has something undefined.
origin init_checker::source_origin(context& c, const inst& i) {
  operand o;
  o.dwords = 1;
  if (i.reads_scc && c.scalars.scc) {
    o.kind = operand_kind::scc;
    return scalar_origin(c, i, o);
  }
  for (unsigned k = 0; k < i.n_reads; ++k) {
    const inst::run& r = i.reads[k];
    for (unsigned n = r.first; n < unsigned{r.first} + r.count; ++n) {
      if (r.is_vgpr) {
        if (n < c.vectors->size() && c.vectors->lanes(n) != 0) return vector_origin(c, i, n);
      } else if (c.scalars.bits[n] != 0) {
        o.kind = operand_kind::scalar;
        o.index = static_cast<uint16_t>(n);
        return scalar_origin(c, i, o);
      }
    }
  }
  return 0;
}

void init_checker::set_scalar(context& c, const inst& i, const operand& o, uint64_t bits, origin from) {
  if (o.kind != operand_kind::scalar) return;
  if (touches_exec(o)) {
    const uint64_t lanes = (o.index == isa::exec_hi ? bits << 32 : bits) & c.launched;
    if (lanes != 0) use_mask(c, i, lanes, from);
    return;
  }
  for (unsigned k = 0; k < o.dwords; ++k)
    c.scalars.set(o.index + k, k < 2 ? static_cast<uint32_t>(bits >> (32 * k)) : (bits != 0 ? ~uint32_t{0} : 0), from);
}

void init_checker::set_mask(context& c, const inst& i, const operand& o, uint64_t lanes, origin from) {
  if (o.kind == operand_kind::scalar) set_scalar(c, i, o, lanes, from);
}

// ---- scalar instructions

void init_checker::scalar_alu(context& c, const isa::wave_state& s, const inst& i) {
  const isa::opcode_row& row = *i.row;
  const operation o = isa::operation_of(i);
  const origin from = source_origin(c, i);
  if (i.relative_index) {  // s_movrel: by M0, a register that is not named
    use_scalar(c, s, i, isa::scalar_run(isa::m0, 1), ~uint64_t{0}, "m0_undefined", "says which register is meant");
    const inst moved = isa::in_place(i, isa::indexed_by_m0(i, s.mode, s.scalar[isa::m0]));
    const operand& named = o == operation::move_relative_source ? moved.src[0] : moved.dst;
    if (named.kind != operand_kind::scalar || named.index + named.dwords > isa::sgpr_limit) return;  // will be refused
    return set_scalar(c, i, moved.dst, scalar_source(c, s, moved.src[0]).bits, from);
  }
  if (o == operation::set_hardware_register) {
    const unsigned size = isa::hardware_register_field(static_cast<uint32_t>(i.simm)).size;
    return use_scalar(c, s, i, i.src[0], size == 32 ? 0xffffffff : (uint64_t{1} << size) - 1, "register_undefined",
                      "goes to a hardware register");
  }
  if (o == operation::set_vector_register_indexing) {
    for (unsigned k = 0; k < i.n_src; ++k)
      use_scalar(c, s, i, i.src[k], 0xff, "m0_undefined", "says which register is meant");
    return;
  }
  rule_sources r;
  for (const isa::input_operand& in : isa::operands_of(i).sources) {
    const known k = scalar_source(c, s, in.from);
    if (in.role == isa::operand_role::value || in.role == isa::operand_role::old) r.arg[r.n++] = k;
    if (in.role == isa::operand_role::flag) r.carry = k;
  }
  if (o == operation::compare) {
    c.scalars.scc = undefined_compare(row, r.arg[0], r.arg[1]);
    c.scalars.scc_from = from;
    return;
  }
  if (isa::is_saveexec(i)) {
    r.width = 64;
    const known k = result_of(row, r);
    set_scalar(c, i, i.dst, 0, 0);
    set_scalar(c, i, isa::scalar_run(isa::exec_lo, 2), k.bits, from);
    c.scalars.scc = false;
    return;
  }
  r.width = i.dst.kind == operand_kind::scalar ? 32 * i.dst.dwords : 32;
  known k = result_of(row, r);
  if (o == operation::compare_bit) {
    const uint64_t number = r.arg[1].value & (32 * i.src[0].dwords - 1);
    c.scalars.scc = r.arg[1].bits != 0 || (r.arg[0].bits >> number & 1) != 0;
    c.scalars.scc_from = from;
    return;
  }
  if (i.writes_scc) {
    c.scalars.scc = isa::tests_result(o) ? undefined_zero_test(k) : k.bits != 0;
    c.scalars.scc_from = from;
  }
  set_scalar(c, i, i.dst, k.bits, from);
}

}  // namespace pws::check::init
