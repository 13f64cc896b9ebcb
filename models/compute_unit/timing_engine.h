// SPDX-License-Identifier: Apache-2.0
// What decides in which cycle the paths of a compute unit issue: the pipeline of wavefronts, or the scheduler of warps
// that are formed of work-items.
#pragma once

#include <algorithm>

#include "base/state_archive.h"
#include "models/compute_unit/instruction_step.h"
#include "models/compute_unit/shared_access.h"

namespace pws::models {

class timing_engine : protected swf_scheduler {
 public:
  // A wavefront begins: its first fetch is asked for at `at`.
  virtual void start(wf_context& root, cycle_t at) = 0;
  // Next cycle at which something can happen in the CU; `never` if it waits for memory or has nothing to do.
  cycle_t next_event() const {
    cycle_t next = never;
    for (const cycle_t a : cu_.attention) next = std::min(next, a);
    return next;
  }
  // Everything that happens in cycle `now`.
  virtual void tick(cycle_t now) = 0;
  // The barrier at which a context waits lets it go on, from `at` on.
  virtual void leave_barrier(wf_context& context, cycle_t at) = 0;
  // What was asked for by ticket `t` is complete at `at`.
  virtual void completed(ticket t, cycle_t at) = 0;
  // What the next wavefronts find, while there are none.
  virtual void keep(state_archive& a) = 0;

 protected:
  timing_engine(cu_parts& cu, engine_host& host)
      : cu_(cu), host_(host), config_(cu.config), scheme_(*cu.scheme), step_(cu, host, *this) {}

  // `c` issues now: its cycles since its last instruction, by what it waited for; from when it was ready, for its unit
  // or warp. `together`: from when those that it issues with were ready too, for which it waited as at a merge.
  void count_wait(const wf_context& c, cycle_t now, cycle_t together = 0) {
    if (now <= c.front.issued_at) SC_REPORT_FATAL(cu_.unit_of(c).name(), "a context issued twice in a cycle");
    if (now == c.front.issued_at + 1) return;
    const cycle_t ready = std::max(c.front.ready_at, c.front.issued_at + 1);
    cu_.count_stall(c, c.front.reason, ready - c.front.issued_at - 1);
    const cycle_t all = std::max(ready, together);
    cu_.count_stall(c, stall::merge, all - ready);
    cu_.count_stall(c, stall::unit_busy, now - all);
  }
  // `c` goes on behind the barrier that it came to, from `at` on.
  void count_wait_at_barrier(wf_context& c, cycle_t at) {
    const cycle_t waited = at - 1 - c.front.issued_at;
    cu_.count_stall(c, stall::barrier, waited);
    c.front.issued_at += waited;
  }
  // Lets those at the barrier go on if everybody has come to it.
  void release_barrier(resident_workgroup& g, cycle_t now) {
    if (g.barrier_complete()) pass_barrier(cu_, g, now, [&](wf_context& w) { leave_barrier(w, now + 1); });
  }
  // An operation of which it is known when it is done.
  pending_operation& completed_at(cycle_t at) {
    pending_operation& o = cu_.mif.operations().acquire();
    o.done = at;
    return o;
  }
  // An operation of the LDS, whose last pass is in cycle `last`.
  pending_operation& lds_operation(cycle_t last) { return completed_at(last + config_.latency.lds); }
  // A port that all units share.
  void shared_busy(issue_port p, cycle_t until) {
    for (const auto& u : cu_.units) u->busy(p, until);
  }
  cycle_t lds_free() const { return cu_.units.front()->port_free[static_cast<size_t>(issue_port::lds)]; }
  void finish(wf_context& root) override { host_.wave_finished(root, now_); }
  // Asks for what several paths touch with `i`, which issues now, on behalf of `who`. Returns whether something is
  // under way of which the ticket will tell.
  bool ask(const shared_access& a, const isa::inst& i, requester who, ticket t, cycle_t now, access_passes passes);

  cu_parts& cu_;
  engine_host& host_;
  const machine_config& config_;
  divergence_scheme& scheme_;
  instruction_step step_;
  cycle_t now_ = 0;  // of the tick in progress

 private:
  bool ask_scalar(const shared_access& a, requester who, ticket t, cycle_t now);
  bool ask_vector(const shared_access& a, const isa::inst& i, requester who, ticket t, cycle_t now,
                  access_passes passes);
  void ask_lds(const shared_access& a, cycle_t now, access_passes passes);
};

}  // namespace pws::models
