// SPDX-License-Identifier: Apache-2.0
#include "models/formation/warp_pool.h"

#include "base/popcount.h"
#include "models/formation/home_lanes.h"

namespace pws::models {

namespace {
// The lowest `n` of these lanes.
uint64_t lowest(uint64_t lanes, uint32_t n) {
  uint64_t rest = lanes;
  for (; n != 0 && rest != 0; --n) rest &= rest - 1;
  return lanes & ~rest;
}
}  // namespace

warp_pool::warp_pool(const machine_config& c, uint32_t capacity, bool joins, formation_statistics& statistics)
    : warp_size_(warp_size_of(c)),
      lane_aware_(c.dwf.register_file == warp_register_file::lane_aware),
      joins_(joins),
      heuristic_(joins ? c.dwf.heuristic : issue_heuristic::time_stamp),
      statistics_(statistics),
      warps_(capacity),
      lut_(c.dwf.lut_entries),
      majority_(c.dwf.majority_entries) {
  for (uint32_t w = capacity; w-- > 0;) free_.push_back(w);
  in_use_.reserve(capacity);
}

// ---- Formation

bool warp_pool::enter(pool_request& r, path_cutter& owner) {
  uint32_t entry = pc_warp_lut::none;
  if (joins_) {
    entry = lut_.find(r.pc);
    ++(entry == pc_warp_lut::none ? statistics_.lut_misses : statistics_.lut_hits);
  }
  if (entry != pc_warp_lut::none && warps_[lut_[entry].warp].kernel == r.kernel) {
    const formed_warp& w = warps_[lut_[entry].warp];
    const uint32_t before = w.work_items;
    const bool all = fill(lut_[entry].warp, r, owner);
    statistics_.joined += w.work_items - before;
    lut_[entry].occupied = w.occupied;
    if (all) return true;
    for (const pool_entry& e : r.entries) statistics_.conflicts += popcount(e.lanes);
  }
  while (!r.entries.empty()) {
    if (free_.empty()) {
      ++statistics_.pool_full;
      return false;
    }
    const uint32_t w = open(r);
    if (joins_) point_to(r.pc, entry, w);
    fill(w, r, owner);
    if (joins_) lut_[entry].occupied = warps_[w].occupied;
  }
  return true;
}

uint32_t warp_pool::open(const pool_request& r) {
  const uint32_t index = free_.back();
  free_.pop_back();
  formed_warp& w = warps_[index];
  w.pc = r.pc;
  w.kernel = r.kernel;
  w.port = r.port;
  w.number = opened_++;
  w.occupied = 0;
  w.work_items = 0;
  w.passed = ~uint32_t{0};
  w.lut_entry = pc_warp_lut::none;
  w.counter = majority_table::none;
  w.place = in_use();
  w.members.clear();
  in_use_.push_back(index);
  ++statistics_.formed;
  return index;
}

// The entry of this PC, which may be none so far, has `warp` from now on.
void warp_pool::point_to(uint64_t pc, uint32_t& entry, uint32_t warp) {
  if (entry != pc_warp_lut::none) {
    warps_[lut_[entry].warp].lut_entry = pc_warp_lut::none;
    lut_[entry].warp = warp;
  } else {
    const pc_warp_lut::placed p = lut_.place(pc, warp);
    entry = p.entry;
    if (p.displaced != pc_warp_lut::none) {
      warps_[p.displaced].lut_entry = pc_warp_lut::none;
      ++statistics_.lut_displaced;
    }
  }
  warps_[warp].lut_entry = entry;
}

// Those of its lanes that the warp can take. Where any will do, of the work-items with the lowest numbers.
uint64_t warp_pool::room_for(const formed_warp& w, const pool_entry& e) const {
  if (lane_aware_ && joins_) return e.lanes & ~w.occupied;
  const uint32_t room = warp_size_ - w.work_items;
  if (popcount(e.lanes) <= room) return e.lanes;
  return e.exchanged ? home_lanes::exchanged(lowest(home_lanes::exchanged(e.lanes), room)) : lowest(e.lanes, room);
}

// As many of the request's work-items as the warp has room for, in their order; the others stay in the request. True if
// none does.
bool warp_pool::fill(uint32_t warp, pool_request& r, path_cutter& owner) {
  formed_warp& w = warps_[warp];
  const uint32_t before = w.work_items;
  size_t left = 0;
  for (const pool_entry e : r.entries) {
    const uint64_t fits = room_for(w, e);
    if (fits == e.lanes) {
      join(w, e);
      continue;
    }
    pool_entry rest = e;
    if (fits != 0) {
      rest.lanes = e.lanes & ~fits;
      rest.path = owner.cut(e.path, rest.lanes);
      ++statistics_.cuts;
      join(w, {e.path, fits, e.passed, e.exchanged});
    }
    r.entries[left++] = rest;
  }
  r.entries.resize(left);
  count(w, w.work_items - before);
  return left == 0;
}

void warp_pool::join(formed_warp& w, const pool_entry& e) {
  w.occupied |= e.lanes;
  w.work_items += popcount(e.lanes);
  w.passed = std::min(w.passed, e.passed);
  w.members.push_back(e);
}

// ---- Majority table

// `work_items` more have come to the warp.
void warp_pool::count(formed_warp& w, uint32_t work_items) {
  if (!counts() || work_items == 0) return;
  if (w.counter != majority_table::none) {
    majority_.enter(w.pc, work_items);
    return;
  }
  // Others of this PC may have found no entry, when there was none.
  w.counter = majority_.enter(w.pc, w.work_items);
  if (w.counter == majority_table::none) {
    ++statistics_.not_counted;
    uncounted_ = true;
  }
}

// An entry is free: it is for the oldest warp that is not counted, and all others at its PC.
void warp_pool::count_oldest() {
  const formed_warp* oldest = nullptr;
  for (const uint32_t k : in_use_) {
    const formed_warp& w = warps_[k];
    if (w.counter == majority_table::none && (oldest == nullptr || w.number < oldest->number)) oldest = &w;
  }
  uncounted_ = oldest != nullptr;
  if (oldest == nullptr) return;
  for (const uint32_t k : in_use_) {
    formed_warp& w = warps_[k];
    if (w.counter == majority_table::none && w.pc == oldest->pc) w.counter = majority_.enter(w.pc, w.work_items);
  }
}

// ---- Issue

warp_pool::priority warp_pool::priority_of(const formed_warp& w) const {
  constexpr uint64_t last = ~uint64_t{0};
  switch (heuristic_) {
    case issue_heuristic::majority:
      if (w.counter == majority_table::none) return {last, w.pc, w.number};
      if (w.pc == current_pc_) return {0, 0, w.number};
      return {last - majority_.work_items(w.counter), w.pc, w.number};
    case issue_heuristic::minority:
      if (w.counter == majority_table::none) return {last, w.pc, w.number};
      return {majority_.work_items(w.counter), w.pc, w.number};
    case issue_heuristic::post_dominator:
      return {w.passed, 0, w.number};
    case issue_heuristic::pc:
      return {w.pc, 0, w.number};
    case issue_heuristic::time_stamp:
      break;
  }
  return {0, 0, w.number};
}

const formed_warp* warp_pool::pick(uint32_t ports) {
  // Chosen when it is needed: not in a cycle in which nothing can issue.
  if (heuristic_ == issue_heuristic::majority && majority_.in_use() != 0 && !majority_.has(current_pc_) &&
      (wanted() & ports) != 0)
    current_pc_ = majority_.pc(majority_.most_common());
  const formed_warp* best = nullptr;
  priority first{};
  for (const uint32_t k : in_use_) {
    const formed_warp& w = warps_[k];
    if ((ports >> w.port & 1) == 0) continue;
    const priority p = priority_of(w);
    if (best != nullptr && !p.before(first)) continue;
    best = &w;
    first = p;
  }
  return best;
}

void warp_pool::take(const formed_warp& taken, std::vector<pool_entry>& members) {
  statistics_.pool.sample(in_use());
  if (joins_) statistics_.lut.sample(lut_.in_use());
  if (counts()) statistics_.majority.sample(majority_.in_use());
  const uint32_t index = in_use_[taken.place];
  formed_warp& w = warps_[index];
  members.swap(w.members);
  if (w.lut_entry != pc_warp_lut::none) lut_.free(w.lut_entry);
  in_use_[w.place] = in_use_.back();
  warps_[in_use_[w.place]].place = w.place;
  in_use_.pop_back();
  free_.push_back(index);
  if (w.counter != majority_table::none && majority_.leave(w.counter, w.work_items) && uncounted_) count_oldest();
}

uint32_t warp_pool::wanted() const {
  uint32_t ports = 0;
  for (const uint32_t k : in_use_) ports |= uint32_t{1} << warps_[k].port;
  return ports;
}

}  // namespace pws::models
