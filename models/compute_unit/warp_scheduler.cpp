// SPDX-License-Identifier: Apache-2.0
#include "models/compute_unit/warp_scheduler.h"

#include <algorithm>

#include "models/machine/occupancy.h"

namespace pws::models {

namespace {
uint32_t warps_of(const machine_config& c) {
  return c.dwf.pool && c.divergence == divergence_kind::dwf ? *c.dwf.pool : contexts_per_unit(c);
}
}  // namespace

warp_scheduler::simd_state::simd_state(warp_scheduler& o, simd_unit& u)
    : owner(o),
      unit(u),
      pool(o.config_, warps_of(o.config_), o.joins_, statistics),
      blocks(o.config_),
      paths(contexts_per_unit(o.config_)),
      alu_lanes(o.warp_size_) {}

warp_scheduler::warp_scheduler(cu_parts& cu, engine_host& host)
    : timing_engine(cu, host),
      mimd_(cu.config.divergence == divergence_kind::mimd),
      joins_(cu.config.divergence == divergence_kind::dwf),
      counts_post_dominators_(joins_ && cu.config.dwf.heuristic == issue_heuristic::post_dominator),
      warp_size_(warp_size_of(cu.config)),
      warp_cycles_(std::max(1u, warp_size_ / cu.config.valu_lanes)),
      lanes_(warp_size_, cu.config.dwf.swizzle) {
  for (const auto& unit : cu.units) units_.push_back(std::make_unique<simd_state>(*this, *unit));
}

warp_scheduler::~warp_scheduler() = default;

void warp_scheduler::tick(cycle_t now) {
  now_ = now;
  earliest_ = now + 1;
  // SIMD units take turns at being first to what they share.
  auto k = static_cast<uint32_t>(now % units_.size());
  for (size_t n = 0; n < units_.size(); ++n) {
    if (cu_.attention[k] <= now) tick(*units_[k], now);
    if (++k == units_.size()) k = 0;
  }
  cu_.executing = nullptr;
}

void warp_scheduler::tick(simd_state& s, cycle_t now) {
  account(s, now);
  s.ring.take(now, s.arriving);
  collect(s);
  fill_pool(s);
  const uint64_t before = s.statistics.issued;
  const uint32_t active = mimd_ ? issue_work_items(s, now) : issue_warp(s, now);
  fetch(s, now);
  plan(s, now, s.statistics.issued != before, active);
}

// Cycles in which nothing happened since the last one that is counted.
void warp_scheduler::account(simd_state& s, cycle_t now) {
  if (s.looked_at == never || now <= s.looked_at) return;
  (s.ready_before ? s.statistics.stalled : s.statistics.empty) += now - s.looked_at - 1;
}

// Paths that are ready go, or ask for a place in the pool: those of one warp that are at one PC as one. In which order
// is what threads could tell, not how paths happen to be kept: warps as they issued, of one warp those first that are
// ahead, and at one PC as they were in the warp. mimd: single work-items as they issued.
void warp_scheduler::collect(simd_state& s) {
  arrivals_.clear();
  for (const path_id p : s.arriving) {
    wf_context& c = context_of(s, p);
    cu_.executing = &c;
    if (c.status == wf_status::draining) {
      --s.live;
      scheme_.ended(c, *this);
      continue;
    }
    const path& state = s.paths[p];
    arrivals_.push_back({mimd_ ? 0 : state.source, mimd_ ? 0 : c.state.pc, state.place, p});
  }
  std::sort(arrivals_.begin(), arrivals_.end());
  const arrival* last = nullptr;
  for (const arrival& a : arrivals_) {
    if (mimd_) {
      s.waiting.push_back(a.path);
      continue;
    }
    const bool together = joins_ && last != nullptr && last->source == a.source && last->pc == a.pc;
    if (!together) s.requests.push_back(request_of(s, a));
    s.requests.back().entries.push_back(entrant_of(s, a.path));
    last = &a;
  }
}

pool_entry warp_scheduler::entrant_of(simd_state& s, path_id p) {
  const wf_context& c = context_of(s, p);
  const uint64_t work_items = c.state.split_mask & c.tree.root->tree.launched;
  return {p, lanes_.of(work_items, c.wave_in_group), s.paths[p].passed,
          lanes_.are_exchanged(work_items, c.wave_in_group)};
}

pool_request warp_scheduler::request_of(simd_state& s, const arrival& a) {
  const wf_context& c = context_of(s, a.path);
  pool_request r;
  if (!s.spare.empty()) {
    r.entries.swap(s.spare.back());
    s.spare.pop_back();
  }
  r.pc = a.pc;
  r.kernel = c.group->launch.of;
  r.port = static_cast<uint8_t>(port_of(c.front.next->unit));
  return r;
}

void warp_scheduler::fill_pool(simd_state& s) {
  const size_t at_most = joins_ ? config_.dwf.update_registers : s.requests.size();
  size_t entered = 0;
  while (entered < at_most && entered < s.requests.size() && s.pool.enter(s.requests[entered], s))
    s.spare.push_back(std::move(s.requests[entered++].entries));
  s.requests.erase(s.requests.begin(), s.requests.begin() + static_cast<std::ptrdiff_t>(entered));
  if (entered == at_most) s.statistics.updates_waited += s.requests.size();
}

uint32_t warp_scheduler::free_ports(const simd_state& s, cycle_t now) const {
  uint32_t ports = 0;
  for (size_t p = 0; p < s.unit.port_free.size(); ++p) ports |= uint32_t{s.unit.port_free[p] <= now} << p;
  return ports;
}

uint32_t warp_scheduler::issue_warp(simd_state& s, cycle_t now) {
  if (s.pool.empty()) return 0;
  const formed_warp* w = s.pool.pick(free_ports(s, now));
  if (w == nullptr) return 0;
  group_.next = context_of(s, w->members.front().path).front.next;
  group_.members.clear();
  s.pool.take(*w, group_.members);
  return issue(s, group_, now);
}

// As many work-items as a warp has lanes, first come, first served. Each lane of the vector ALU takes an instruction by
// itself; a memory unit takes those at one PC in a cycle.
uint32_t warp_scheduler::issue_work_items(simd_state& s, cycle_t now) {
  const uint32_t ports = free_ports(s, now);
  std::array<uint64_t, static_cast<size_t>(issue_port::count)> pc_at{};
  uint32_t lanes = s.alu_lanes.free(now), issued = 0;
  size_t left = 0, groups = 0;
  const auto takes = [&](issue_port p, uint64_t pc) {
    switch (p) {
      case issue_port::valu:
        return lanes != 0;
      case issue_port::scalar_memory:
      case issue_port::vector_memory:
      case issue_port::lds: {
        uint64_t& at = pc_at[static_cast<size_t>(p)];
        if ((ports >> static_cast<unsigned>(p) & 1) == 0 || (at != 0 && at != pc)) return false;
        at = pc;
        return true;
      }
      default:
        return true;
    }
  };
  for (const path_id p : s.waiting) {
    const wf_context& c = context_of(s, p);
    const isa::inst& i = *c.front.next;
    if (issued == warp_size_ || !takes(port_of(i.unit), i.pc)) {
      s.waiting[left++] = p;
      continue;
    }
    ++issued;
    lanes -= port_of(i.unit) == issue_port::valu;
    size_t g = 0;
    while (g < groups && groups_[g].next->pc != i.pc) ++g;
    if (g == groups) {
      if (++groups > groups_.size()) groups_.emplace_back();
      groups_[g].next = &i;
      groups_[g].members.clear();
    }
    groups_[g].members.push_back(entrant_of(s, p));
    s.paths[p].place = ++places_;
  }
  s.waiting.resize(left);
  uint32_t active = 0;
  for (size_t g = 0; g < groups; ++g) active += issue(s, groups_[g], now);
  return active;
}

// When the unit has to be looked at again, and what the cycle was for the statistics.
void warp_scheduler::plan(simd_state& s, cycle_t now, bool issued, uint32_t active) {
  cycle_t next = s.ring.next();
  if (!s.requests.empty()) next = now + 1;
  uint32_t wanted = s.pool.wanted();
  for (const path_id p : s.waiting)
    wanted |= uint32_t{1} << static_cast<unsigned>(port_of(context_of(s, p).front.next->unit));
  for (size_t p = 0; wanted >> p != 0; ++p) {
    if ((wanted >> p & 1) == 0) continue;
    const bool by_lane = mimd_ && p == static_cast<size_t>(issue_port::valu);
    next = std::min(next, std::max(now + 1, by_lane ? s.alu_lanes.next() : s.unit.port_free[p]));
  }
  if (s.blocks.fetches()) next = std::min(next, std::max(now + 1, s.unit.fetch_free));
  s.unit.attention = next;
  s.ready_before = wanted != 0 || !s.requests.empty();
  if (issued)
    ++s.statistics.slots[active];
  else if (s.looked_at != never)
    ++(s.ready_before ? s.statistics.stalled : s.statistics.empty);
  s.looked_at = s.live == 0 ? never : now;
}

// No path is there: what is left is what the next ones find.
void warp_scheduler::keep(state_archive& a) {
  a.section("warps");
  a(issues_, places_);
  for (const auto& s : units_) {
    a(s->statistics, s->lane_cycles, s->looked_at, s->ready_before);
    a(s->latest.pc, s->latest.work_items, s->latest.at);
    s->alu_lanes.keep(a);
    s->pool.keep(a);
    s->blocks.keep(a);
    s->ring.keep(a);
  }
}

}  // namespace pws::models
