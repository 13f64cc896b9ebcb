#include "models/check/races/races.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/check/shadow/lanes.h"

namespace pws::check {

namespace {

constexpr std::string_view write_write = "race_write_write", read_write = "race_read_write",
                           atomic_plain = "race_atomic_plain", in_one_instruction = "same_instruction_write_write";

}  // namespace

races::races(finding_sink& sink, size_t most_kept) : sink_(sink), least_collected_(most_kept), collect_at_(most_kept) {
  memory_.when_a_page_begins([this](uint64_t number, cell* cells) {
    recent_lines_[number % recent_lines_.size()] = {};
    const auto lines = lines_.find(number);
    if (lines == lines_.end()) return;
    for (unsigned k = 0; k < memory_.page_bytes / 4; ++k) cells[k].others = lines->second.others[k / line_dwords];
    lines_.erase(lines);
  });
}

void races::launch_begins() {
  paths_.launch_begins();
  sets_.forget();
  first_location_ += static_cast<uint32_t>(locations_.size());
  locations_.clear();
  for (auto& g : groups_) {
    forget_sets(*g.second);
    unused_.push_back(std::move(g.second));
  }
  groups_.clear();
  last_group_ = 0;
}

workgroup_id races::workgroup_started(uint32_t lds_bytes) {
  const workgroup_id id = paths_.workgroup_started();
  if (lds_bytes == 0) return id;
  std::unique_ptr<group_memory> m;
  if (unused_.empty()) {
    m = std::make_unique<group_memory>();
  } else {
    m = std::move(unused_.back());
    unused_.pop_back();
  }
  m->since = {paths_.next(), m->sets.first(), first_location_ + static_cast<uint32_t>(locations_.size())};
  groups_[id] = std::move(m);
  return id;
}

void races::workgroup_ended(workgroup_id g) {
  const auto at = groups_.find(g);
  if (at == groups_.end()) return;
  forget_sets(*at->second);
  unused_.push_back(std::move(at->second));
  groups_.erase(at);
  if (last_group_ == g) last_group_ = 0;
}

// Nothing that was done in its LDS so far can race with what comes: who has read it, and by atomics, need not be known
// any more. Of writes a path's time says it.
void races::barrier(workgroup_id g) {
  paths_.barrier(g);
  const auto at = groups_.find(g);
  if (at == groups_.end()) return;
  forget_sets(*at->second);
  at->second->since.location = first_location_ + static_cast<uint32_t>(locations_.size());
}

// What its cells have of sets is over.
void races::forget_sets(group_memory& g) {
  lds_sets_ -= g.sets.size();
  g.sets.forget();
  g.since.set = g.sets.first();
  if (g.since.set < 1u << 31) return;
  g.lds.clear();  // numbers are running out
  g.sets = access_sets(lds_recent);
  g.since.set = g.sets.first();
}

uint32_t races::number_of(uint64_t pc) {
  if (pc == last_pc_) return last_number_;
  const auto [at, is_new] = numbers_.try_emplace(pc, static_cast<uint32_t>(pcs_.size()));
  if (is_new) pcs_.push_back(pc);
  last_pc_ = pc;
  last_number_ = at->second;
  return last_number_;
}

// ---- one instruction

// The memory that the instruction accesses; nullptr: it has none.
byte_shadow<races::cell>* races::memory_of(step& s) {
  if (!s.a->in_lds) {
    s.sets = &sets_;
    s.since = {paths_.first(), sets_.first(), first_location_};
    return &memory_;
  }
  if (last_group_ != s.p->workgroup) {
    const auto at = groups_.find(s.p->workgroup);
    if (at == groups_.end()) return nullptr;
    last_group_ = s.p->workgroup;
    last_memory_ = at->second.get();
  }
  s.sets = &last_memory_->sets;
  s.sets_before = s.sets->size();
  s.since = last_memory_->since;
  return &last_memory_->lds;
}

template <class F>
void races::for_cells(step& s, F&& f) {
  const race_access& a = *s.a;
  byte_shadow<cell>* shadow = memory_of(s);
  if (shadow == nullptr) return;
  for_each_lane(a.mask, [&](uint32_t l) {
    s.lane = l;
    shadow->visit(a.address[l], a.bytes, f);
  });
}

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

// Of a page of memory that has no cells; nullptr: it has.
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
      c.path = me.id;
      c.clock = me.clock;
      c.value = a.data != nullptr ? a.data[done / 4][l] : 0;
      c.place = place | (c.place & polled) | flags;
      c.others = 0;
    }
  });
}

void races::access(path_id id, const race_access& a) {
  using kind = race_access::kind;
  if (a.mask == 0) return;
  if (kept() >= collect_at_) collect();
  path& p = paths_[id];
  const bool plain = a.does == kind::load || a.does == kind::store;
  if (plain) paths_.move_on(p);
  step s{};
  s.p = &p;
  s.a = &a;
  s.place = number_of(a.pc) << place_bits;
  s.releases = p.has_nothing_under_way() && (a.does != kind::store || p.has_waited);
  found_.clear();
  lessons_.clear();
  told_.clear();
  const uint64_t parts_before = clock_tree::visited();
  switch (a.does) {
    case kind::load:
      load_lanes(s);
      break;
    case kind::past_cache:
      for_cells(s, [&](cell& c, uint64_t, uint32_t) { load_past_cache(s, c); });
      break;
    case kind::store:
      store_lanes(s);
      if (s.releases || a.in_lds) paths::publish(p);  // LDS is in order: there is nothing to wait for
      if (s.lanes_meet) check_lanes(s);
      break;
    default:
      for_cells(s, [&](cell& c, uint64_t address, uint32_t bytes) { update(s, c, address, bytes); });
      paths::publish(p);
      break;
  }
  if (a.in_lds && s.sets != nullptr) lds_sets_ += s.sets->size() - s.sets_before;
  if (a.counts_for_vmcnt) paths_.issued_memory(p, plain);
  if (!lessons_.empty() || !told_.empty()) paths_.learn(p, lessons_, told_);
  visited_ += clock_tree::visited() - parts_before;
  if (!found_.empty()) report(s);
}

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

void races::load_past_cache(step& s, cell& c) {
  c.place |= polled;
  learn_from(s, c);
}

// What a path may learn from a location that it has looked at with an atomic, or past the cache. In a workgroup all
// accesses go through one cache in order, so there it is enough to have seen the other's access.
void races::learn_from(step& s, const cell& c) {
  const path& me = *s.p;
  const auto learn = [&](path_id from, uint32_t clock, uint32_t place) {
    if (from == me.id || from < s.since.path) return;
    const bool mate = paths_[from].workgroup == me.workgroup;
    if (!mate && (place & released) == 0) return;
    if (!lessons_.empty() && lessons_.back().from == from && lessons_.back().clock >= clock) return;
    lessons_.push_back({from, clock, mate});
  };
  learn(c.path, c.clock, c.place);
  if (!has_atomics(s, c)) return;
  location& l = atomics_of(c);
  learn_from_mates(s, l);
  if (s.a->in_lds) return;  // all are mates
  gather_told(l);
  if (l.told != nullptr && (told_.empty() || told_.back() != l.told)) told_.push_back(l.told);
}

void races::learn_from_mates(step& s, location& l) {
  const path& me = *s.p;
  const auto learn = [&](const atomic_access& a) {
    ++visited_;
    if (a.path != me.id && a.path >= s.since.path) lessons_.push_back({a.path, a.clock, true});
  };
  const std::vector<path_id>& mates = paths_.mates_of(me);
  if (l.by.size() <= mates.size()) {
    for (const atomic_access& a : l.by)
      if (paths_[a.path].workgroup == me.workgroup) learn(a);
    return;
  }
  for (const path_id m : mates)
    if (const auto a = l.at(m); a != l.by.end() && a->path == m) learn(*a);
}

// What has been told there since somebody listened last.
void races::gather_told(location& l) {
  if (l.untold.empty()) return;
  vector_clock all = l.told == nullptr ? vector_clock() : *l.told;
  for (const path_id p : l.untold) {
    ++visited_;
    atomic_access& a = *l.at(p);
    paths_.tell(all, p, a.told);
    a.place &= ~untold;
  }
  l.untold.clear();
  l.told = std::make_shared<vector_clock>(std::move(all));
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
    } else if (!(tells && (c.place & released) != 0 && (c.place & polled) != 0)) {
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
      if (tells && (a.place & looked) != 0) return true;
      note(s, atomic_plain, "written", "updated", a.path, a.place, uint64_t{1} << lane_of(a.place), address, bytes);
      return false;
    });
    if (all_over) c.atomics = 0;
  }
  const uint32_t place = s.place | s.lane << 3;
  if (c.path == me.id && c.clock == me.clock && instruction_of(c.place) == instruction_of(place) &&
      lane_of(c.place) != s.lane)
    s.lanes_meet = true;
  c.path = me.id;
  c.clock = me.clock;
  c.value = value;
  c.place = place | (c.place & polled) | (known ? value_known : 0) | (tells ? released : 0);
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
      if (!m.same_write) note(s, atomic_plain, "updated", "read", m.path, m.place, m.lanes, address, bytes);
    });
    if (all_over) c.others = 0;
  }
  if (returns) learn_from(s, c);
  location& l = location_of(s, c);
  l.over_for = nullptr;
  atomic_access mine{me.id, me.clock, s.place | s.lane << 3 | (s.releases ? released : 0u) | (returns ? looked : 0u)};
  auto at = l.at(me.id);
  if (at == l.by.end() || at->path != me.id) {
    at = l.by.insert(at, mine);
  } else if (at->clock != me.clock || s.releases || (at->place & released) == 0) {
    if (at->clock == me.clock && (at->place & looked) == 0) mine.place &= ~looked;
    mine.place |= at->place & (s.a->in_lds ? may_hold : untold);
    mine.told = at->told;
    *at = mine;
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

races::location& races::location_of(step& s, cell& c) {
  if (!has_atomics(s, c)) {
    locations_.emplace_back();
    c.atomics = first_location_ + static_cast<uint32_t>(locations_.size()) - 1;
  }
  location& l = atomics_of(c);
  if (l.by.size() >= l.prune_at) prune(s, l);
  return l;
}

// Who knows of this path's access knows of those that are over for it. Their mates hear of them all the same while they
// go on, and so does who listens: if this path releases, it tells what they have told.
void races::prune(step& s, location& l) {
  const auto can_go = [&](const atomic_access& a) {
    ++visited_;
    return a.path != s.p->id && (s.releases || (a.place & untold) == 0) && !paths_.has_live_mates(a.path) &&
           over(s, s.p->in_memory, a.path, a.clock);
  };
  l.by.erase(std::remove_if(l.by.begin(), l.by.end(), can_go), l.by.end());
  const auto is_gone = [&](path_id p) {
    const auto a = l.at(p);
    return a == l.by.end() || a->path != p;
  };
  l.untold.erase(std::remove_if(l.untold.begin(), l.untold.end(), is_gone), l.untold.end());
  l.prune_at = std::max<size_t>(16, 2 * l.by.size());
}

// Memory for what no byte has any more is given back. Numbers keep their order, so that floors stay what they are.
void races::collect() {
  renumbering used;
  const auto each_memory = [&](auto&& f) {
    f(memory_, sets_, floors{paths_.first(), sets_.first(), first_location_});
    for (auto& g : groups_) f(g.second->lds, g.second->sets, g.second->since);
  };
  for (auto& page : lines_)
    for (set_id& others : page.second.others) {
      if (others < sets_.first()) others = 0;
      if (others != 0) sets_.keep(others);
    }
  each_memory([&](byte_shadow<cell>& m, access_sets& sets, const floors& since) {
    m.each([&](cell& c) {
      if (c.others < since.set) c.others = 0;
      if (c.atomics < since.location) c.atomics = 0;
      if (c.others != 0) sets.keep(c.others);
      if (c.atomics != 0) used.keep(c.atomics - first_location_);
    });
    sets.close_ranks();
  });
  locations_.resize(used.close(static_cast<uint32_t>(locations_.size()), [&](uint32_t from, uint32_t to) {
    if (from != to) locations_[to] = std::move(locations_[from]);
  }));
  const auto moved = [&](uint32_t number) {
    return number < first_location_ ? number : first_location_ + used.moved(number - first_location_);
  };
  for (auto& page : lines_)
    for (set_id& others : page.second.others)
      if (others != 0) others = sets_.moved(others);
  each_memory([&](byte_shadow<cell>& m, access_sets& sets, const floors&) {
    m.each([&](cell& c) {
      if (c.others != 0) c.others = sets.moved(c.others);
      if (c.atomics != 0) c.atomics = moved(c.atomics);
    });
    sets.forget_moves();
  });
  lds_sets_ = 0;
  for (auto& g : groups_) {
    g.second->since.location = moved(g.second->since.location);
    lds_sets_ += g.second->sets.size();
  }
  unused_.clear();  // their numbers are from before
  // Not again before as much has come as this has cost.
  size_t pages = memory_.pages() + lines_.size() / line_dwords;
  for (auto& g : groups_) pages += g.second->lds.pages();
  collect_at_ = std::max({least_collected_, 2 * kept(), kept() + pages * (memory_.page_bytes / 4) / 8});
}

// Lanes of one store that write to the same byte: hardware takes one of them.
void races::check_lanes(step& s) {
  const race_access& a = *s.a;
  uint32_t order[64];
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

// ---- findings

// The same two instructions meet in many lanes and bytes: one finding of an instruction.
void races::note(step& s, std::string_view rule, const char* here_is, const char* other_is, path_id other,
                 uint32_t other_place, uint64_t other_lanes, uint64_t address, uint32_t bytes) {
  for (found& f : found_)
    if (f.rule == rule && instruction_of(f.other_place) == instruction_of(other_place)) {
      f.lanes |= uint64_t{1} << s.lane;
      if (f.other == other) f.other_lanes |= other_lanes;
      return;
    }
  found_.push_back({rule, here_is, other_is, other, other_place, other_lanes, uint64_t{1} << s.lane, address, bytes});
}

void races::report(const step& s) {
  const race_access& a = *s.a;
  for (const found& f : found_) {
    const uint64_t other_pc = pcs_[instruction_of(f.other_place)];
    if (!sink_.is_new(f.rule, a.pc, other_pc)) continue;
    const path& other = paths_[f.other];
    finding r;
    r.check = family::races;
    r.rule = f.rule;
    r.here = s.p->where;
    r.here.pc = a.pc;
    r.here.lanes = f.lanes;
    if (a.does == race_access::kind::load)  // those that load the same were not looked at one by one
      for_each_lane(f.lanes, [&](uint32_t l) {
        for_each_lane(a.mask, [&](uint32_t k) {
          if (a.address[k] == a.address[l]) r.here.lanes |= uint64_t{1} << k;
        });
      });
    r.other = other.where;
    r.other->pc = other_pc;
    r.other->lanes = f.other_lanes;
    r.space = a.in_lds ? memory_space::lds : memory_space::global;
    r.address = f.address;
    r.bytes = f.bytes;
    const char* what = a.in_lds ? "LDS" : "memory";
    const char* unit = f.bytes == 1 ? "byte" : "bytes";
    if (f.rule == in_one_instruction) {
      r.what = fmt::format(
          "lanes of one instruction write different values to the same byte of {}: hardware keeps one "
          "of them, and need not always keep the same",
          what);
      r.mend = "one lane alone that writes, or an atomic";
      r.other_is = "and lanes";
    } else {
      const bool mates = other.workgroup == s.p->workgroup;
      const bool parts = mates && other.where.wave == s.p->where.wave;
      r.what = fmt::format("{} {} of {} {} {} here and {} by another {}, and nothing orders the two", f.bytes, unit,
                           what, f.bytes == 1 ? "is" : "are", f.here_is, f.other_is,
                           parts   ? "path of the same wavefront"
                           : mates ? "wavefront of the workgroup"
                                   : "workgroup");
      r.mend =
          parts   ? "a merge (or no split) between the two, or an atomic"
          : mates ? "s_barrier (__syncthreads) between the two, or atomics for both"
                  : "atomics for both; or a fence and an atomic after the first (s_waitcnt vmcnt(0) before it), and an "
                    "atomic and a fence (buffer_wbinvl1 after it) before the second; or two launches";
      r.other_is = fmt::format("{} by", f.other_is);
    }
    sink_.add(std::move(r));
  }
}

}  // namespace pws::check
