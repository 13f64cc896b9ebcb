// SPDX-License-Identifier: Apache-2.0
// Scalar instructions: numbers that all lanes share, and masks.
#include <algorithm>

#include "models/isa/operands.h"
#include "models/isa/predicates.h"
#include "sw/wcet/lanes/lane_transfer.h"

namespace pws::wcet {

namespace {

using isa::data_type;
using isa::operation;

// --- Numbers ---------------------------------------------------------------------------------------

word_set as_bit(const outcome& o) {
  return o.yes && o.no ? word_set::range(0, 1) : word_set::constant(o.yes ? 1 : 0);
}

// What is left in SCC by such a function of integers.
word_set scc_of(operation does, const isa::integer_sources<lane_number>& in, const word_set& result) {
  if (isa::carries(does)) return in.carry(does).base();
  if (!isa::tests_result(does)) return word_set::range(0, 1);
  return as_bit({!result.is_constant() || !result.contains(0), result.contains(0)});
}

// What compares leave in SCC; 0 or 1 if it is none.
word_set comparison(const lane_state& s, const isa::inst& i) {
  const isa::meaning& m = i.row->means;
  if (m.does == operation::compare_bit && m.of == data_type::b32) {
    const lane_number bit =
        extracted(lane_number{scalar_source(s, i.src[0])}, {scalar_source(s, i.src[1])}, {lane_value::constant(1)});
    return as_bit(compare(m.compares, bit.base(), word_set::constant(0), false));
  }
  if (m.does != operation::compare || (m.of != data_type::u32 && m.of != data_type::i32)) return word_set::range(0, 1);
  const isa::operand_list list = isa::operands_of(i);
  return as_bit(compare(m.compares, scalar_source(s, list.value(0).from), scalar_source(s, list.value(1).from),
                        isa::is_signed(m.of)));
}

// Where a pointer to something at an unknown place is moved by a known distance.
relative_word moved(const lane_state& s, const isa::inst& i) {
  if (i.src[0].kind != isa::operand_kind::scalar) return {};
  const relative_word from = s.scalar(i.src[0].index).relative;
  if (from.from == relative_word::origin::none) return {};
  if (is_scalar(i, operation::move, data_type::b32)) return from;
  const word_set by = scalar_source(s, i.src[1]);
  if (!by.is_constant()) return {};
  if (is_scalar(i, operation::add, data_type::u32) && !from.upper) return {from.from, false, from.distance + by.start};
  if (is_scalar(i, operation::add_carry, data_type::u32) && from.upper && from.distance == 0 && by.start == 0 &&
      s.scc_carries.from == from.from)
    return {from.from, true, s.scc_carries.distance};
  return {};
}

// --- Pairs -----------------------------------------------------------------------------------------

bool is_of_pairs(const isa::meaning& m) {
  return (m.of == data_type::b64 || m.of == data_type::i64) && !m.saves_exec && isa::is_arithmetic(m.does) &&
         m.does != operation::bit_field_extract && m.does != operation::conditional_move;
}

// --- Masks -----------------------------------------------------------------------------------------

// The result of s_OP_b64, and of s_OP_saveexec_b64, whose second operand is EXEC.
lane_mask combined(operation op, const lane_mask& a, const lane_mask& b, const lane_mask& unknown) {
  if (op == operation::select) return join(a, b);
  if (!isa::is_bit_by_bit(op)) return unknown;
  lane_mask m = isa::logic(op, a, b);
  m.within |= unknown.within;
  return m;
}

// 1 if the mask is not zero.
word_set not_zero(const lane_mask& m) {
  if (m.lanes == 0) return word_set::constant(0);
  return m.number ? word_set::constant(*m.number != 0 ? 1 : 0) : word_set::range(0, 1);
}

}  // namespace

// s_xor_b64 s, exec, t where t is a mask that EXEC is within: s has the lanes of t that are not in EXEC. Its number; 0:
// it is no such instruction.
unsigned lane_transfer::save_sides(lane_state& s, size_t instruction) const {
  const auto sides = sides_of_.find(instruction);
  if (sides == sides_of_.end()) return 0;
  const isa::inst& i = graph_.code().instructions[instruction];
  if (is_exec(i.src[0]) == is_exec(i.src[1])) return 0;
  mask_set wholes = source_mask(s, i.src[is_exec(i.src[0]) ? 1 : 0]).is & s.exec().within;
  wholes.reset(sides->second.first);  // as they have been before
  wholes.reset(sides->second.second);
  if (wholes.none()) return 0;
  unsigned whole = max_masks - 1;  // the last one to have been saved: it has most to say
  while (!wholes[whole]) --whole;
  s.save_sides(whole, sides->second.first, sides->second.second);
  return sides->second.second;
}

void lane_transfer::scalar_instruction(lane_state& s, size_t instruction) const {
  const isa::inst& i = graph_.code().instructions[instruction];
  const isa::meaning& means = i.row->means;
  const auto save = mask_saved_by_.find(instruction);
  if (save != mask_saved_by_.end()) s.save_exec(save->second);

  if (is_saveexec(i)) {
    lane_mask before = s.exec();
    if (save != mask_saved_by_.end()) before.name(save->second);
    const lane_mask operand = source_mask(s, i.src[0]);
    const lane_mask after =
        s.named(means.does, operand, before, combined(means.does, operand, before, s.unknown_mask()));
    if (i.dst.index != isa::exec_lo) s.set_mask(i.dst.index, before);
    s.set_exec(after);
    s.scc = not_zero(after);
    s.scc_carries = {};
    return;
  }

  if (is_of_pairs(means)) {
    const unsigned rest = save_sides(s, instruction);
    const lane_mask first = source_mask(s, i.src[0]), second = source_mask(s, i.src[1]);
    lane_mask m = combined(means.does, first, second, s.unknown_mask());
    if (means.does == operation::select && s.scc.is_constant()) m = s.scc.start != 0 ? first : second;
    m = s.named(means.does, first, second, std::move(m));
    if (save != mask_saved_by_.end()) m.name(save->second);
    if (rest != 0) {
      m.within.set(rest);
      m.name(rest);
    }
    if (i.dst.index == isa::exec_lo) {
      s.set_exec(m);
    } else {
      const lane_pair v = arithmetic(means, source64(s, i.src[0]), source64(s, i.src[1]), {s.scc});
      const bool copied = means.does == operation::move && i.src[0].kind == isa::operand_kind::scalar;
      const relative_word low = copied ? s.scalar(i.src[0].index).relative : relative_word{};
      const relative_word high = copied ? s.scalar(i.src[0].index + 1u).relative : relative_word{};
      s.set_mask(i.dst.index, m, v.low.base(), v.high.base());
      if (low.from != relative_word::origin::none) {
        s.set_scalar(i.dst.index, scalar_word{v.low.base(), low});
        s.set_scalar(i.dst.index + 1u, scalar_word{v.high.base(), high});
      }
    }
    if (i.writes_scc) {
      s.scc = is_logic(means.does) ? not_zero(m) : word_set::range(0, 1);
      s.scc_carries = {};
    }
    return;
  }

  if (!isa::is_integer_function(means) || i.dst.dwords != 1 || i.writes_exec) {
    const word_set scc = comparison(s, i);
    forget_results(s, i);
    if (i.writes_scc) s.scc = scc;
    return;
  }
  const relative_word to = moved(s, i);
  const isa::operand_list list = isa::operands_of(i);
  lane_number source[3];
  for (unsigned n = 0; n < 2; ++n) source[n] = {scalar_source(s, list.value(n).from), isa::is_signed(means.of)};
  const isa::integer_sources<lane_number> in(means, true, source, {s.scc}, lane_value::constant);
  const word_set result = in.result(means.does).base();
  s.set_scalar(i.dst.index, scalar_word{result, to});
  if (i.writes_scc) {
    s.scc = scc_of(means.does, in, result);
    s.scc_carries = is_scalar(i, operation::add, data_type::u32) ? to : relative_word{};
  }
}

}  // namespace pws::wcet
