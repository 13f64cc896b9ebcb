// SPDX-License-Identifier: Apache-2.0
// Loads and stores of a wavefront, whose lanes are looked at together where that tells the same.
#include "models/check/races/races.h"
#include "models/check/shadow/lanes.h"

namespace pws::check {

namespace {

bool is_whole_dwords(uint64_t address, uint32_t bytes) {
  return ((address | bytes) & 3) == 0 && address + bytes >= address;
}

// Lanes of a load that are enough to know what it loads: in a tile of 16 columns all rows may load the same, or all
// columns of a row.
uint64_t different_lanes(const race_access& a) {
  if (a.mask != ~uint64_t{0}) return a.mask;
  uint64_t of_rows = 0, in_rows = 0;
  for (unsigned l = 16; l < 64; ++l) of_rows |= a.address[l] ^ a.address[l - 16];
  if (of_rows == 0) return 0xffff;
  for (unsigned row = 0; row < 64; row += 16)
    for (unsigned l = row + 1; l < row + 16; ++l) in_rows |= a.address[l] ^ a.address[row];
  return in_rows == 0 ? 0x0001000100010001 : a.mask;
}

// Whether these lanes access one line, side by side.
bool fill_a_line(const uint64_t* address, unsigned lanes, uint32_t bytes, uint64_t line_bytes) {
  uint64_t differ = address[0] & (line_bytes - 1);
  for (uint64_t l = 1; l < lanes; ++l) differ |= address[l] ^ (address[0] | bytes * l);
  return differ == 0;
}

}  // namespace

// A page of memory that has no cells; nullptr: it has.
races::page_lines* races::lines_of(uint64_t number) {
  recent_page& r = recent_lines_[number % recent_lines_.size()];
  if (!r.known || r.number != number) {
    const auto at = lines_.find(number);
    r = {true, number, at != lines_.end() ? &at->second : memory_.has(number) ? nullptr : &lines_[number]};
  }
  return r.lines;
}

// Loads of whole lines, side by side, of memory that has seen nothing else: most of what programs only read. Returns
// the lanes that are left.
uint64_t races::load_lines(step& s) {
  const race_access& a = *s.a;
  if (a.in_lds || (a.bytes != 4 && a.bytes != 8 && a.bytes != 16)) return a.mask;
  const unsigned lanes = line_bytes / a.bytes;
  uint64_t rest = a.mask;
  for (unsigned first = 0; first < 64; first += lanes) {
    const uint64_t these = ((uint64_t{1} << lanes) - 1) << first;
    if ((rest & these) != these || !fill_a_line(a.address + first, lanes, a.bytes, line_bytes)) continue;
    page_lines* page = lines_of(a.address[first] / memory_.page_bytes);
    if (page == nullptr) continue;
    set_id& others = page->others[a.address[first] / line_bytes % page->others.size()];
    others = set_with_load(s, others < s.since.set ? 0 : others);
    rest &= ~these;
  }
  return rest;
}

// The set with this instruction's load.
set_id races::set_with_load(step& s, set_id others) {
  if (others == s.memo_to && s.memo_to != 0) return others;
  if (others != s.memo_from || s.memo_to == 0) {
    s.memo_from = others;
    s.memo_to = s.sets->with(others, {0, s.p->id, s.p->clock, s.place, s.a->mask, false});
  }
  return s.memo_to;
}

void races::load_lanes(step& s) {
  const race_access& a = *s.a;
  byte_shadow<cell>* shadow = memory_of(s);
  if (shadow == nullptr) return;
  const uint64_t rest = load_lines(s);
  if (rest == 0) return;
  byte_shadow<cell>::cursor cells(*shadow);
  uint64_t previous = ~a.address[__builtin_ctzll(rest)];
  for_each_lane(rest & different_lanes(a), [&](uint32_t l) {
    const uint64_t address = a.address[l];
    if (address == previous) return;
    previous = address;
    s.lane = l;
    if (!is_whole_dwords(address, a.bytes)) {
      shadow->visit(address, a.bytes, [&](cell& c, uint64_t at, uint32_t bytes) { load(s, c, at, bytes); });
      return;
    }
    for (uint32_t done = 0; done < a.bytes; done += 4) {
      cell& c = cells.at(address + done);
      if (seems_over(s, c) && c.parts == 0 && !has_atomics(s, c) && s.memo_to != 0) {
        if (c.others == s.memo_to) continue;
        if ((c.others < s.since.set ? 0 : c.others) == s.memo_from) {
          c.others = s.memo_to;
          continue;
        }
      }
      shadow->visit(address + done, 4, [&](cell& x, uint64_t at, uint32_t bytes) { load(s, x, at, bytes); });
    }
  });
}

void races::store_lanes(step& s) {
  const race_access& a = *s.a;
  byte_shadow<cell>* shadow = memory_of(s);
  if (shadow == nullptr) return;
  byte_shadow<cell>::cursor cells(*shadow);
  const path& me = *s.p;
  const uint32_t flags = (a.data != nullptr ? value_known : 0) | (s.releases ? released : 0);
  for_each_lane(a.mask, [&](uint32_t l) {
    const uint64_t address = a.address[l];
    s.lane = l;
    if (!is_whole_dwords(address, a.bytes)) {
      shadow->visit(address, a.bytes, [&](cell& c, uint64_t at, uint32_t bytes) { store(s, c, at, bytes); });
      return;
    }
    for (uint32_t done = 0; done < a.bytes; done += 4) {
      cell& c = cells.at(address + done);
      if (!seems_over(s, c) || c.parts != 0 || has_atomics(s, c) || (has_others(s, c) && c.others != s.past_set)) {
        shadow->visit(address + done, 4, [&](cell& x, uint64_t at, uint32_t bytes) { store(s, x, at, bytes); });
        continue;
      }
      const uint32_t place = s.place | l << 3;
      if (c.path == me.id && c.clock == me.clock && instruction_of(c.place) == instruction_of(place) &&
          lane_of(c.place) != l)
        s.lanes_meet = true;
      const uint32_t was_polled = polled_before(s, c);
      c.path = me.id;
      c.clock = me.clock;
      c.value = a.data != nullptr ? a.data[done / 4][l] : 0;
      c.place = place | was_polled | flags;
      c.others = 0;
    }
  });
}

}  // namespace pws::check
