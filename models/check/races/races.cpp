// SPDX-License-Identifier: Apache-2.0
#include "models/check/races/races.h"

#include <algorithm>

#include "models/check/shadow/lanes.h"

namespace pws::check {

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

void races::access(path_id id, const race_access& a) {
  using kind = race_access::kind;
  if (a.mask == 0) return;
  if (kept() + version_weight * paths_.versions() >= collect_at_) collect();
  path& p = paths_[id];
  const bool plain = a.does == kind::load || a.does == kind::store;
  // Who has heard of what was told before knows nothing of this access: an atomic and a store begin a new time too.
  if (a.does != kind::past_cache) paths_.move_on(p);
  step s{};
  s.p = &p;
  s.a = &a;
  s.place = number_of(a.pc) << place_bits;
  s.releases = p.has_nothing_under_way() && (a.does != kind::store || p.has_waited);
  found_.clear();
  acquired_.clear();
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
  if (!acquired_.empty() || !told_.empty()) paths_.learn(p, acquired_, told_);
  visited_ += clock_tree::visited() - parts_before;
  if (!found_.empty()) report(s);
}

}  // namespace pws::check
