// SPDX-License-Identifier: Apache-2.0
// What an instruction's sources hold before it is executed.
#include "models/check/numbers/number_format.h"
#include "models/check/numbers/numbers.h"
#include "models/check/shadow/lanes.h"
#include "models/isa/operands.h"
#include "models/isa/predicates.h"
#include "models/isa/vector/lane_reach.h"

namespace pws::check {

namespace {

using isa::operand;
using isa::operand_kind;
using isa::type;

}  // namespace

numbers::part numbers::part_of(const isa::opcode_row& row) {
  switch (row.means.does) {
    case isa::operation::divide_scale:
      return part::scale;
    case isa::operation::divide_fmas:
      return part::fmas;
    case isa::operation::divide_fixup:
      return part::fixup;
    case isa::operation::reciprocal:
      return row.dst == type::f32 ? part::reciprocal : part::plain;
    case isa::operation::reciprocal_of_integer:
      return part::integer_reciprocal;
    case isa::operation::convert: {
      const auto is_integer = [](type t) { return t == type::u32 || t == type::i32; };
      if (row.dst == type::f32 && is_integer(row.src[0])) return part::from_integer;
      return row.src[0] == type::f32 && is_integer(row.dst) ? part::to_integer : part::plain;
    }
    default:
      return part::plain;
  }
}

const numbers::row_facts& numbers::facts_of(const isa::opcode_row* row) {
  const auto [at, is_new] = facts_.try_emplace(row);
  if (is_new) at->second = {float_use_of(*row), part_of(*row)};
  return at->second;
}

void numbers::capture(const isa::wave_state& s, const isa::inst& i) {
  const auto take = [&](const isa::input_operand& in, unsigned k) {
    const operand& o = in.from;
    source_[k] = o;
    part_[k] = in.part;
    type_[k] = in.of;
    if (o.kind == operand_kind::vgpr && unsigned{o.index} + o.dwords <= s.n_vgprs) {
      const uint32_t* const low = s.vgpr[o.index].lane;
      const uint32_t* const high = o.dwords >= 2 ? s.vgpr[o.index + 1].lane : nullptr;
      for (unsigned l = 0; l < 64; ++l) value_[k][l] = low[l] | (high != nullptr ? uint64_t{high[l]} << 32 : 0);
    } else {
      const uint64_t v = o.kind != operand_kind::scalar ? o.value
                         : o.dwords == 2                ? s.scalar64(o.index)
                                                        : s.scalar[o.index];
      for (uint64_t& x : value_[k]) x = v;
    }
    if (in.part.whole()) return;
    std::copy(value_[k], value_[k] + 64, raw_[k]);
    for (uint64_t& x : value_[k]) x = in.part.of(static_cast<uint32_t>(x));
  };
  for (const isa::input_operand& in : isa::operands_of(i).sources)
    if (in.role == isa::operand_role::old || (in.role == isa::operand_role::value && in.field < 3))
      take(in, sources_++);
  if (i.variant == isa::encoding_variant::dpp) capture_permuted(i);
}

// DPP: the first source is another lane's, or 0; and some lanes keep their result.
void numbers::capture_permuted(const isa::inst& i) {
  permuted_ = true;
  const isa::dpp_lanes lanes = isa::lanes_of(i.dpp, active_);
  uint64_t own[64];
  std::copy(value_[0], value_[0] + 64, own);
  for (unsigned l = 0; l < 64; ++l) {
    from_[l] = lanes.from[l];
    value_[0][l] = from_[l] >= 0 ? own[from_[l]] : 0;
  }
  active_ = lanes.writes;
}

number_mark numbers::mark_of(const path& p, unsigned k, unsigned lane) const {
  const operand& o = source_[k];
  const unsigned r = unsigned{o.index} + o.dwords - 1u;
  if (o.kind == operand_kind::scalar) return r < isa::scalar_count ? p.scalars.values[r].mark : number_mark{0};
  if (o.kind != operand_kind::vgpr) return 0;
  const int l = lane_of(k, lane);
  if (l < 0) return 0;
  return p.wave.value(r, static_cast<unsigned>(l), is_upper_half(part_[k]));
}

number_mark numbers::dependence_of(const path& p, unsigned k, unsigned lane) const {
  const operand& o = source_[k];
  const int l = lane_of(k, lane);
  if (o.kind != operand_kind::vgpr || l < 0) return 0;
  return p.wave.dependence(unsigned{o.index} + o.dwords - 1u, static_cast<unsigned>(l));
}

// What the result depends on. Functions look at the bits of numbers too, by compares and logic of integers.
void numbers::find_dependences(const path& p, const isa::inst& i) {
  depends_ = false;
  for (unsigned k = 0; k < sources_; ++k) {
    const operand& o = source_[k];
    const bool of_bits = !isa::is_float(type_[k]) && isa::operation_of(i) != isa::operation::move;
    const bool constant = o.kind == operand_kind::constant || (o.kind == operand_kind::scalar && is_constant(p, k, 0));
    for_each_lane(active_, [&](uint32_t l) {
      if (k == 0) dependence_[l] = 0;
      number_mark m = mark_of(p, k, l);
      if (m == 0 && !constant &&
          (of_bits ? may_be_no_number(value_[k][l], o.dwords) : is_no_number(type_[k], value_[k][l])))
        m = given_number;
      if (m == 0) m = dependence_of(p, k, l);
      if (m == 0) return;
      dependence_[l] = joined(dependence_[l], m);
      depends_ = true;
    });
  }
}

bool numbers::is_constant(const path& p, unsigned k, unsigned lane) const {
  const operand& o = source_[k];
  const int l = lane_of(k, lane);
  switch (o.kind) {
    case operand_kind::constant:
      return true;
    case operand_kind::scalar:
      for (unsigned d = 0; d < o.dwords; ++d)
        if (unsigned{o.index} + d >= isa::scalar_count || !p.scalars.constants[o.index + d]) return false;
      return true;
    case operand_kind::vgpr:
      return l >= 0 && (p.wave.constants(o.index) >> l & 1) != 0;
    default:
      return false;
  }
}

void numbers::executes(const path& p, const isa::wave_state& s, const isa::inst& i) {
  const isa::index_by_m0 index = isa::indexed_by_m0(i, s.mode, s.scalar[isa::m0]);
  if (index.operands == 0)
    before(p, s, i);
  else
    before(p, s, isa::in_place(i, index));
}

void numbers::before(const path& p, const isa::wave_state& s, const isa::inst& i) {
  is_ = facts_of(i.row);
  active_ = s.active();
  sources_ = 0;
  permuted_ = depends_ = false;
  if (i.vgpr_end > s.n_vgprs) return;  // it will be refused
  switch (is_.use) {
    case float_use::arithmetic:
    case float_use::two_halves:
    case float_use::select:
    case float_use::carry:
    case float_use::compare:
      if (active_ == 0) return;
      capture(s, i);
      if (is_.use != float_use::select) find_dependences(p, i);
      return;
    case float_use::scalar:
      return capture_scalars(s, i);
    case float_use::replace:
    case float_use::combine:
      return capture(s, i);
    case float_use::exchange_lanes:
      return capture_exchange(p, s, i);
    case float_use::read_lane:
    case float_use::write_lane: {
      lane_ = active_ == 0 ? 0 : static_cast<unsigned>(__builtin_ctzll(active_));
      if (isa::operation_of(i) == isa::operation::read_first_lane) return;
      const operand& o = i.src[1];
      lane_ = (o.kind == operand_kind::scalar ? s.scalar[o.index] : static_cast<uint32_t>(o.value)) & 63;
      return;
    }
    default:
      return;
  }
}

}  // namespace pws::check
