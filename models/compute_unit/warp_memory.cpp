// SPDX-License-Identifier: Apache-2.0
// Memory and LDS instructions of a warp: one access of all its paths, which all of them count.
#include <algorithm>

#include "models/compute_unit/warp_scheduler.h"

namespace pws::models {

void warp_scheduler::memory(simd_state& s, const issue_group& g, cycle_t now) {
  const isa::inst& i = *g.next;
  combined_.clear();
  in_lds_.clear();
  each(s, g, now, [&](wf_context& c) {
    c.front.retire(now);
    c.front.write(i, c.state.mode, now, now + 1);  // the program waits with s_waitcnt; the scoreboard only orders
    combined_.add(step_.access(), c.group->lds_first);
    in_lds_.push_back(step_.access().where == isa::memory_access::space::lds);
  });
  switch (i.unit) {
    case isa::unit::scalar_memory:
      scalar_memory(s, g, now);
      break;
    case isa::unit::vector_memory:
      vector_memory(s, g, now);
      break;
    default:
      local_memory(s, g, now);
      break;
  }
  for (const pool_entry& e : g.members) go_on(context_of(s, e.path), now + 1);
}

// Paths of a warp have the same scalars mostly, and then it is one access.
void warp_scheduler::scalar_memory(simd_state& s, const issue_group& g, cycle_t now) {
  const ticket t = acquire_ticket();
  const auto a = cu_.mif.scalar_access(who(s), t, combined_.memory(), now + 1);
  shared_busy(issue_port::scalar_memory, std::max(now + 1, a.free_at - 1));
  for (const pool_entry& e : g.members) context_of(s, e.path).front.add_lgkm(*a.operation);
  if (a.operation->done != never) release_ticket(t);
}

void warp_scheduler::vector_memory(simd_state& s, const issue_group& g, cycle_t now) {
  const isa::inst& i = *g.next;
  const auto in_lds = static_cast<size_t>(std::count(in_lds_.begin(), in_lds_.end(), true));
  if (in_lds != 0) {  // FLAT in the LDS aperture: passed through the address unit, and counted twice
    const cycle_t start = std::max(now, lds_free());
    const cycle_t busy = cu_.lds.cycles(combined_.lds());
    shared_busy(issue_port::lds, start + busy);
    const cycle_t done = start + busy - 1 + config_.latency.lds;
    pending_operation &lgkm = completed_at(done), &vm = completed_at(done);
    for (size_t k = 0; k < g.members.size(); ++k) {
      if (!in_lds_[k]) continue;
      context_of(s, g.members[k].path).front.add_lgkm(lgkm);
      context_of(s, g.members[k].path).front.add_vm(vm);
    }
    shared_busy(issue_port::vector_memory, now + warp_cycles_ * slowdown_);
    if (in_lds == g.members.size()) return;
  }
  const isa::memory_access& a = combined_.memory();
  const ticket t = acquire_ticket();
  const auto shared = cu_.mif.vector_access(who(s), t, a, i.glc && !a.is_store, now + 1, warp_cycles_ * slowdown_);
  shared_busy(issue_port::vector_memory, shared.free_at);
  for (size_t k = 0; k < g.members.size(); ++k)
    if (!in_lds_[k]) context_of(s, g.members[k].path).front.add_vm(*shared.operation);
  if (shared.operation->done != never) release_ticket(t);
}

void warp_scheduler::local_memory(simd_state& s, const issue_group& g, cycle_t now) {
  cycle_t last = now;  // pass
  if (combined_.lds().mask != 0) {
    const cycle_t start = std::max(now, lds_free());
    const cycle_t busy = cu_.lds.cycles(combined_.lds()) + (slowdown_ - 1) * warp_cycles_;
    shared_busy(issue_port::lds, start + busy);
    last = start + busy - 1;
  } else {  // no lane active, or data exchanged between lanes
    shared_busy(issue_port::lds, now + slowdown_);
  }
  pending_operation& o = completed_at(last + config_.latency.lds);
  for (const pool_entry& e : g.members) context_of(s, e.path).front.add_lgkm(o);
}

requester warp_scheduler::who(const simd_state& s) const {
  return {s.unit.simd.value * config_.n_wfc, 0};
}

}  // namespace pws::models
