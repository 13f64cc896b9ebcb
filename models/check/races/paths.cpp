// SPDX-License-Identifier: Apache-2.0
#include "models/check/races/paths.h"

#include <algorithm>
#include <iterator>

namespace pws::check {

void paths::launch_begins() {
  first_ = next();
  first_group_ += static_cast<workgroup_id>(groups_.size());
  paths_.clear();
  groups_.clear();
  versions_ = 0;
}

workgroup_id paths::workgroup_started() {
  groups_.emplace_back();
  return first_group_ + static_cast<workgroup_id>(groups_.size()) - 1;
}

path& paths::add(workgroup_id g, const site& where) {
  paths_.push_back(std::make_unique<path>());
  path& p = *paths_.back();
  p.id = next() - 1;
  p.workgroup = g;
  p.where = where;
  p.clock = group_of(p).latest;
  group_of(p).members.push_back(p.id);
  group_of(p).all.push_back(p.id);
  return p;
}

path_id paths::started(workgroup_id g, const site& where) {
  return add(g, where).id;
}

void paths::tick(path& p) {
  p.published = false;
  ++p.clock;
  group& g = group_of(p);
  g.latest = std::max(g.latest, p.clock);
}

void paths::set_known(path& p, knowledge in_memory, knowledge in_caches) {
  if (p.in_memory != in_memory) {
    move_on(p);
    if (p.versions.empty() || (p.version_needed && p.versions.back().clock != p.clock)) {
      p.versions.push_back({p.clock, in_memory});
      ++versions_;
    } else {
      p.versions.back() = {p.clock, in_memory};
    }
    p.version_needed = false;
  }
  p.in_memory = std::move(in_memory);
  p.in_caches = std::move(in_caches);
}

// The one behind that which was in effect then.
std::vector<path::version>::const_iterator paths::version_at(const path& p, uint32_t clock) {
  return std::upper_bound(p.versions.begin(), p.versions.end(), clock,
                          [](uint32_t c, const path::version& v) { return c < v.clock; });
}

const knowledge& paths::known_at(const path& p, uint32_t clock) const {
  static const knowledge nothing;
  const auto after = version_at(p, clock);
  return after == p.versions.begin() ? nothing : std::prev(after)->known;
}

void paths::keep_version(path_id id, uint32_t clock) {
  path& p = (*this)[id];
  const auto after = version_at(p, clock);
  if (after != p.versions.begin()) p.versions[static_cast<size_t>(after - p.versions.begin()) - 1].kept = true;
}

void paths::forget_other_versions() {
  versions_ = 0;
  for (const auto& p : paths_) {
    if (p->versions.empty()) continue;
    p->versions.back().kept = true;  // its present
    p->versions.erase(
        std::remove_if(p->versions.begin(), p->versions.end(), [](const path::version& v) { return !v.kept; }),
        p->versions.end());
    for (path::version& v : p->versions) v.kept = false;
    versions_ += p->versions.size();
  }
}

path_id paths::forked(path_id parent, const site& where) {
  path* child = nullptr;
  if (std::vector<path_id>& used = (*this)[parent].joined; !used.empty()) {
    child = &(*this)[used.back()];
    used.pop_back();
    tick(*child);
    child->clock = std::max(child->clock, group_of(*child).barrier);
    child->where = where;
    group_of(*child).members.push_back(child->id);
  } else {
    child = &add((*this)[parent].workgroup, where);
  }
  path& p = (*this)[parent];
  const known_time so_far{of_path(parent), p.clock};
  p.version_needed = true;  // mates may still hear of a store of that time
  tick(p);
  const auto with = [&](const knowledge& k) {
    auto both = k == nullptr ? std::make_shared<vector_clock>() : std::make_shared<vector_clock>(*k);
    both->learn(so_far);
    return both;
  };
  child->plain_under_way = p.plain_under_way;
  child->behind_plain = p.behind_plain;
  child->has_waited = p.has_waited;
  set_known(*child, with(p.in_memory), with(p.in_caches));
  return child->id;
}

void paths::joined(path_id parent, path_id child) {
  path &p = (*this)[parent], &c = (*this)[child];
  const known_time done{of_path(child), c.clock};
  const auto with = [&](const knowledge& mine, const knowledge& its) {
    auto both = mine == nullptr ? std::make_shared<vector_clock>() : std::make_shared<vector_clock>(*mine);
    if (its != nullptr) both->learn(*its);
    both->learn(done);
    return both;
  };
  set_known(p, with(p.in_memory, c.in_memory), with(p.in_caches, c.in_caches));
  p.plain_under_way |= c.plain_under_way;
  p.behind_plain = std::min(p.behind_plain, c.behind_plain);
  ended(child);
  p.joined.push_back(child);
}

void paths::ended(path_id id) {
  std::vector<path_id>& members = group_of((*this)[id]).members;
  members.erase(std::remove(members.begin(), members.end(), id), members.end());
}

void paths::barrier(workgroup_id id) {
  group& g = groups_[id - first_group_];
  g.barrier = ++g.latest;
  g.barriers.push_back(g.barrier);
  knowledge in_memory, in_caches;
  for (const path_id m : g.members) {
    in_memory = united(in_memory, (*this)[m].in_memory);
    in_caches = united(in_caches, (*this)[m].in_caches);
  }
  for (const path_id m : g.members) {
    path& p = (*this)[m];
    p.clock = g.barrier;
    p.published = false;
    p.version_needed = true;  // mates may still hear of a store of the time before, for their caches
    set_known(p, in_memory, in_caches);
  }
}

void paths::waited(path_id id, uint32_t vmcnt) {
  path& p = (*this)[id];
  if (vmcnt == 0 || (p.plain_under_way && vmcnt <= p.behind_plain)) {
    p.plain_under_way = false;
    p.has_waited = true;
  }
}

void paths::issued_memory(path& p, bool plain) {
  if (plain) {
    p.plain_under_way = true;
    p.behind_plain = 0;
  } else {
    ++p.behind_plain;
  }
}

void paths::invalidated(path_id id) {
  path& p = (*this)[id];
  p.in_caches = p.in_memory;
}

template <class F>
void paths::each_told(path_id from, uint32_t clock, bool barriers, F&& f) const {
  const path& other = (*this)[from];
  f(known_time{of_path(from), clock});
  if (const knowledge& known = known_at(other, clock); known != nullptr) f(*known);
  if (!barriers) return;
  const std::vector<uint32_t>& all = groups_[other.workgroup - first_group_].barriers;
  const auto after = std::upper_bound(all.begin(), all.end(), clock);
  if (after != all.begin()) f(known_time{of_group(other.workgroup), *std::prev(after)});
}

void paths::tell(vector_clock& to, path_id from, uint32_t clock) const {
  each_told(from, clock, true, [&](const auto& known) { to.learn(known); });
}

void paths::learn(path& p, const std::vector<lesson>& lessons, const std::vector<knowledge>& told) {
  std::shared_ptr<vector_clock> memory, caches;
  const auto changed = [](std::shared_ptr<vector_clock>& to, const knowledge& from) -> vector_clock& {
    if (to == nullptr) to = from == nullptr ? std::make_shared<vector_clock>() : std::make_shared<vector_clock>(*from);
    return *to;
  };
  const auto add = [&](std::shared_ptr<vector_clock>& to, const knowledge& from, const auto& known) {
    if (to != nullptr || from == nullptr || !from->covers(known)) changed(to, from).learn(known);
  };
  for (const lesson& l : lessons) {
    if (l.from == p.id) continue;
    path& other = (*this)[l.from];
    if (other.clock == l.clock) publish(other);        // a mate's store that has not released is heard of all the same
    const bool mate = other.workgroup == p.workgroup;  // the barriers of the own workgroup are known
    each_told(l.from, l.clock, !mate, [&](const auto& known) {
      add(memory, p.in_memory, known);
      if (l.in_caches) add(caches, p.in_caches, known);
    });
  }
  // What it has told there itself is nothing new.
  static const vector_clock nothing;
  for (const knowledge& k : told) {
    const vector_clock& mine = memory != nullptr ? *memory : p.in_memory != nullptr ? *p.in_memory : nothing;
    if (!mine.covers_but(*k, p.id - first_, p.workgroup - first_group_)) changed(memory, p.in_memory).learn(*k);
  }
  if (memory == nullptr && caches == nullptr) return;
  set_known(p, memory == nullptr ? p.in_memory : memory, caches == nullptr ? p.in_caches : caches);
}

}  // namespace pws::check
