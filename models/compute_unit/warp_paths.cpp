// SPDX-License-Identifier: Apache-2.0
// Paths of the warp scheduler between their instructions: they begin, are cut, fetch, wait and leave.
#include <algorithm>

#include "base/error.h"
#include "models/compute_unit/issue_time.h"
#include "models/compute_unit/warp_scheduler.h"
#include "models/context/wavefront.h"

namespace pws::models {

void warp_scheduler::start(wf_context& root, cycle_t at) {
  simd_state& s = unit_of(root);
  earliest_ = begins_at_ = at;
  if (s.live == 0) s.looked_at = at - 1;
  root.front.clear();
  root.front.next = nullptr;
  enter(root, at - 1);
  prepare(root, at);
  launching_ = true;
  scheme_.launched(root, *this);
  launching_ = false;
}

// A path is the scheduler's from now on.
void warp_scheduler::enter(wf_context& c, cycle_t issued_at) {
  simd_state& s = unit_of(c);
  ++s.live;
  c.front.issued_at = issued_at;
  s.paths[c.slot.value] = {};
  s.paths[c.slot.value].source = ++issues_;
  s.paths[c.slot.value].place = ++places_;
}

// Part of a path goes its own way, from the wavefront's beginning or from a branch on.
void warp_scheduler::begin(wf_context& c, const wf_context& from) {
  host_.swf_started(c, launching_ ? begins_at_ : now_);
  enter(c, from.front.issued_at);
  scheme_.begin_path(c.front, from.front);
  if (launching_) return prepare(c, begins_at_);  // it comes to the pool by itself
  path_of(c) = path_of(from);
  c.front.issued_to = from.front.issued_to;
  go_on(c, begins_at_);
}

// Part of a path that is ready goes into another warp.
path_id warp_scheduler::cut(simd_state& s, path_id p, uint64_t lanes) {
  wf_context& c = context_of(s, p);
  const uint64_t work_items = c.state.split_mask & c.tree.root->tree.launched;
  wf_context& other = cut_path(cu_.contexts, c, lanes_.work_items_in(lanes, work_items, c.wave_in_group));
  host_.swf_started(other, now_);
  other.become(c.status);
  enter(other, std::max(c.front.issued_at, now_ - 1));  // until now there was one path that waited
  scheme_.begin_path(other.front, c.front);
  other.front.next = c.front.next;
  other.front.earliest = c.front.earliest;
  other.front.reason = c.front.reason;
  other.front.ready_at = c.front.ready_at;
  other.front.issued_to = c.front.issued_to;
  path_of(other) = path_of(c);
  return static_cast<path_id>(other.slot.value);
}

void warp_scheduler::leave(wf_context& swf) {
  host_.swf_left(swf, now_);
  cu_.unit_of(swf).release(swf);
}

void warp_scheduler::joins_nothing() const {
  SC_REPORT_FATAL("warp_scheduler", "its divergence schemes never suspend or join paths");
  std::abort();
}

// ---- What a path waits for

void warp_scheduler::prepare(wf_context& c, cycle_t earliest) {
  simd_state& s = unit_of(c);
  path& p = s.paths[c.slot.value];
  cu_.executing = &c;
  p.waits = false;
  c.front.earliest = earliest;
  c.front.reason = stall::fetch;
  c.front.next = nullptr;
  c.become(wf_status::running);
  cycle_t here = 0;
  if (!fetched(s, c, here)) {
    s.unit.attention = std::min(s.unit.attention, std::max(earliest_, s.unit.fetch_free));
    return;
  }
  const isa::inst& i = c.code->at(c.state.pc);
  c.front.next = &i;
  const issue_time t = issue_time_of(c.front, i, c.state.mode, earliest, here);
  c.front.reason = t.reason;
  if (t.reason == stall::memory) c.become(wf_status::waitcnt);
  c.front.ready_at = t.at;
  if (t.at == never)
    wait_for(c, counter_limits_of(i));
  else
    ready(c, t.at);
}

// Whether the path's instruction is in the instruction buffer, or on its way at a known cycle, `here`. Else the path is
// told when it has arrived.
bool warp_scheduler::fetched(simd_state& s, wf_context& c, cycle_t& here) {
  path& p = s.paths[c.slot.value];
  const auto id = static_cast<path_id>(c.slot.value);
  const uint64_t first = s.blocks.block_of(c.state.pc), end = c.code->end();
  if (!p.first_here) {
    here = s.blocks.ask(first, end, id);
    if (here == never) return false;
  }
  const uint64_t last = s.blocks.block_of(c.state.pc + c.code->at(c.state.pc).bytes() - 1);
  if (last != first) {
    p.first_here = true;
    const cycle_t rest = s.blocks.ask(last, end, id);
    if (rest == never) return false;
    here = std::max(here, rest);
    p.first_here = false;
  }
  return true;
}

void warp_scheduler::ready(wf_context& c, cycle_t at) {
  simd_state& s = unit_of(c);
  at = std::max(at, earliest_);
  s.ring.add(static_cast<path_id>(c.slot.value), at);
  s.unit.attention = std::min(s.unit.attention, at);
}

void warp_scheduler::wait_for(wf_context& c, const counter_limits& limits) {
  path_of(c).waits = true;
  const auto note = [&](const pending_operation& o) { asked_[o.of].paths.push_back(&c); };
  c.front.vm.blockers(limits.vm, note);
  c.front.lgkm.blockers(limits.lgkm, note);
}

void warp_scheduler::drain(wf_context& c) {
  path_of(c).waits = false;
  const cycle_t at = std::max({c.front.issued_at + 1, c.front.vm.when_at_most(0), c.front.lgkm.when_at_most(0)});
  if (at == never)
    wait_for(c, {0, 0});
  else
    ready(c, at);
}

void warp_scheduler::completed(ticket t, cycle_t at) {
  const cycle_t before = earliest_;  // of the tick that goes on, where the fetch stage finds a block in the cache
  earliest_ = std::max(at, now_ + 1);
  asked& a = asked_[t];
  if (a.fetches != nullptr) {
    simd_state& s = *a.fetches;
    s.blocks.arrived(a.block, at, arrived_);
    release_ticket(t);
    for (const path_id p : arrived_) prepare(context_of(s, p), context_of(s, p).front.earliest);
  } else {
    told_.clear();
    told_.swap(a.paths);
    release_ticket(t);
    for (wf_context* c : told_) {
      if (!path_of(*c).waits) continue;
      if (c->status == wf_status::draining)
        drain(*c);
      else
        prepare(*c, c->front.earliest);
    }
  }
  earliest_ = before;
  cu_.executing = nullptr;
}

void warp_scheduler::fetch(simd_state& s, cycle_t now) {
  if (!s.blocks.fetches() || s.unit.fetch_free > now) return;
  s.unit.fetch_free = now + 1;
  const uint32_t block = s.blocks.begin_fetch();
  const ticket t = acquire_ticket();
  asked_[t].fetches = &s;
  asked_[t].block = block;
  const cycle_t here = cu_.mif.fetch(who(s), t, s.blocks.address(block), s.blocks.bytes(), now);
  if (here != never) completed(t, here);
}

ticket warp_scheduler::acquire_ticket() {
  if (free_tickets_.empty()) {
    free_tickets_.push_back(static_cast<ticket>(asked_.size()));
    asked_.emplace_back();
  }
  const ticket t = free_tickets_.back();
  free_tickets_.pop_back();
  return t;
}

void warp_scheduler::release_ticket(ticket t) {
  asked_[t].fetches = nullptr;
  asked_[t].paths.clear();
  free_tickets_.push_back(t);
}

}  // namespace pws::models
