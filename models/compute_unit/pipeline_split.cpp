// SPDX-License-Identifier: Apache-2.0
// The pipeline where wavefronts split and paths become one: what the divergence scheme tells it.
#include <algorithm>

#include "models/compute_unit/issue_time.h"
#include "models/compute_unit/pipeline.h"

namespace pws::models {

cycle_t pipeline::time_of_divergence(simd_unit& s, wf_context& c, const isa::inst& i, after_step then, cycle_t now) {
  if (then == after_step::goes_on) return now + config_.latency.internal;
  s.busy(issue_port::salu, now + 1);
  ++cu_.statistics.salu_busy;
  if (then == after_step::stops) {
    take_out(c);
    return never;
  }
  if (then == after_step::joined) restart_behind(c, i.pc);
  if (has_jumped(c, i)) redirect(c);
  return unless_suspended(c, now + (i.unit == isa::unit::merge ? scheme_.join_cycles() : scheme_.split_cycles()));
}

// The context issues and fetches nothing until it is prepared again.
void pipeline::take_out(wf_context& c) {
  unit_of(c).set_not_ready(c);
  unit_of(c).set_fetch(c, never);
  c.front.next = nullptr;
}

cycle_t pipeline::unless_suspended(wf_context& c, cycle_t earliest) {
  if (c.status != wf_status::suspended) return earliest;
  take_out(c);
  c.front.earliest = earliest;
  return never;
}

// The instruction buffer holds the block of the instruction where paths became one, whichever of them came last.
void pipeline::restart_behind(wf_context& c, uint64_t join) {
  c.front.ibuf.keep(fetch_block(join), config_.fetch_bytes);
}

// An idle context becomes an SWF.
void pipeline::enter(wf_context& c) {
  if (c.status != wf_status::idle) return;
  host_.swf_started(c, now_);
  c.front.issued_at = now_;  // it has not waited for anything
}

void pipeline::begin(wf_context& swf, const wf_context& from) {
  enter(swf);
  scheme_.begin_path(swf.front, from.front);
  swf.front.issued_at = now_;
  execution_of(from).divides(from, swf, now_);
  execution_of(swf).begins(swf, now_);
  const isa::inst& split = *from.front.next;
  const bool at_branch = split.unit == isa::unit::branch;
  if (at_branch) redirect(swf);
  prepare(swf, now_ + scheme_.split_cycles() + (at_branch ? config_.latency.branch : 0));
  plan_fetch(swf, now_ + 1);
}

void pipeline::resume(wf_context& c, uint64_t join) {
  if (c.status == wf_status::ended) execution_of(c).taken_over(c, now_);  // another SWF goes on in its place
  enter(c);
  restart_behind(c, join);
  scheme_.rejoin(c.front);
  put_back(c, now_ + scheme_.join_cycles());
}

void pipeline::replace(wf_context& c) {
  enter(c);
  redirect(c);
  scheme_.rejoin(c.front);
  put_back(c, now_ + scheme_.join_cycles());
}

void pipeline::put_back(wf_context& c, cycle_t earliest) {
  cu_.count_stall(c, stall::merge, now_ - c.front.issued_at);
  c.front.issued_at = now_;
  prepare(c, earliest);
  plan_fetch(c, now_ + 1);
}

void pipeline::suspend(wf_context& c) {
  if (c.status != wf_status::waitcnt) c.front.reason = stall::other;  // nothing is known that it waits for
  c.become(wf_status::suspended);
  take_out(c);
  if (!wants_stalls_) return;
  const cycle_t here = data_here(c);
  if (here != never) unit_of(c).set_ready(c, issue_port::none, std::max(here, now_ + 1));
}

void pipeline::take_turn(wf_context& c, cycle_t after) {
  c.front.ibuf.restart(fetch_block(c.state.pc));
  put_back(c, std::max(c.front.earliest, now_ + after));
}

// ---- waits for memory, where another path may issue meanwhile

// The cycle at which an instruction could issue if it needed nothing from memory.
cycle_t pipeline::first_issue(cycle_t earliest, cycle_t bytes_here) const {
  return std::max(earliest, bytes_here == 0 ? 0 : bytes_here + decode_depth);
}

// `c` has its turn and waits for memory, or what it waits for is here and another path has its turn.
void pipeline::path_waits(simd_unit& s, wf_context& c, cycle_t now) {
  s.set_not_ready(c);
  if (c.status == wf_status::suspended) return scheme_.data_is_here(c, now, *this);
  const isa::inst& i = *c.front.next;
  // Something may have completed since the scoreboard was looked up.
  issue_time t = issue_time_of(c.front, i, c.state.mode, now + 1, 0);
  if (!uses_counters(i)) t.wait_for(scheme_.waits_for(c, i).until, stall::memory);
  c.front.ready_at = t.at;
  if (t.at > now + 1 && t.reason == stall::memory && scheme_.stalls(c, *this)) return;
  s.set_ready(c, port_of(i.unit), issue_slot(c, t.at));
}

// When the data is here for which `c`, which is suspended, waits; `never`: that is not known, or it waits for none. Its
// next instruction has been decoded before if it is known to wait.
cycle_t pipeline::data_here(const wf_context& c) const {
  if (c.front.reason != stall::memory) return never;
  const isa::inst& i = c.code->at(c.state.pc);
  return uses_counters(i) ? counters_ready(c.front, i) : scheme_.waits_for(c, i).until;
}

void pipeline::sees_more(wf_context& c) {
  const front_end& f = c.front;
  if (f.next == nullptr || !stands(c.status)) return;
  cycle_t until = f.slot->ready(*f.next, c.state.mode);
  if (uses_counters(*f.next)) until = std::max(until, counters_ready(*f.slot, *f.next));
  if (until > now_) prepare(c, f.earliest);
}

void pipeline::release(wf_context& c) {
  put_back(c, std::max(c.front.earliest, now_ + 1));
}

void pipeline::joins(wf_context& parent, const wf_context& child) {
  execution_of(parent).joins(parent, child, now_);
}

void pipeline::takes_over(wf_context& parent, const wf_context& child) {
  execution_of(parent).advance(now_);
  execution_of(child).moves(child, parent, now_);
}

void pipeline::drops(wf_context& parent, swf_number child) {
  execution_of(parent).drops(parent, child, now_);
}

void pipeline::leave(wf_context& swf) {
  execution_of(swf).leaves(swf, now_);
  if (swf.status != wf_status::ended)  // merged
    cu_.count_stall(swf, stall::merge, now_ - swf.front.issued_at);
  take_out(swf);
  host_.swf_left(swf, now_);
  if (unit_of(swf).is_second(swf))
    unit_of(swf).release(swf);  // changes no rank, and another path may begin in it in this cycle
  else
    leaving_.push_back(&swf);
}

void pipeline::finish(wf_context& root) {
  execution_of(root).leaves(root, now_);
  timing_engine::finish(root);
}

// After all units have issued: their schedulers work with ranks of contexts, which a release changes.
void pipeline::free_contexts() {
  for (wf_context* c : leaving_) unit_of(*c).release(*c);
  leaving_.clear();
}

}  // namespace pws::models
