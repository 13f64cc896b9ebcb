// SPDX-License-Identifier: Apache-2.0
// An access against what is known of its bytes.
#include <algorithm>

#include "models/check/races/races.h"
#include "models/check/shadow/lanes.h"

namespace pws::check {

// Whether the last write of the cell comes before this instruction, of which memory or caches are known in that way.
bool races::write_is_over(step& s, const knowledge& known, const cell& c) {
  if (seems_over(s, c)) return true;
  if (!paths_.is_over(*s.p, known, c.path, c.clock)) return false;
  s.ordered_path = c.path;
  s.ordered_clock = c.clock;
  return true;
}

void races::load(step& s, cell& c, uint64_t address, uint32_t bytes) {
  const path& me = *s.p;
  if (!write_is_over(s, me.in_caches, c))
    note(s, read_write, "read", "written", c.path, c.place, uint64_t{1} << lane_of(c.place), address, bytes);
  if (has_atomics(s, c))
    each_not_over(s, me.in_caches, atomics_of(c), [&](const atomic_access& a) {
      note(s, atomic_plain, "read", "updated", a.path, a.place, uint64_t{1} << lane_of(a.place), address, bytes);
      return false;
    });
  c.others = set_with_load(s, c.others < s.since.set ? 0 : c.others);
}

// Calls f(access) for those that are not over for the path, which knows `k` of others, until that is false. Returns
// whether all are over.
template <class F>
bool races::each_not_over(step& s, const knowledge& k, location& l, F&& f) {
  if (l.over_for != nullptr && k != nullptr && k->covers(*l.over_for)) return true;
  bool all = true, for_others = k != nullptr;
  for (const atomic_access& a : l.by) {
    ++visited_;
    if (a.path < s.since.path || paths_.is_known(k, a.path, a.clock)) continue;
    for_others = false;
    if (over(s, k, a.path, a.clock)) continue;
    all = false;
    if (!f(a)) break;
  }
  if (for_others) l.over_for = k;
  return all;
}

uint32_t races::value_of(const step& s, uint64_t address, uint32_t bytes) const {
  const auto at = static_cast<uint32_t>(address - s.a->address[s.lane]);
  const uint32_t dword = s.a->data[at / 4][s.lane];
  if (bytes == 4 && at % 4 == 0) return dword;
  uint64_t both = dword;
  if (at % 4 + bytes > 4) both |= uint64_t{s.a->data[at / 4 + 1][s.lane]} << 32;
  both >>= 8 * (at % 4);
  return bytes == 4 ? static_cast<uint32_t>(both) : static_cast<uint32_t>(both & 0xff);
}

// A store to LDS by a path that has taken the lock there. It needs no wait to tell, as in memory, for LDS is in order.
// Who stores without having taken it, as to set it at first, is no part of the agreement.
bool races::unlocks(const step& s, const cell& c) {
  if (!s.a->in_lds || !has_atomics(s, c)) return false;
  location& l = atomics_of(c);
  const auto mine = l.at(s.p->id);
  return mine != l.by.end() && mine->path == s.p->id && (mine->place & may_hold) != 0;
}

void races::store(step& s, cell& c, uint64_t address, uint32_t bytes) {
  const path& me = *s.p;
  const bool known = s.a->data != nullptr;
  const uint32_t value = known ? value_of(s, address, bytes) : 0;
  const bool same = known && (c.place & value_known) != 0 && c.value == value;
  const bool tells = s.releases || unlocks(s, c);
  bool keep = false;
  if (!write_is_over(s, me.in_memory, c)) {
    if (same) {
      c.others = s.sets->with(c.others, {0, c.path, c.clock, c.place, uint64_t{1} << lane_of(c.place), true});
      keep = true;
    } else if (!(tells && (c.place & released) != 0 && polled_before(s, c) != 0)) {
      note(s, write_write, "written", "written", c.path, c.place, uint64_t{1} << lane_of(c.place), address, bytes);
    }
  }
  if (has_others(s, c)) {
    const auto is_over = [&](const set_member& m) { return over(s, me.in_memory, m.path, m.clock); };
    const bool all_over = !s.sets->each_kind(c.others, is_over, [&](const set_member& m) {
      if (m.same_write && same)
        keep = true;
      else
        note(s, m.same_write ? write_write : read_write, "written", m.same_write ? "written" : "read", m.path, m.place,
             m.lanes, address, bytes);
    });
    if (all_over) s.past_set = c.others;
  }
  if (!keep) c.others = 0;
  if (has_atomics(s, c)) {
    const bool all_over = each_not_over(s, me.in_memory, atomics_of(c), [&](const atomic_access& a) {
      const bool heard = tells && (a.place & looked) != 0;
      if (heard && (a.no_return_clock == 0 || over(s, me.in_memory, a.path, a.no_return_clock))) return true;
      const uint32_t its = heard ? a.no_return_place : a.place;
      note(s, atomic_plain, "written", "updated", a.path, its, uint64_t{1} << lane_of(its), address, bytes);
      return false;
    });
    if (all_over) c.atomics = 0;
  }
  const uint32_t place = s.place | s.lane << 3;
  if (c.path == me.id && c.clock == me.clock && instruction_of(c.place) == instruction_of(place) &&
      lane_of(c.place) != s.lane)
    s.lanes_meet = true;
  const uint32_t was_polled = polled_before(s, c);
  c.path = me.id;
  c.clock = me.clock;
  c.value = value;
  c.place = place | was_polled | (known ? value_known : 0) | (tells ? released : 0);
}

void races::update(step& s, cell& c, uint64_t address, uint32_t bytes) {
  const path& me = *s.p;
  const bool returns = s.a->does == race_access::kind::returning_atomic;
  // A store that tells is for those who hear. Who does not look is no part of such an agreement.
  if (c.path != me.id && c.path >= s.since.path && !(returns && (c.place & released) != 0) &&
      !paths_.is_over(me, me.in_memory, c.path, c.clock))
    note(s, atomic_plain, "updated", "written", c.path, c.place, uint64_t{1} << lane_of(c.place), address, bytes);
  if (has_others(s, c)) {
    const auto is_over = [&](const set_member& m) { return over(s, me.in_memory, m.path, m.clock); };
    const bool all_over = !s.sets->each_kind(c.others, is_over, [&](const set_member& m) {
      if (m.same_write && returns && (m.place & released) != 0) return;
      note(s, atomic_plain, "updated", m.same_write ? "written" : "read", m.path, m.place, m.lanes, address, bytes);
    });
    if (all_over) c.others = 0;
  }
  if (returns) acquire_from(s, c);
  location& l = location_of(s, c);
  l.over_for = nullptr;
  atomic_access mine{me.id, me.clock, s.place | s.lane << 3 | (s.releases ? released : 0u) | (returns ? looked : 0u)};
  auto at = l.at(me.id);
  if (at == l.by.end() || at->path != me.id) {
    at = l.by.insert(at, mine);
  } else {
    mine.place |= at->place & (s.a->in_lds ? may_hold : untold);
    mine.told = at->told;
    mine.no_return_clock = at->no_return_clock;
    mine.no_return_place = at->no_return_place;
    *at = mine;
  }
  if (!returns) {
    at->no_return_clock = me.clock;
    at->no_return_place = mine.place;
  }
  if (s.a->in_lds) {
    if (s.a->may_take_a_lock) at->place |= may_hold;
    return;
  }
  if (!s.releases || at->told == me.clock) return;
  at->told = me.clock;
  if ((at->place & untold) == 0) l.untold.push_back(me.id);
  at->place |= untold;
}

// Lanes of one store that write to the same byte: hardware takes one of them.
void races::check_lanes(step& s) {
  const race_access& a = *s.a;
  uint32_t order[64] = {};
  unsigned n = 0;
  for_each_lane(a.mask, [&](uint32_t l) { order[n++] = l; });
  std::sort(order, order + n, [&](uint32_t x, uint32_t y) { return a.address[x] < a.address[y]; });
  const auto byte = [&](uint32_t lane, uint64_t address) {
    const auto at = static_cast<uint32_t>(address - a.address[lane]);
    return a.data[at / 4][lane] >> (8 * (at % 4)) & 0xff;
  };
  for (unsigned k = 1; k < n; ++k) {
    const uint32_t x = order[k - 1], y = order[k];
    const uint64_t end = a.address[x] + a.bytes;
    for (uint64_t address = a.address[y]; address < end; ++address) {
      if (a.data != nullptr && byte(x, address) == byte(y, address)) continue;
      s.lane = y;
      note(s, in_one_instruction, "", "", s.p->id, s.place | x << 3, uint64_t{1} << x, address, 1);
      break;
    }
  }
}

}  // namespace pws::check
