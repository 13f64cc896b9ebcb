// SPDX-License-Identifier: Apache-2.0
// Scalar registers, and numbers that lanes give each other or put into scalar registers.
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

uint32_t spill_place(unsigned r, unsigned lane) {
  return r << 6 | lane;
}

}  // namespace

void numbers::capture_scalars(const isa::wave_state& s, const isa::inst& i) {
  for (const isa::input_operand& in : isa::operands_of(i).sources) {
    const bool value = in.role == isa::operand_role::value && !(isa::is_saveexec(i) && in.field < 0);
    if (!value && in.role != isa::operand_role::old) continue;
    const operand& o = source_[sources_] = in.from;
    value_[sources_++][0] = o.kind != operand_kind::scalar ? o.value
                            : o.dwords == 2                ? s.scalar64(o.index)
                                                           : s.scalar[o.index];
  }
}

// Which lane has its value from which.
void numbers::capture_exchange(const path& p, const isa::wave_state& s, const isa::inst& i) {
  sources_ = 0;
  const operand& data = i.src[1].kind == operand_kind::vgpr ? i.src[1] : i.src[0];
  if (data.index >= s.n_vgprs || (p.wave.marked(data.index) | p.wave.dependent(data.index)) == 0) return;
  std::fill(std::begin(from_), std::end(from_), int8_t{-1});
  for_each_lane(active_, [&](uint32_t l) {
    const unsigned other = isa::exchange_partner(i, s.vgpr[i.src[0].index].lane[l], l);
    if (isa::operation_of(i) == isa::operation::permute_forward)
      from_[other] = static_cast<int8_t>(l);
    else if ((active_ >> other & 1) != 0)
      from_[l] = static_cast<int8_t>(other);
  });
  sources_ = 1;
}

// Scalars come from one lane; of a mask that was put away, half of it.
void numbers::read_lane(const path& p, const isa::inst& i) {
  const unsigned to = i.dst.index;
  const operand& from = i.src[0];
  if (to >= isa::scalar_count || from.kind != operand_kind::vgpr) return;
  p.scalars.values[to] = {p.wave.value(from.index, lane_), static_cast<uint8_t>(lane_)};
  if (const auto at = p.wave.spilled.find(spill_place(from.index, lane_)); at != p.wave.spilled.end())
    p.scalars.depends[to] = at->second;
}

void numbers::write_lane(const path& p, const isa::inst& i) {
  const operand& from = i.src[0];
  const unsigned to = i.dst.index;
  p.wave.clear(to, uint64_t{1} << lane_);
  p.wave.spilled.erase(spill_place(to, lane_));
  if (from.kind != operand_kind::scalar || from.index >= isa::scalar_count) return;
  p.wave.set_value(to, lane_, p.scalars.values[from.index].mark);
  if (p.scalars.depends[from.index].lanes != 0) p.wave.spilled[spill_place(to, lane_)] = p.scalars.depends[from.index];
}

void numbers::exchanged(number_shadow& w, const isa::inst& i) {
  if (sources_ == 0) return w.clear(i.dst.index, active_);
  const operand& data = i.src[1].kind == operand_kind::vgpr ? i.src[1] : i.src[0];
  number_mark value[2][64], depends[64];
  for (unsigned l = 0; l < 64; ++l) {
    const bool any = from_[l] >= 0;
    const auto from = static_cast<unsigned>(any ? from_[l] : 0);
    for (unsigned half = 0; half < 2; ++half)
      value[half][l] = any ? w.value(data.index, from, half == 1) : number_mark{0};
    depends[l] = any ? w.dependence(data.index, from) : number_mark{0};
  }
  w.clear(i.dst.index, active_);
  for_each_lane(active_, [&](uint32_t l) {
    for (unsigned half = 0; half < 2; ++half) w.set_value(i.dst.index, l, value[half][l], half == 1);
    w.set_dependence(i.dst.index, l, depends[l]);
  });
}

// Bits that are the same as a source's, and masks: bit by bit, whatever is done with them.
void numbers::scalar(scalar_numbers& w, const isa::wave_state& s, const isa::inst& i) {
  scalar_numbers::value values[2];
  marked_lanes<uint32_t> depends[2];
  bool constant = isa::operation_of(i) == isa::operation::move;
  const unsigned n = i.dst.kind == operand_kind::scalar ? std::min<unsigned>(i.dst.dwords, 2) : 0;
  // Where paths meet again, what both depend on is left.
  const bool meets = isa::operation_of(i) == isa::operation::bit_or && !isa::is_saveexec(i) && isa::is_exec(i.dst);
  for (unsigned k = 0; k < sources_; ++k) {
    const operand& o = source_[k];
    if (o.kind != operand_kind::scalar) {
      constant = constant && o.kind == operand_kind::constant;
      continue;
    }
    for (unsigned d = 0; d < std::min<unsigned>(o.dwords, 2) && o.index + d < isa::scalar_count; ++d) {
      const unsigned r = unsigned{o.index} + d;
      constant = constant && w.constants[r];
      const auto bits = static_cast<uint32_t>(value_[k][0] >> (32 * d));
      for (unsigned e = 0; e < n && w.values[r].mark != 0; ++e)
        if (((bits ^ s.scalar[i.dst.index + e]) & without_sign) == 0) values[e] = w.values[r];
      if (d >= n && !isa::is_saveexec(i)) continue;
      if (meets && k > 0)
        depends[d].lanes &= w.depends[r].lanes;
      else
        for_each_lane(w.depends[r].lanes,
                      [&](uint32_t l) { depends[d].set(l, joined(depends[d].of(l), w.depends[r].of(l))); });
    }
  }
  const auto joined_masks = [&](const marked_lanes<uint32_t>& a, const marked_lanes<uint32_t>& b) {
    marked_lanes<uint32_t> r = a;
    if (isa::operation_of(i) == isa::operation::bit_or)
      r.lanes &= b.lanes;
    else
      for_each_lane(b.lanes, [&](uint32_t l) { r.set(l, joined(a.of(l), b.of(l))); });
    return r;
  };
  const marked_lanes<uint32_t> exec[2] = {w.depends[isa::exec_lo], w.depends[isa::exec_hi]};
  clear_written(w, i);
  if (isa::is_saveexec(i)) {
    for (unsigned d = 0; d < 2; ++d) {
      w.depends[isa::exec_lo + d] = joined_masks(exec[d], depends[d]);
      if (d < n) w.depends[i.dst.index + d] = exec[d];
    }
    return;
  }
  for (unsigned d = 0; d < n && i.dst.index + d < isa::scalar_count; ++d) {
    const unsigned r = i.dst.index + d;
    w.depends[r] = depends[d];
    if (r >= isa::exec_lo) continue;
    w.values[r] = values[d];
    w.constants[r] = constant;
  }
}

void numbers::clear_written(scalar_numbers& w, const isa::inst& i) {
  for (unsigned k = 0; k < i.n_writes; ++k) {
    if (i.writes[k].is_vgpr) continue;
    for (unsigned r = i.writes[k].first; r < unsigned{i.writes[k].first} + i.writes[k].count && r < isa::exec_lo; ++r)
      w.clear(r);
  }
}

}  // namespace pws::check
