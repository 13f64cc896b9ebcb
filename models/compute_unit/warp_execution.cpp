// SPDX-License-Identifier: Apache-2.0
// What a warp's instruction does, and when its paths go on.
#include <algorithm>
#include <array>

#include "base/popcount.h"
#include "models/compute_unit/issue_time.h"
#include "models/compute_unit/warp_scheduler.h"

namespace pws::models {

uint32_t warp_scheduler::issue(simd_state& s, issue_group& g, cycle_t now) {
  ++issues_;
  const uint32_t active = count(s, g, now);
  slowdown_ = bank_conflict(g);
  const bool reads_banks = cu_statistics::is_valu(g.next->unit) || g.next->unit == isa::unit::vector_memory ||
                           g.next->unit == isa::unit::lds;
  if (!reads_banks) slowdown_ = 1;
  s.statistics.bank_conflicts += (slowdown_ - 1) * warp_cycles_;
  execute(s, g, now);
  return active;
}

uint32_t warp_scheduler::count(simd_state& s, const issue_group& g, cycle_t now) {
  const isa::inst& i = *g.next;
  uint32_t active = 0, work_items = 0;
  uint64_t homes = 0;
  for (const pool_entry& e : g.members) {
    wf_context& c = context_of(s, e.path);
    count_wait(c, now);
    c.front.issued_at = now;
    c.front.issued_to = i.unit;
    s.paths[e.path].source = issues_;
    if (!mimd_) s.paths[e.path].place = ++places_;  // mimd: it has one
    active += popcount(c.state.active() & c.tree.root->tree.launched);
    work_items += popcount(e.lanes);
    homes |= e.lanes;
  }
  if (s.unit.issued_in != now) {
    s.unit.issued_in = now;
    ++s.unit.issuing_cycles;
  }
  s.latest = {i.pc, s.latest.at == now ? s.latest.work_items + work_items : work_items, now};
  step_.count_warp(context_of(s, g.members.front().path), i, active);
  formation_statistics& f = s.statistics;
  ++f.issued;
  f.work_items += active;
  f.paths += g.members.size();
  f.away += work_items - popcount(homes);
  return active;
}

// Work-items that the most wanted home lane has: its bank gives one of them a register at a time.
uint32_t warp_scheduler::bank_conflict(const issue_group& g) const {
  if (!joins_ || config_.dwf.register_file != warp_register_file::banked) return 1;
  std::array<uint8_t, isa::wave_size> wanted{};
  for (const pool_entry& e : g.members)
    for (uint64_t m = e.lanes; m != 0; m &= m - 1) ++wanted[static_cast<size_t>(__builtin_ctzll(m))];
  return *std::max_element(wanted.begin(), wanted.end());
}

void warp_scheduler::go_on(wf_context& c, cycle_t earliest) {
  if (counts_post_dominators_ && tables_.of(*c.code).is_post_dominator(c.state.pc)) ++path_of(c).passed;
  prepare(c, earliest);
}

void warp_scheduler::execute(simd_state& s, const issue_group& g, cycle_t now) {
  const isa::inst& i = *g.next;
  switch (i.unit) {
    case isa::unit::salu:
      return scalar_alu(s, g, now);
    case isa::unit::valu:
    case isa::unit::valu_trans:
    case isa::unit::valu_f64:
      return vector_alu(s, g, now);
    case isa::unit::branch:
      return branch(s, g, now);
    case isa::unit::scalar_memory:
    case isa::unit::vector_memory:
    case isa::unit::lds:
      return memory(s, g, now);
    case isa::unit::barrier:
      return barrier(s, g, now);
    case isa::unit::end:
      return end(s, g, now);
    case isa::unit::waitcnt:
      return each(s, g, now, [&](wf_context& c) {
        c.front.retire(now);
        go_on(c, now + 1);
      });
    case isa::unit::message:
      return each(s, g, now, [&](wf_context& c) { go_on(c, now + 1); });
    case isa::unit::internal:
      return each(s, g, now,
                  [&](wf_context& c) { go_on(c, now + std::max<cycle_t>(config_.latency.internal, idle_cycles(i))); });
    case isa::unit::split:
    case isa::unit::merge:  // nothing is split or joined by instructions
      return each(s, g, now, [&](wf_context& c) { go_on(c, now + config_.latency.internal); });
  }
}

void warp_scheduler::scalar_alu(simd_state& s, const issue_group& g, cycle_t now) {
  s.unit.busy(issue_port::salu, now + 1);
  ++cu_.statistics.salu_busy;
  each(s, g, now, [&](wf_context& c) {
    c.front.write(*g.next, c.state.mode, now, now + config_.latency.salu);
    go_on(c, now + 1);
  });
}

void warp_scheduler::vector_alu(simd_state& s, const issue_group& g, cycle_t now) {
  const isa::inst& i = *g.next;
  const auto [passes, latency] = vector_alu_time_of(i, config_.latency);
  const cycle_t busy = passes * warp_cycles_ * slowdown_;
  if (mimd_) {
    for (size_t k = 0; k < g.members.size(); ++k) s.alu_lanes.take(now, now + busy);
    s.lane_cycles += busy * g.members.size();
    const uint64_t cycles = s.lane_cycles / warp_size_;  // of the whole unit
    s.lane_cycles %= warp_size_;
    s.unit.valu_busy += cycles;
    cu_.statistics.valu_busy += cycles;
  } else {
    s.unit.busy(issue_port::valu, now + busy);
    s.unit.valu_busy += busy;
    cu_.statistics.valu_busy += busy;
  }
  const cycle_t done = now + std::max<cycle_t>(latency, busy);
  each(s, g, now, [&](wf_context& c) {
    c.front.write(i, c.state.mode, now, done);
    go_on(c, now + 1);
  });
}

void warp_scheduler::branch(simd_state& s, const issue_group& g, cycle_t now) {
  s.unit.busy(issue_port::salu, now + 1);
  begins_at_ = now + config_.latency.branch;
  bool taken = false;
  each(s, g, now, [&](wf_context& c) {
    taken |= has_jumped(c, *g.next);
    c.front.write(*g.next, c.state.mode, now, now + config_.latency.salu);
    go_on(c, begins_at_);
  });
  cu_.statistics.branches_taken += taken;
}

void warp_scheduler::memory(simd_state& s, const issue_group& g, cycle_t now) {
  const isa::inst& i = *g.next;
  access_.begin();
  each(s, g, now, [&](wf_context& c) {
    c.front.retire(now);
    c.front.write(i, c.state.mode, now, now + 1);  // the program waits with s_waitcnt; the scoreboard only orders
    access_.add(c, step_.access(), c.group->lds_first);
  });
  const ticket t = acquire_ticket();
  if (!ask(access_, i, who(s), t, now, {warp_cycles_, slowdown_})) release_ticket(t);
  for (const pool_entry& e : g.members) go_on(context_of(s, e.path), now + 1);
}

requester warp_scheduler::who(const simd_state& s) const {
  return {s.unit.simd.value * config_.n_wfc, 0};
}

void warp_scheduler::barrier(simd_state& s, const issue_group& g, cycle_t now) {
  each(s, g, now, [&](wf_context& c) { c.front.earliest = now + 1; });
  for (const pool_entry& e : g.members) release_barrier(*context_of(s, e.path).group, now);
}

void warp_scheduler::leave_barrier(wf_context& c, cycle_t at) {
  count_wait_at_barrier(c, at);
  go_on(c, at);
}

void warp_scheduler::end(simd_state& s, const issue_group& g, cycle_t now) {
  each(s, g, now, [](wf_context& c) { c.front.next = nullptr; });
  // A path that has ended is no longer waited for at barriers.
  for (const pool_entry& e : g.members) {
    wf_context& c = context_of(s, e.path);
    release_barrier(*c.group, now);
    drain(c);
  }
}

}  // namespace pws::models
