// SPDX-License-Identifier: Apache-2.0
// Paths of a wavefront that stand at one PC and issue together: the pipeline sees one context, that of the first of
// them, which can issue when all can. Each executes with scalar registers of its own.
#include <algorithm>

#include "models/compute_unit/issue_time.h"
#include "models/compute_unit/pipeline.h"

namespace pws::models {

// The context has come to its PC, or it has become known when it can issue there.
void pipeline::stand_together(wf_context& c) {
  scheme_.standing_with(c, standing_);
  if (standing_.size() < 2) return;
  cycle_t all = 0;
  for (wf_context* p : standing_) {
    all = std::max(all, knows_when(*p) ? p->front.ready_at : never);
    unit_of(*p).set_not_ready(*p);
  }
  if (all != never) unit_of(c).set_ready(*standing_.front(), port_of(c.front.next->unit), all);
}

// The block that `c` has asked for is also for those who stand with it and ask for the same one now. While it is not
// known when it comes, each has to be told.
void pipeline::fetch_together(wf_context& c, uint64_t address, cycle_t now) {
  if (c.status != wf_status::running && c.status != wf_status::waitcnt) return;
  scheme_.standing_with(c, fetching_);
  for (wf_context* p : fetching_) {
    instruction_buffer& buffer = p->front.ibuf;
    if (p == &c || buffer.end != address || unit_of(*p).table.fetch_at(p->rank) > now) continue;
    add_block(*p, address);
    buffer.arrival = c.front.ibuf.arrival;
    if (buffer.arrival == never)
      buffer.arrival = cu_.mif.fetch(p->tdm_requester, fetch_ticket(*p), address, config_.fetch_bytes, now);
    if (!knows_when(*p)) prepare(*p, p->front.earliest);
    plan_fetch(*p, now + 1);
  }
}

// A fetch has begun since a split or merge was found to be ready, and has to end first.
bool pipeline::waits_for_fetch(const isa::inst& i, cycle_t now) {
  if (!scheme_.acts_on(i)) return false;
  bool waits = false;
  for (wf_context* p : issuing_) {
    if (p->front.ibuf.arrival <= now || !scheme_.waits_at(*p, i)) continue;
    prepare(*p, p->front.earliest);
    waits = true;
  }
  return waits;
}

void pipeline::issue_together(simd_unit& s, cycle_t now) {
  const isa::inst& i = *issuing_.front()->front.next;
  if (waits_for_fetch(i, now)) return;
  if (s.issued_in != now) {
    s.issued_in = now;
    ++s.issuing_cycles;
  }
  cycle_t all_ready = 0;
  uint32_t active = 0;
  for (const wf_context* p : issuing_) {
    all_ready = std::max(all_ready, p->front.ready_at);
    active += static_cast<uint32_t>(__builtin_popcountll(p->state.active()));
  }
  step_.count_together(*issuing_.front(), i, active);
  cu_.statistics.issued_together += issuing_.size() - 1;
  for (wf_context* p : issuing_) {
    count_wait(*p, now, all_ready);
    p->front.issued_at = now;
    p->front.issued_to = i.unit;
    p->state.time = now;
    if (uses_counters(i) || i.unit == isa::unit::split || i.unit == isa::unit::merge) p->front.retire(now);
  }
  if (i.is_memory() && issuing_.size() > 1 && isa::operation_of(i) != isa::operation::grid_barrier)
    access_together(s, i, now);
  else
    execute_together(s, i, now);
}

void pipeline::access_together(simd_unit& s, const isa::inst& i, cycle_t now) {
  access_.begin();
  for (wf_context* p : issuing_) {
    cu_.executing = p;
    step_.execute<true, audience::observers>(*s.execution, *p, i, now);
    p->front.write(i, p->state.mode, now, now + 1);
    access_.add(*p, step_.access(), 0);  // they are of one workgroup
  }
  const wf_context& first = *issuing_.front();
  ask(access_, i, first.tdm_requester, operation_ticket(first), now, {valu_cycles_, 1});
  for (wf_context* p : issuing_) {
    prepare(*p, now + 1);
    plan_fetch(*p, now + 1);
  }
}

// What a unit does for all of them counts once.
void pipeline::execute_together(simd_unit& s, const isa::inst& i, cycle_t now) {
  cu_statistics& n = cu_.statistics;
  const uint64_t taken = n.branches_taken;
  uint64_t valu_busy = 0, salu_busy = 0, unit_busy = 0;
  for (wf_context* p : issuing_) {
    // At a merge one of them may have become one with another.
    if (p->state.pc != i.pc || (p->status != wf_status::running && p->status != wf_status::waitcnt)) continue;
    cu_.executing = p;
    const after_step then = step_.execute<true, audience::observers>(*s.execution, *p, i, now);
    const cycle_t earliest = time_of(s, *p, i, then, now);
    if (p == issuing_.front()) {
      valu_busy = n.valu_busy;
      salu_busy = n.salu_busy;
      unit_busy = s.valu_busy;
    }
    if (earliest == never) continue;
    prepare(*p, earliest);
    plan_fetch(*p, now + 1);
  }
  n.valu_busy = valu_busy;
  n.salu_busy = salu_busy;
  s.valu_busy = unit_busy;
  n.branches_taken = std::min(n.branches_taken, taken + 1);
}

}  // namespace pws::models
