#include "models/check/races/access_sets.h"

#include <algorithm>

namespace pws::check {

namespace {
constexpr unsigned looked_at = 16;  // members, for an earlier access of the path
constexpr uint32_t shortest_thinned = 64;
}  // namespace

void access_sets::forget() {
  first_ = next();
  members_.clear();
}

set_id access_sets::with(set_id s, const set_member& m) {
  if (s < first_) s = 0;
  const uint32_t hash =
      (s * 2654435761u) ^ (m.path * 2246822519u) ^ (m.clock * 3266489917u) ^ (m.place * 668265263u) ^ m.same_write;
  made_before& r = recent_[(hash >> 11) & (recent_.size() - 1)];
  // Also by the place, which findings name.
  if (r.to >= first_ && r.from == s && r.path == m.path && r.clock == m.clock && r.place == m.place &&
      r.same_write == m.same_write)
    return r.to;
  r = {s, made(s, m), m.path, m.clock, m.place, m.same_write};
  return r.to;
}

set_id access_sets::append(set_id to, set_member m) {
  const bool empty = to < first_;
  m.next = empty ? 0 : to;
  m.highest = empty ? m.path : std::max(m.path, member(to).highest);
  m.length = empty ? 1 : member(to).length + 1;
  m.thin_at = empty ? shortest_thinned : member(to).thin_at;
  members_.push_back(m);
  return next() - 1;
}

set_id access_sets::made(set_id s, const set_member& m) {
  if (s < first_ || member(s).highest < m.path) return append(s, m);
  set_id before[looked_at];
  unsigned n = 0;
  set_id at = s;
  for (; at != 0 && n < looked_at; at = member(at).next) {
    const set_member& x = member(at);
    if (x.path == m.path && x.same_write == m.same_write) break;
    before[n++] = at;
  }
  if (at == 0) return append(s, m);
  if (n == looked_at) {  // it may be further down: then it stays until the list is thinned
    const set_id fresh = append(s, m);
    return member(fresh).length < member(fresh).thin_at ? fresh : thinned(fresh);
  }
  if (member(at).clock == m.clock) return s;
  // Made anew without the earlier access, down to it.
  set_id fresh = member(at).next;
  while (n > 0) fresh = append(fresh, member(before[--n]));
  return append(fresh, m);
}

// The same with the latest access of each path only. It takes as long as the list has grown since the last time.
set_id access_sets::thinned(set_id s) {
  std::vector<set_member> all;  // the latest first
  each(s, [&](const set_member& x) {
    all.push_back(x);
    return true;
  });
  const auto by_path = [](const set_member& a, const set_member& b) {
    return a.path != b.path ? a.path < b.path : a.same_write < b.same_write;
  };
  std::stable_sort(all.begin(), all.end(), by_path);
  const auto same = [](const set_member& a, const set_member& b) {
    return a.path == b.path && a.same_write == b.same_write;
  };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  set_id fresh = 0;
  for (const set_member& x : all) fresh = append(fresh, x);
  members_.back().thin_at = std::max(shortest_thinned, 2 * members_.back().length);
  return fresh;
}

void access_sets::keep(set_id s) {
  while (s >= first_ && kept_.keep(s - first_)) s = member(s).next;
}

void access_sets::close_ranks() {
  members_.resize(kept_.close(static_cast<uint32_t>(members_.size()), [&](uint32_t from, uint32_t to) {
    set_member m = members_[from];
    if (m.next != 0) m.next = moved(m.next);  // made before it
    members_[to] = m;
  }));
  recent_.assign(recent_.size(), {});
}

set_id access_sets::moved(set_id s) const {
  return s < first_ ? s : first_ + kept_.moved(s - first_);
}

void access_sets::forget_moves() {
  kept_ = {};
}

}  // namespace pws::check
