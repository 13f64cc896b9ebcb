// SPDX-License-Identifier: Apache-2.0
// Numbers that come to memory, LDS and scratch: by stores, by atomics, and those that atomics make there.
#include "models/check/numbers/number_format.h"
#include "models/check/numbers/numbers.h"
#include "models/check/shadow/lanes.h"
#include "models/isa/predicates.h"

namespace pws::check {

namespace {

using isa::operand;
using isa::operand_kind;
using isa::type;

constexpr uint64_t scratch_row = 256;  // bytes from a dword of a lane to its next

}  // namespace

void numbers::load(number_shadow& w, const isa::inst& i, uint64_t in_scratch, const isa::memory_access& a) {
  if (i.dst.kind != operand_kind::vgpr) return;
  for (unsigned d = 0; d < i.dst.dwords; ++d) {
    const unsigned r = unsigned{i.dst.index} + d;
    w.clear(r, active_);
    if (w.scratch.empty()) continue;
    for_each_lane(in_scratch, [&](uint32_t l) {
      const auto at = w.scratch.find(a.address[l] + scratch_row * d);
      if (at == w.scratch.end()) return;
      w.set_value(r, l, at->second.value);
      w.set_value(r, l, at->second.upper, true);
      w.set_dependence(r, l, at->second.depends);
    });
  }
}

// A register's lanes have come to memory or LDS.
void numbers::stored(number_shadow& w, const isa::inst& i, unsigned r, uint64_t lanes, bool upper) {
  for (uint64_t rest = w.marked(r, upper) & lanes; rest != 0;) {
    const number_mark m = w.value(r, static_cast<unsigned>(__builtin_ctzll(rest)), upper);
    uint64_t same = 0;
    for_each_lane(rest, [&](uint32_t l) { same |= uint64_t{w.value(r, l, upper) == m} << l; });
    site where = w.who;
    where.pc = i.pc;
    where.lanes = same;
    report(w, m, same, false, &where);
    rest &= ~same;
  }
}

void numbers::keep_in_scratch(number_shadow& w, unsigned r, uint64_t lanes, const uint64_t* address, unsigned dword) {
  if (w.scratch.empty() && (w.marked(r) | w.dependent(r)) == 0) return;
  for_each_lane(lanes, [&](uint32_t l) {
    const number_shadow::stored x{w.value(r, l), w.value(r, l, true), w.dependence(r, l)};
    const uint64_t at = address[l] + scratch_row * dword;
    if (x.value != 0 || x.upper != 0 || x.depends != 0)
      w.scratch[at] = x;
    else
      w.scratch.erase(at);
  });
}

void numbers::store(number_shadow& w, const isa::inst& i, unsigned data, uint64_t outside, uint64_t in_scratch,
                    const isa::memory_access& a) {
  const operand& o = i.src[data];
  if (o.kind != operand_kind::vgpr) return;
  const unsigned bytes = bytes_of(isa::data_type_of(i));
  for (unsigned d = 0; d < o.dwords; ++d) {
    const unsigned r = unsigned{o.index} + d;
    keep_in_scratch(w, r, in_scratch, a.address, d);
    if (bytes == 1) continue;  // no number
    stored(w, i, r, outside, false);
    if (bytes != 2) stored(w, i, r, outside, true);
  }
}

// An operand that is there afterwards. Where an operation has two, the other one is compared.
void numbers::replace(number_shadow& w, const isa::inst& i, uint64_t outside, uint64_t in_scratch,
                      const isa::memory_access& a) {
  const bool two_places = (i.row->flags & isa::double_access) != 0;
  const bool last = i.unit == isa::unit::lds && i.src[2].kind == operand_kind::vgpr;
  const unsigned dwords = a.bytes_per_lane / 4;
  for (unsigned k = two_places || !last ? 1 : 2; k <= (last ? 2u : 1u); ++k) {
    const operand& o = i.src[k];
    if (o.kind != operand_kind::vgpr) continue;
    for (unsigned d = 0; d < dwords; ++d) {
      const unsigned r = unsigned{o.index} + d;
      uint64_t lanes = 0;
      for_each_lane(outside | in_scratch, [&](uint32_t l) {
        const uint64_t all = dwords == 2 ? value_[k][l] : static_cast<uint32_t>(value_[k][l]);
        // ds_condxchg32 puts there what is negative.
        const bool there =
            two_places || (a.has_changes ? all == a.changes[l].left : (value_[k][l] >> (32 * d + 31) & 1) != 0);
        lanes |= uint64_t{there} << l;
      });
      keep_in_scratch(w, r, lanes & in_scratch, a.address, d);
      stored(w, i, r, lanes & outside, false);
      stored(w, i, r, lanes & outside, true);
    }
  }
}

// In LDS: of what is there and an operand, which may be there too.
void numbers::combine(number_shadow& w, const isa::inst& i, const isa::memory_access& a) {
  const type t = combined_type(*i.row);
  const operand& data = i.src[1];
  uint64_t made = 0, kept = 0;
  number_mark m = 0;
  sources_ = 2;
  type_[0] = type_[1] = t;
  for_each_lane(a.has_changes ? a.mask : 0, [&](uint32_t l) {
    const isa::memory_access::change& c = a.changes[l];
    if (!is_no_number(t, c.left)) return;
    value_[0][l] = c.old;
    value_[1][l] = c.operand;
    if (is_no_number(t, c.old)) return;
    if (is_no_number(t, c.operand)) {
      kept |= uint64_t{1} << l;
    } else if ((m = arises(w, i, l, t, c.left)) != 0) {
      made |= uint64_t{1} << l;
    }
  });
  if (made != 0) report(w, m, made, false, nullptr);
  if (kept != 0 && data.kind == operand_kind::vgpr) stored(w, i, unsigned{data.index} + data.dwords - 1u, kept, false);
}

void numbers::convert(number_shadow& w, const isa::inst& i, const isa::memory_access& a) {
  if (a.overflowed == 0) return;
  sources_ = 0;
  number_mark m = 0;
  constexpr uint64_t infinity = 0x7f800000;
  for_each_lane(a.overflowed, [&](uint32_t l) { m = arises(w, i, l, type::f32, infinity); });
  if (m == 0) return;
  w.arisen(m).made = arisen_number::how::converted;
  report(w, m, a.overflowed, false, nullptr);
}

void numbers::store_scalars(const path& p, const isa::inst& i) {
  const operand& o = i.src[1];
  if (o.kind != operand_kind::scalar) return;
  for (unsigned d = 0; d < o.dwords; ++d) {
    const unsigned r = unsigned{o.index} + d;
    if (r >= isa::scalar_count || p.scalars.values[r].mark == 0) continue;
    site where = p.wave.who;
    where.pc = i.pc;
    report(p.wave, p.scalars.values[r].mark, uint64_t{1} << p.scalars.values[r].lane, false, &where);
  }
}

void numbers::accessed(const path& p, const isa::inst& i, uint64_t outside, uint64_t in_scratch,
                       const isa::memory_access& a) {
  number_shadow& w = p.wave;
  switch (is_.use) {
    case float_use::store:
    case float_use::convert:
      store(w, i, 1, outside, in_scratch, a);
      if (i.unit == isa::unit::lds) store(w, i, 2, outside, in_scratch, a);
      convert(w, i, a);
      return;
    case float_use::scalar_store:
      return store_scalars(p, i);
    case float_use::replace:
      replace(w, i, outside, in_scratch, a);
      break;
    case float_use::combine:
      combine(w, i, a);
      break;
    default:
      break;
  }
  // An atomic's old value may be put where its operand was.
  if (is_.use != float_use::exchange_lanes) load(w, i, in_scratch, a);
}

}  // namespace pws::check
