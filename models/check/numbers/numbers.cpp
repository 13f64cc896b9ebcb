// SPDX-License-Identifier: Apache-2.0
// What vector instructions make of numbers.
#include "models/check/numbers/numbers.h"

#include <cstring>

#include "models/check/numbers/number_format.h"
#include "models/check/shadow/lanes.h"
#include "models/isa/operands.h"
#include "models/isa/predicates.h"

namespace pws::check {

namespace {

using isa::operand;
using isa::operand_kind;
using isa::type;

constexpr uint64_t all_lanes = ~uint64_t{0};

}  // namespace

number_mark numbers::arises(number_shadow& w, const isa::inst& i, unsigned lane, type t, uint64_t result) {
  const number_mark m = w.arisen_at(i.pc);
  if (m == 0) return m;
  arisen_number& a = w.arisen(m);
  using how = arisen_number::how;
  const bool of_integer =
      is_.is == part::integer_reciprocal || (is_.is == part::reciprocal && i.src[0].kind == operand_kind::vgpr &&
                                             (w.integers(i.src[0].index) >> lane & 1) != 0);
  a.row = i.row;
  a.type = t;
  a.made = is_.is == part::fixup ? how::divided : of_integer ? how::integers : how::computed;
  a.operands = sources_;
  a.lanes |= uint64_t{1} << lane;
  for (unsigned k = 0; k < sources_; ++k) {
    a.operand_type[k] = type_[k];
    a.value[k][lane] = value_[k][lane];
  }
  a.result[lane] = result;
  return m;
}

void numbers::arithmetic(const path& p, const isa::wave_state& s, const isa::inst& i) {
  number_shadow& w = p.wave;
  const unsigned r = unsigned{i.dst.index} + i.dst.dwords - 1u;
  const type t = i.row->dst;
  // SDWA: numbers of 16 bits go to one half of a register. What else goes to a part of it is none any more.
  const isa::register_part to = isa::result_part(i);
  const bool upper = is_upper_half(to);
  if (t == type::f16 ? to.bits < 16 : !to.whole()) return;
  // What a division is judged by are the two numbers that the program divides.
  const unsigned first = is_.is == part::fixup ? 1 : 0;
  uint64_t divided = 0;
  number_mark division = 0;
  for_each_lane(active_, [&](uint32_t l) {
    uint64_t result = s.vgpr[i.dst.index].lane[l];
    if (i.dst.dwords == 2) result |= uint64_t{s.vgpr[r].lane[l]} << 32;
    if (upper) result >>= 16;
    if (!is_no_number(t, result)) return;
    number_mark m = 0;
    bool had = false;
    for (unsigned k = first; k < sources_; ++k) {
      if (!is_no_number(type_[k], value_[k][l])) continue;
      had = true;
      if (m == 0) m = mark_of(p, k, l);
    }
    if (!had && is_.is == part::integer_reciprocal) {
      division = arises(w, i, l, t, result);
      divided |= uint64_t{1} << l;
    } else if (!had && is_.is != part::scale && is_.is != part::fmas) {
      m = arises(w, i, l, t, result);
    }
    if (m != 0) put(i.dst.dwords - 1u, upper, l, m);
  });
  if (division != 0) report(w, division, divided, true, nullptr);
}

void numbers::two_halves(const path& p, const isa::wave_state& s, const isa::inst& i) {
  for_each_lane(active_, [&](uint32_t l) {
    for (unsigned k = 0; k < 2; ++k) {
      const uint32_t half = s.vgpr[i.dst.index].lane[l] >> (16 * k) & 0xffff;
      if (!is_no_number(type::f16, half)) continue;
      const number_mark m =
          is_no_number(type_[k], value_[k][l]) ? mark_of(p, k, l) : arises(p.wave, i, l, type::f16, half);
      if (m != 0) put(0, k == 1, l, m);
    }
  });
}

// One of two operands. That it is an infinity or NaN which the code has as a constant is no program's fault, but a
// mathematical function says so where its argument has no result.
void numbers::select(const path& p, const isa::wave_state& s, const isa::inst& i) {
  if (!isa::result_part(i).whole()) return;
  number_shadow& w = p.wave;
  const operand mask = isa::operands_of(i).flag()->from;
  const uint64_t bits = mask.kind != operand_kind::scalar ? mask.value
                        : isa::is_exec(mask)              ? s.active()
                                                          : s.scalar64(mask.index);
  function_names::origin origin;
  bool asked = false;
  for_each_lane(active_, [&](uint32_t l) {
    const unsigned k = bits >> l & 1;
    const uint32_t result = s.vgpr[i.dst.index].lane[l];
    // What has led here, and what selects.
    number_mark on = p.scalars.mask_dependence(isa::exec_lo, l);
    if (mask.kind == operand_kind::scalar) on = joined(on, p.scalars.mask_dependence(mask.index, l));
    number_mark m = mark_of(p, k, l);
    if (!part_[k].whole()) m = 0;
    const type t = type_of_constant(result);
    if (m == 0 && t != type::none && on != given_number && functions_ != nullptr && is_constant(p, k, l)) {
      if (!asked) origin = functions_->origin_of(i);
      asked = true;
      if (!origin.known) {
        m = mark_of(p, 1 - k, l);  // the constant takes the place of what has arisen, as functions do it
      } else if (!origin.function.empty() && on != 0) {
        m = on;
      } else if (!origin.function.empty()) {
        m = arises(w, i, l, t, t == type::f64 ? uint64_t{result} << 32 : result);
        if (m != 0) {
          w.arisen(m).made = arisen_number::how::chosen;
          w.arisen(m).function = origin.function;
        }
      }
    }
    if (m != 0) put(0, false, l, m);
    const operand& o = source_[k];
    if (o.kind == operand_kind::vgpr && part_[k].whole() && lane_of(k, l) >= 0) {
      const number_mark upper = w.value(o.index, static_cast<unsigned>(lane_of(k, l)), true);
      if (upper != 0) put(0, true, l, upper);
    }
    number_mark depends = mark_of(p, k, l);
    if (depends == 0) depends = dependence_of(p, k, l);
    dependence_[l] = joined(depends, on);
    depends_ = depends_ || dependence_[l] != 0;
  });
}

// The mark of that source's dword which the result has, but for its sign.
number_mark numbers::carried(const path& p, unsigned k, unsigned lane, uint32_t result) const {
  const operand& o = source_[k];
  const int l = lane_of(k, lane);
  const uint64_t v = part_[k].whole() ? value_[k][lane] : raw_[k][lane];
  if (l < 0) return 0;
  for (unsigned d = 0; d < std::min<unsigned>(o.dwords, 2); ++d) {
    const unsigned r = unsigned{o.index} + d;
    const number_mark m = o.kind == operand_kind::vgpr ? p.wave.value(r, static_cast<unsigned>(l))
                          : o.kind == operand_kind::scalar && r < isa::scalar_count ? p.scalars.values[r].mark
                                                                                    : number_mark{0};
    if (m == 0 || p.wave.arisen(m).type == type::f16) continue;
    if (((static_cast<uint32_t>(v >> (32 * d)) ^ result) & without_sign) == 0) return m;
  }
  return 0;
}

// The same for halves.
number_mark numbers::carried_half(const path& p, unsigned k, unsigned lane, uint32_t half) const {
  const operand& o = source_[k];
  const int l = lane_of(k, lane);
  const uint64_t v = part_[k].whole() ? value_[k][lane] : raw_[k][lane];
  if (o.kind != operand_kind::vgpr || l < 0) return 0;
  for (unsigned n = 0; n < 2u * std::min<unsigned>(o.dwords, 2); ++n) {
    const number_mark m = p.wave.value(unsigned{o.index} + n / 2, static_cast<unsigned>(l), n % 2 == 1);
    if (m == 0 || p.wave.arisen(m).type != type::f16) continue;
    if (((static_cast<uint32_t>(v >> (16 * n)) ^ half) & 0x7fff) == 0) return m;
  }
  return 0;
}

bool numbers::any_marked(const path& p) const {
  for (unsigned k = 0; k < sources_; ++k) {
    const operand& o = source_[k];
    for (unsigned d = 0; d < o.dwords; ++d) {
      const unsigned r = unsigned{o.index} + d;
      if (o.kind == operand_kind::vgpr && p.wave.marked(r) != 0) return true;
      if (o.kind == operand_kind::scalar && r < isa::scalar_count && p.scalars.values[r].mark != 0) return true;
    }
  }
  return false;
}

// Moves, shifts by whole registers, exchanges and signs keep a number's bits; all else makes another value of it.
void numbers::carry(const path& p, const isa::wave_state& s, const isa::inst& i) {
  if (!any_marked(p)) return;
  const isa::register_part to = isa::result_part(i);
  uint64_t divided = 0;
  number_mark division = 0;
  for (unsigned d = 0; d < std::min<unsigned>(i.dst.dwords, 2); ++d)
    for_each_lane(active_, [&](uint32_t l) {
      const uint32_t result = s.vgpr[i.dst.index + d].lane[l];
      for (unsigned k = 0; k < sources_; ++k) {
        if (const number_mark m = to.whole() ? carried(p, k, l, result) : number_mark{0}; m != 0) put(d, false, l, m);
        for (unsigned half = 0; half < 2; ++half) {
          if (!to.whole() && !is_half(to, half)) continue;
          if (const number_mark m = carried_half(p, k, l, result >> (16 * half)); m != 0) put(d, half == 1, l, m);
        }
        const number_mark had = is_.is == part::to_integer ? mark_of(p, k, l) : number_mark{0};
        if (had == 0 || p.wave.arisen(had).made != arisen_number::how::integers) continue;
        division = had;
        divided |= uint64_t{1} << l;
      }
    });
  if (division != 0) report(p.wave, division, divided, true, nullptr);
}

void numbers::compare(const path& p, const isa::inst& i) {
  if (!depends_ || i.dst.kind != operand_kind::scalar) return;
  for_each_lane(active_, [&](uint32_t l) {
    const unsigned r = i.dst.index + l / 32u;
    if (r < isa::scalar_count) p.scalars.depends[r].set(l % 32, dependence_[l]);
    if (!i.writes_exec) return;
    marked_lanes<uint32_t>& exec = p.scalars.depends[isa::exec_lo + l / 32u];
    exec.set(l % 32, joined(exec.of(l % 32), dependence_[l]));
  });
}

// Divisions of 64-bit integers begin with a reciprocal of the divisor's halves, added up.
uint64_t numbers::integers_of(const number_shadow& w, const isa::inst& i) const {
  if (is_.is == part::from_integer) return all_lanes;
  if (i.row->dst != type::f32 || is_.is == part::reciprocal || is_.is == part::integer_reciprocal) return 0;
  uint64_t are = all_lanes;
  bool any = false;
  for (unsigned k = 0; k < sources_; ++k) {
    const operand& o = source_[k];
    if (o.kind == operand_kind::constant || o.kind == operand_kind::scalar) continue;
    are &= o.kind == operand_kind::vgpr ? w.integers(o.index) : 0;
    any = true;
  }
  return any ? are : 0;
}

// The mark of a part of the result; lanes and parts that get none have none.
void numbers::put(unsigned dword, bool upper, unsigned lane, number_mark m) {
  if (!marks_) std::memset(mark_, 0, sizeof mark_);
  marks_ = true;
  mark_[dword][upper][lane] = m;
}

void numbers::vector(const path& p, const isa::wave_state& s, const isa::inst& i) {
  number_shadow& w = p.wave;
  if (i.dst.kind != operand_kind::vgpr || unsigned{i.dst.index} + i.dst.dwords > s.n_vgprs) return;
  marks_ = false;
  if (is_.use == float_use::arithmetic)
    arithmetic(p, s, i);
  else if (is_.use == float_use::two_halves)
    two_halves(p, s, i);
  else if (is_.use == float_use::select)
    select(p, s, i);
  else
    carry(p, s, i);
  const isa::register_part to = isa::result_part(i);
  const uint64_t integers = integers_of(w, i);
  uint64_t constants = 0;
  if (isa::operation_of(i) == isa::operation::move && part_[0].whole() && to.whole())
    for_each_lane(active_, [&](uint32_t l) { constants |= uint64_t{is_constant(p, 0, l)} << l; });

  // The half of a register that SDWA leaves as it was.
  const bool keeps = isa::rest_of_result(i) == isa::other_bits::kept && !to.whole();
  for (unsigned d = 0; d < i.dst.dwords; ++d) {
    const unsigned r = unsigned{i.dst.index} + d;
    for (unsigned half = 0; half < 2; ++half) {
      if (keeps && is_half(to, 1 - half)) continue;
      if (marks_ && d < 2)
        for_each_lane(active_, [&](uint32_t l) { w.set_value(r, l, mark_[d][half][l], half == 1); });
      else
        w.clear_value(r, active_, half == 1);
    }
    if (depends_)
      for_each_lane(active_, [&](uint32_t l) { w.set_dependence(r, l, dependence_[l]); });
    else if (!keeps)
      w.clear_dependence(r, active_);
    w.set_integers(r, active_, d == 0 ? integers : 0);
    w.set_constants(r, active_, constants);
  }
}

void numbers::executed(const path& p, const isa::wave_state& s, const isa::inst& i) {
  const isa::index_by_m0 index = isa::indexed_by_m0(i, s.mode, s.scalar[isa::m0]);
  if (index.operands == 0)
    behind(p, s, i);
  else
    behind(p, s, isa::in_place(i, index));
}

void numbers::behind(const path& p, const isa::wave_state& s, const isa::inst& i) {
  // What the caller has as a constant is the function's argument.
  if (isa::is_indirect_jump(i)) p.wave.forget_constants();
  if (is_.use == float_use::scalar) return scalar(p.scalars, s, i);
  clear_written(p.scalars, i);
  switch (is_.use) {
    case float_use::arithmetic:
    case float_use::two_halves:
    case float_use::select:
    case float_use::carry:
      if (active_ != 0) vector(p, s, i);
      return;
    case float_use::compare:
      return compare(p, i);
    case float_use::read_lane:
      return read_lane(p, i);
    case float_use::write_lane:
      return write_lane(p, i);
    case float_use::exchange_lanes:
      return exchanged(p.wave, i);
    default:
      return;
  }
}

}  // namespace pws::check
