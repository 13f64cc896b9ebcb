// SPDX-License-Identifier: Apache-2.0
// What paths tell each other at locations that atomics update, and who hears of it.
#include <algorithm>

#include "models/check/races/races.h"

namespace pws::check {

void races::load_past_cache(step& s, cell& c) {
  if (c.path < s.since.path) {  // what was there is over, and with it who had looked
    c.path = 0;
    c.clock = s.since.path;
    c.place = 0;
  }
  c.place |= polled;
  acquire_from(s, c);
}

// What a path may learn from a location that it has looked at with an atomic, or past the cache. In a workgroup all
// accesses go through one cache in order, so there it is enough to have seen the other's access.
void races::acquire_from(step& s, const cell& c) {
  const path& me = *s.p;
  const auto learn = [&](path_id from, uint32_t clock, uint32_t place) {
    if (from == me.id || from < s.since.path) return;
    const bool mate = paths_[from].workgroup == me.workgroup;
    if (!mate && (place & released) == 0) return;
    if (!acquired_.empty() && acquired_.back().from == from && acquired_.back().clock >= clock) return;
    acquired_.push_back({from, clock, mate});
  };
  learn(c.path, c.clock, c.place);
  if (!has_atomics(s, c)) return;
  location& l = atomics_of(c);
  acquire_from_group(s, l);
  if (s.a->in_lds) return;  // all are mates
  gather_told(l);
  if (l.told != nullptr && (told_.empty() || told_.back() != l.told)) told_.push_back(l.told);
}

void races::acquire_from_group(step& s, location& l) {
  const path& me = *s.p;
  const auto learn = [&](const atomic_access& a) {
    ++visited_;
    if (a.path != me.id && a.path >= s.since.path) acquired_.push_back({a.path, a.clock, true});
  };
  const std::vector<path_id>& mates = paths_.paths_of_group(me);
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

}  // namespace pws::check
