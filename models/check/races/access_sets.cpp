// SPDX-License-Identifier: Apache-2.0
#include "models/check/races/access_sets.h"

#include <algorithm>
#include <iterator>

namespace pws::check {

namespace {
constexpr unsigned looked_at = 16;       // members, for an earlier access of the path
constexpr uint8_t shortest_thinned = 6;  // 2 to this
}  // namespace

void access_sets::forget() {
  first_ = next();
  members_.clear();
  heads_.clear();
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
  const set_member empty{};
  const set_member& rest = to < first_ ? empty : member(to);
  m.next = to < first_ ? 0 : to;
  m.highest = std::max(m.path, rest.highest);
  m.length = rest.length + 1;
  m.thin_at = std::max(shortest_thinned, rest.thin_at);
  const access_kind mine = kind_of(m);
  m.kinds = kinds_with(rest.kinds, mine);
  m.same_kind = latest(m.next, mine);
  if (const std::vector<access_kind>& kinds = kinds_[m.kinds]; kinds.size() > 1) {
    m.heads = static_cast<uint32_t>(heads_.size());
    for (const access_kind k : kinds) heads_.push_back(k == mine ? next() : latest(m.next, k));
  }
  members_.push_back(m);
  return next() - 1;
}

// The latest member of that kind; 0: there is none.
set_id access_sets::latest(set_id s, access_kind k) const {
  if (s < first_) return 0;
  const std::vector<access_kind>& kinds = kinds_[member(s).kinds];
  const auto at = std::lower_bound(kinds.begin(), kinds.end(), k);
  if (at == kinds.end() || *at != k) return 0;
  return kinds.size() == 1 ? s : heads_[member(s).heads + static_cast<size_t>(at - kinds.begin())];
}

uint32_t access_sets::kinds_with(uint32_t kinds, access_kind k) {
  const std::vector<access_kind>& had = kinds_[kinds];
  if (had.size() == 1 && had.front() == k) return kinds;  // mostly
  const auto [at, is_new] = with_kind_.try_emplace({kinds, k}, kinds);
  if (!is_new) return at->second;
  std::vector<access_kind> all = had;
  const auto place = std::lower_bound(all.begin(), all.end(), k);
  if (place != all.end() && *place == k) return kinds;
  all.insert(place, k);
  const auto known = std::find(kinds_.begin(), kinds_.end(), all);
  at->second = static_cast<uint32_t>(known - kinds_.begin());
  if (known == kinds_.end()) kinds_.push_back(std::move(all));
  return at->second;
}

set_id access_sets::made(set_id s, const set_member& m) {
  if (s < first_ || member(s).highest < m.path) return append(s, m);
  set_id before[looked_at];
  unsigned n = 0;
  set_id at = s;
  for (; at != 0 && n < looked_at; at = member(at).next) {
    const set_member& x = member(at);
    if (x.path == m.path && owner_of(x) == owner_of(m)) break;
    before[n++] = at;
  }
  if (at == 0) return append(s, m);
  if (n == looked_at) {  // it may be further down: then it stays until the list is without_superseded
    const set_id fresh = append(s, m);
    return member(fresh).length >> member(fresh).thin_at == 0 ? fresh : without_superseded(fresh);
  }
  if (member(at).clock == m.clock) return s;
  // Made anew without the earlier access, down to it.
  set_id fresh = member(at).next;
  while (n > 0) fresh = append(fresh, member(before[--n]));
  return append(fresh, m);
}

// The same with the latest access of each owner only. It takes as long as the list has grown since the last time.
set_id access_sets::without_superseded(set_id s) {
  std::vector<set_member> all;  // the latest first
  each(s, [&](const set_member& x) { all.push_back(x); });
  const auto by_owner = [](const set_member& a, const set_member& b) { return owner_of(a) < owner_of(b); };
  std::stable_sort(all.begin(), all.end(), by_owner);
  const auto same = [](const set_member& a, const set_member& b) { return owner_of(a) == owner_of(b); };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  set_id fresh = 0;
  for (const set_member& x : all) fresh = append(fresh, x);
  uint8_t& thin_at = members_.back().thin_at;
  for (thin_at = shortest_thinned; members_.back().length >> (thin_at - 1) != 0;) ++thin_at;  // twice as long at least
  return fresh;
}

void access_sets::keep(set_id s) {
  while (s >= first_ && kept_.keep(s - first_)) s = member(s).next;
}

void access_sets::compact() {
  std::vector<set_id> heads;
  members_.resize(kept_.close(static_cast<uint32_t>(members_.size()), [&](uint32_t from, uint32_t to) {
    set_member m = members_[from];
    // All made before it.
    if (m.next != 0) m.next = moved(m.next);
    if (m.same_kind != 0) m.same_kind = moved(m.same_kind);
    if (const size_t kinds = kinds_[m.kinds].size(); kinds > 1) {
      const auto had = heads_.begin() + m.heads;
      m.heads = static_cast<uint32_t>(heads.size());
      std::transform(had, had + static_cast<ptrdiff_t>(kinds), std::back_inserter(heads),
                     [&](set_id h) { return moved(h); });
    }
    members_[to] = m;
  }));
  heads_ = std::move(heads);
  recent_.assign(recent_.size(), {});
}

set_id access_sets::moved(set_id s) const {
  return s < first_ ? s : first_ + kept_.moved(s - first_);
}

void access_sets::forget_moves() {
  kept_ = {};
}

}  // namespace pws::check
