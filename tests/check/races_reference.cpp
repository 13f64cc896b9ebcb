// SPDX-License-Identifier: Apache-2.0
#include "tests/check/races_reference.h"

#include <algorithm>

namespace pws::check {

void races_reference::started(path_id p, workgroup_id g) {
  paths_[p] = {};
  paths_[p].group = g;
}

void races_reference::forked(path_id parent, path_id child) {
  path& p = paths_[parent];
  p.untold.clear();
  path& c = paths_[child];  // it may be one that has joined, again
  c.live = true;
  c.group = p.group;
  c.plain_under_way = p.plain_under_way;
  c.has_waited = p.has_waited;
  c.in_memory = p.in_memory | p.own;
  c.in_caches = p.in_caches | p.own;
  c.untold.clear();
}

void races_reference::joined(path_id parent, path_id child) {
  path& p = paths_[parent];
  path& c = paths_[child];
  c.live = false;
  p.plain_under_way |= c.plain_under_way;
  p.in_memory |= c.in_memory | c.own;
  p.in_caches |= c.in_caches | c.own;
  add_to_untold(parent);
}

void races_reference::barrier(workgroup_id g) {
  accesses memory, caches;
  for (const auto& [id, p] : paths_) {
    if (p.group != g) continue;
    memory |= p.own;
    caches |= p.own;
    if (!p.live) continue;
    memory |= p.in_memory;
    caches |= p.in_caches;
  }
  for (auto& [id, p] : paths_) {
    if (p.group != g || !p.live) continue;
    p.in_memory |= memory;
    p.in_caches |= caches;
    p.untold.clear();
  }
  // Who has taken a lock in LDS before it holds none any more.
  for (auto& [at, w] : words_)
    if (at.first == g) w.updated.clear();
}

void races_reference::waited(path_id p) {
  paths_[p].plain_under_way = false;
  paths_[p].has_waited = true;
}

// What a path does behind a store to memory that it has not waited for counts as done before it, until somebody can
// hear of something.
void races_reference::add_to_untold(path_id id) {
  path& p = paths_[id];
  for (const auto& [at, n] : p.untold)
    if (word& w = words_[at]; w.written && w.written->n == n) w.written->told = p.own | p.in_memory;
}

races_reference::access races_reference::did(path_id id, size_t n, place at, bool plain) {
  path& p = paths_[id];
  access a;
  a.by = id;
  a.n = n;
  a.tells = !p.plain_under_way && (!plain || p.has_waited);
  p.own.set(n);
  if (plain && at.first == 0) p.plain_under_way = true;
  a.told = p.own | p.in_memory;
  add_to_untold(id);
  return a;
}

// In a workgroup each sees of the others' accesses what is there.
void races_reference::hear(path_id id, const word& w, place at) {
  path& p = paths_[id];
  const auto hear_of = [&](const access& a) {
    if (a.by == id) return;
    const bool mate = paths_[a.by].group == p.group;
    if (mate || a.tells) p.in_memory |= a.told;
    if (mate) p.in_caches |= a.told;
    if (const auto& open = paths_[a.by].untold;
        mate && std::any_of(open.begin(), open.end(), [&](const auto& o) { return o.second == a.n; }))
      paths_[a.by].untold.clear();
  };
  if (w.written) hear_of(*w.written);
  for (const auto& [by, a] : w.updated)
    if (paths_[by].group == p.group) hear_of(a);
  if (at.first == 0) p.in_memory |= w.told;
  add_to_untold(id);
}

void races_reference::load(path_id id, size_t n, place at) {
  word& w = words_[at];
  const accesses& known = paths_[id].in_caches;
  if (w.written && !over(id, known, *w.written)) say("race_read_write", n, *w.written);
  for (const auto& [by, a] : w.updated) {
    if (over(id, known, a)) continue;
    said.insert({"race_atomic_plain", n, any});
  }
  w.read[id] = did(id, n, at, true);
}

void races_reference::poll(path_id id, place at) {
  word& w = words_[at];
  w.polled = true;
  hear(id, w, at);
}

void races_reference::store(path_id id, size_t n, place at, uint32_t value) {
  word& w = words_[at];
  const accesses known = paths_[id].in_memory;
  write mine;
  static_cast<access&>(mine) = did(id, n, at, true);
  mine.value = value;
  const auto my_atomic = w.updated.find(id);
  const bool unlocks = at.first != 0 && my_atomic != w.updated.end() && my_atomic->second.may_hold;
  mine.tells = mine.tells || unlocks;
  const bool same = w.written && w.written->value == value;
  bool more_than_one = false;  // have written this value, in no order
  if (w.written && !over(id, known, *w.written)) {
    if (same) {
      w.written_the_same[{w.written->by, w.written->tells}] = *w.written;
      more_than_one = true;
    } else if (!(mine.tells && w.written->tells && w.polled)) {
      say("race_write_write", n, *w.written);
    }
  }
  for (const auto& [by, a] : w.read)
    if (!over(id, known, a)) say("race_read_write", n, a);
  for (const auto& [by, a] : w.written_the_same) {
    if (over(id, known, a)) continue;
    if (same)
      more_than_one = true;
    else
      say("race_write_write", n, a);
  }
  if (!more_than_one) {
    w.read.clear();
    w.written_the_same.clear();
  }
  bool all_over = true;
  for (const auto& [by, a] : w.updated) {
    if (over(id, known, a)) continue;
    all_over = false;
    const bool hears = mine.tells && a.looked;
    const bool was_blind = a.blind && !over(id, known, *a.blind);
    if (hears && !was_blind) continue;
    said.insert({"race_atomic_plain", n, any});
  }
  if (all_over) {  // what comes is compared with the store
    w.updated.clear();
    w.told.reset();
  }
  w.written = mine;
  if (at.first == 0 && !mine.tells)
    paths_[id].untold[at] = n;
  else
    paths_[id].untold.clear();
}

void races_reference::update(path_id id, size_t n, place at, bool returns, bool takes) {
  word& w = words_[at];
  const accesses known = paths_[id].in_memory;
  const auto excused = [&](const access& a) { return over(id, known, a) || (returns && a.tells); };
  if (w.written && !excused(*w.written)) say("race_atomic_plain", n, *w.written);
  bool all_over = true;
  for (const auto& [by, a] : w.written_the_same) {
    all_over = all_over && over(id, known, a);
    if (!excused(a)) say("race_atomic_plain", n, a);
  }
  for (const auto& [by, a] : w.read) {
    all_over = all_over && over(id, known, a);
    if (!over(id, known, a)) say("race_atomic_plain", n, a);
  }
  if (all_over) {
    w.read.clear();
    w.written_the_same.clear();
  }
  atomic mine;
  static_cast<access&>(mine) = did(id, n, at, false);
  paths_[id].untold.clear();
  if (returns) hear(id, w, at);
  mine.looked = returns;
  mine.may_hold = takes;
  if (const auto before = w.updated.find(id); before != w.updated.end()) {
    mine.may_hold = mine.may_hold || before->second.may_hold;
    mine.blind = before->second.blind;
  }
  if (!returns) mine.blind = mine;
  if (mine.tells) w.told |= mine.told;
  w.updated[id] = mine;
}

}  // namespace pws::check
