// SPDX-License-Identifier: Apache-2.0
#include "models/compute_unit/pipeline.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/compute_unit/issue_time.h"
#include "models/machine/occupancy.h"

namespace pws::models {

pipeline::pipeline(cu_parts& cu, engine_host& host)
    : timing_engine(cu, host),
      valu_cycles_(static_cast<uint32_t>(valu_cycles(config_))),
      rounds_(issue_rounds_of(config_)),
      lds_slots_(lds_slot, contexts_of_cu(config_)),
      can_split_(scheme_.can_split()),
      keeps_operations_(scheme_.keeps_operations_across_contexts()),
      together_(scheme_.issues_together()),
      folds_(folds_mask_instructions(config_)),
      contexts_per_unit_(contexts_per_unit(config_)),
      wants_long_operations_(scheme_.wants_long_operations()),
      wants_stalls_(scheme_.wants_stalls()) {}

void pipeline::start(wf_context& c, cycle_t at) {
  c.front.ibuf = {};
  c.front.ibuf.restart(fetch_block(c.state.pc));
  c.front.clear();
  if (c.front.slot != nullptr) c.front.slot->clear();
  c.front.issued_at = at;
  execution_of(c).launches(c, at);
  prepare(c, at);
  plan_fetch(c, at);
}

void pipeline::tick(cycle_t now) {
  now_ = now;
  for (execution_unit* e : cu_.attached) e->advance(now);
  // SIMD units take turns at being first to what they share, each together with its SpSIMD units, and these take turns
  // among themselves: SpSIMD units that have nothing to do give no SIMD unit a better turn. With slots they share
  // nothing but what parts of one wavefront ask for in the same cycle, and for that the order is always the same.
  const auto turn = static_cast<uint32_t>(now);
  const unit_layout layout = cu_.contexts.layout();
  uint32_t simd = turn % layout.simds;
  for (uint32_t k = 0; k < layout.simds; ++k) {
    uint32_t member = layout.spsimds == 0 || divides_time() ? 0 : turn / layout.simds % (layout.spsimds + 1);
    for (uint32_t j = 0; j <= layout.spsimds; ++j) {
      const swf_number number = member == 0 ? swf_number::simd_unit() : swf_number::spsimd_unit(member - 1);
      const unit_id unit = layout.unit(simd_id(simd), number);
      if (cu_.attention[unit.value] <= now) tick(*cu_.units[unit.value], now);
      if (++member > layout.spsimds) member = 0;
    }
    if (++simd == layout.simds) simd = 0;
  }
  if (!leaving_.empty()) free_contexts();
}

void pipeline::tick(simd_unit& s, cycle_t now) {
  if (s.in_use() <= rank_set<1>::word_bits)
    tick_contexts<1>(s, now);
  else
    tick_contexts<schedule_table::most_words>(s, now);
}

template <uint32_t words>
void pipeline::tick_contexts(simd_unit& s, cycle_t now) {
  rank_set<words> ready, fetch_due;
  s.attention = s.table.look(s.in_use(), now, ready, fetch_due);
  for (size_t port = 0; port < s.port_free.size() && ready.any(); ++port) {
    rank_set<words> candidates = s.table.issuing_to(static_cast<issue_port>(port), ready);
    while (candidates.any() && s.port_free[port] <= now) {
      const context_rank r = candidates.take(config_.schedule == schedule_policy::round_robin ? s.table.turn : 0);
      ready.remove(r);  // it wants another port now, and is not ready for it before the next cycle
      if (s.table.ready_at(r) > now) continue;  // another path of its wavefront has issued and changed that
      s.table.turn = r.value + 1;               // past the youngest: its successor may be on its way
      schedule(s, s.ranked(r), now);
    }
    if (candidates.any()) s.attention = std::min(s.attention, s.port_free[port]);
  }
  // One context's fetch begins in a cycle: the oldest's. Contexts that have issued in this cycle have planned anew.
  while (fetch_due.any()) {
    const context_rank r = fetch_due.take();
    if (s.table.fetch_at(r) > now) continue;
    if (s.fetch_free > now) {
      s.attention = std::min(s.attention, s.fetch_free);
      break;
    }
    s.fetch_free = now + 1;
    fetch(s.ranked(r), now);
  }
  cu_.executing = nullptr;
}

// ---- schedule

void pipeline::schedule(simd_unit& s, wf_context& c, cycle_t now) {
  cu_.executing = &c;
  if (c.status == wf_status::draining) {
    s.set_not_ready(c);
    scheme_.ended(c, *this);
  } else if (wants_stalls_ && (c.status == wf_status::suspended || c.front.ready_at > now)) {
    path_waits(s, c, now);
  } else {
    issue(s, c, now);
  }
}

void pipeline::completed(ticket t, cycle_t at) {
  simd_unit& s = *cu_.units[t / 2 / contexts_per_unit_];
  wf_context& c = s[slot_id(t / 2 % contexts_per_unit_)];
  const bool is_fetch = t % 2 == 0;
  if (is_fetch) c.front.ibuf.arrival = at;
  update(c);
  if (is_fetch || !keeps_operations_) return;
  for (wf_context* const swf : c.group->swfs)
    if (swf->tree.root == &c) update(*swf);
}

void pipeline::update(wf_context& c) {
  if (c.status == wf_status::suspended && wants_stalls_) {
    const cycle_t here = data_here(c);  // what was here before is known
    if (here != never && here > now_) unit_of(c).set_ready(c, issue_port::none, here);
    return;
  }
  // What is known already does not change with what completes now; at a barrier nothing is decided before its end.
  if (c.status == wf_status::ended || c.status == wf_status::merge || c.status == wf_status::suspended) return;
  cu_.executing = &c;
  const simd_unit& s = unit_of(c);
  if (!knows_when(c)) {
    if (c.status == wf_status::draining)
      drain(c);
    else if (stands(c.status))
      prepare(c, c.front.earliest);
  }
  const bool fetches = stands(c.status) || c.status == wf_status::barrier || c.status == wf_status::grid_barrier;
  if (fetches && !s.has_fetch_cycle(c)) plan_fetch(c, c.front.issued_at + 1);
  cu_.executing = nullptr;
}

// ---- fetch

void pipeline::plan_fetch(wf_context& c, cycle_t earliest) {
  const auto ahead = static_cast<int64_t>(c.front.ibuf.end - c.state.pc);
  const bool space = ahead + static_cast<int64_t>(config_.fetch_bytes) <= int64_t{4} * config_.ibuf_dwords;
  const bool possible = space && c.front.ibuf.arrival != never;
  unit_of(c).set_fetch(c, possible ? fetch_slot(c, std::max(earliest, c.front.ibuf.arrival)) : never);
}

void pipeline::fetch(wf_context& c, cycle_t now) {
  cu_.executing = &c;  // there may be no memory to fetch from
  const uint64_t address = c.front.ibuf.end;
  if (address + config_.fetch_bytes < address)
    throw program_error(
        fmt::format("code in the last {} bytes of all addresses cannot be fetched", config_.fetch_bytes));
  add_block(c, address);
  c.front.ibuf.arrival = cu_.mif.fetch(c.tdm_requester, fetch_ticket(c), address, config_.fetch_bytes, now);
  if (together_) fetch_together(c, address, now);
  if (c.status == wf_status::running && !knows_when(c)) prepare(c, c.front.earliest);
  plan_fetch(c, now + 1);
}

void pipeline::add_block(wf_context& c, uint64_t address) {
  c.front.ibuf.warm_end = address;
  c.front.ibuf.end = address + config_.fetch_bytes;
  c.front.ibuf.begin = std::max(c.front.ibuf.begin, c.front.ibuf.end - uint64_t{4} * config_.ibuf_dwords);
}

// ---- decode and scoreboard

// In the cycle in which it could issue its result is there: it takes no time of its own. What it waits for, what
// follows waits for.
[[gnu::noinline]] cycle_t pipeline::fold(wf_context& c, cycle_t earliest) {
  while (masks_.contains(*c.code, c.state.pc)) {
    const uint64_t pc = c.state.pc;
    const isa::inst& i = c.code->at(pc);
    const cycle_t here = c.front.ibuf.available(pc + i.bytes());
    if (here == never) break;
    issue_time t = issue_time_of(c.front, i, c.state.mode, earliest, here);
    if (c.front.slot != nullptr) t.wait_for(c.front.slot->ready(i, c.state.mode), stall::operand);
    step_.execute<true, audience::observers>(*unit_of(c).execution, c, i, now_);
    c.front.write(i, c.state.mode, t.at, t.at);
    if (has_jumped(c, i)) redirect(c);
    earliest = t.at;
  }
  return earliest;
}

// What it asks the scoreboard is inlined, whatever else is compiled with it: it runs for each instruction.
[[gnu::flatten]] void pipeline::look_up(wf_context& c, cycle_t earliest) {
  if (folds_) earliest = fold(c, earliest);
  c.front.earliest = earliest;
  c.become(wf_status::running);
  c.front.reason = stall::fetch;
  c.front.next = nullptr;
  unit_of(c).set_not_ready(c);
  const uint64_t pc = c.state.pc;
  cycle_t bytes_here = c.front.ibuf.available(pc + 4);
  if (bytes_here == never) return;
  const isa::inst& i = c.code->at(pc);
  if (i.dwords > 1) bytes_here = c.front.ibuf.available(pc + i.bytes());
  if (bytes_here == never) return;
  c.front.next = &i;
  issue_time t = issue_time_of(c.front, i, c.state.mode, earliest, bytes_here);
  const bool counts = uses_counters(i);
  if (c.front.slot != nullptr) {
    const cycle_t depends = t.at;
    const slot_scoreboard& slot = *c.front.slot;
    t.wait_for(slot.ready(i, c.state.mode), stall::operand);
    if (counts) t.wait_for(counters_ready(slot, i), stall::memory);
    c.front.has_false_dependence = t.at > depends;
  }
  if (!counts && can_split_ && scheme_.acts_on(i) && scheme_.waits_at(c, i)) {
    const divergence_scheme::wait w = scheme_.waits_for(c, i);
    t.wait_for(w.until, w.reason);
    t.wait_for(c.front.ibuf.arrival, stall::fetch);
  }
  c.front.reason = t.reason;
  c.front.ready_at = t.at;
  if (t.reason == stall::memory) {
    c.become(wf_status::waitcnt);
    if (wants_stalls_ && c.is_split())
      if (const cycle_t ask = first_issue(earliest, bytes_here); ask > now_)
        return unit_of(c).set_ready(c, issue_port::none, ask);
  }
  unit_of(c).set_ready(c, port_of(i.unit), issue_slot(c, t.at));
}

// ---- execute

void pipeline::issue(simd_unit& s, wf_context& c, cycle_t now) {
  if (together_) {
    scheme_.standing_with(c, issuing_);
    return issue_together(s, now);
  }
  const isa::inst& i = *c.front.next;
  if (can_split_ && c.front.ibuf.arrival > now && scheme_.acts_on(i) && scheme_.waits_at(c, i)) {
    prepare(c, c.front.earliest);  // a fetch has begun since
    return;
  }
  if (s.issued_in != now) {
    s.issued_in = now;
    ++s.issuing_cycles;
  }
  count_wait(c, now);
  c.front.issued_at = now;
  c.front.issued_to = i.unit;
  step_.count(c, i);
  if (c.front.slot != nullptr) cu_.statistics.false_dependences += c.front.has_false_dependence;
  c.state.time = now;
  if (uses_counters(i) || i.unit == isa::unit::split || i.unit == isa::unit::merge) c.front.retire(now);
  const after_step then = step_.execute<true, audience::observers>(*s.execution, c, i, now);
  const cycle_t earliest = time_of(s, c, i, then, now);
  if (earliest == never) return;
  if (wants_long_operations_ && takes_long(c, i)) {
    c.front.earliest = earliest;
    c.front.reason = stall::other;  // what the next instruction waits for is not known yet
    scheme_.long_operation_issued(c, *this);
    if (unless_suspended(c, earliest) == never) return;
  }
  prepare(c, earliest);
  plan_fetch(c, now + 1);
}

cycle_t pipeline::time_of(simd_unit& s, wf_context& c, const isa::inst& i, after_step then, cycle_t now) {
  switch (i.unit) {
    case isa::unit::salu:
      s.busy(issue_port::salu, now + 1);
      ++cu_.statistics.salu_busy;
      c.front.write(i, c.state.mode, now, now + config_.latency.salu);
      break;
    case isa::unit::valu:
    case isa::unit::valu_trans:
    case isa::unit::valu_f64:
      return time_of_vector_alu(s, c, i, now);
    case isa::unit::branch:
      return time_of_branch(s, c, i, then, now);
    case isa::unit::scalar_memory:
    case isa::unit::vector_memory:
    case isa::unit::lds:
      memory(c, i, now);
      if (then != after_step::grid_barrier) break;
      wait_at_barrier(c, now);
      host_.reached_grid_barrier(c, i, now);
      return never;
    case isa::unit::waitcnt:
    case isa::unit::message:
      break;
    case isa::unit::barrier:
      wait_at_barrier(c, now);
      release_barrier(*c.group, now);
      return never;
    case isa::unit::end:
      take_out(c);
      // A wavefront that has ended is no longer waited for at barriers.
      release_barrier(*c.group, now);
      drain(c);
      return never;
    case isa::unit::internal: {
      const cycle_t next = now + std::max<cycle_t>(config_.latency.internal, idle_cycles(i));
      return then == after_step::yielded ? unless_suspended(c, next) : next;
    }
    case isa::unit::split:
    case isa::unit::merge:
      return time_of_divergence(s, c, i, then, now);
  }
  return now + 1;
}

cycle_t pipeline::time_of_vector_alu(simd_unit& s, wf_context& c, const isa::inst& i, cycle_t now) {
  const auto [passes, latency] = vector_alu_time_of(i, config_.latency);
  s.valu_busy += passes * valu_cycles_;
  cu_.statistics.valu_busy += passes * valu_cycles_;
  if (divides_time()) {  // each pass in a slot of its own
    s.busy(issue_port::valu, now + valu_cycles_);
    const cycle_t last = now + (passes - 1) * rounds_.round, before = (passes - 1) * valu_cycles_;
    c.front.write(i, c.state.mode, now,
                  last + std::max<cycle_t>(latency > before ? latency - before : 0, valu_cycles_));
    return last + 1;
  }
  s.busy(issue_port::valu, now + passes * valu_cycles_);
  c.front.write(i, c.state.mode, now, now + std::max(latency, passes * valu_cycles_));
  return now + 1;
}

cycle_t pipeline::time_of_branch(simd_unit& s, wf_context& c, const isa::inst& i, after_step then, cycle_t now) {
  s.busy(issue_port::salu, now + 1);
  c.front.write(i, c.state.mode, now, now + config_.latency.salu);
  if (has_jumped(c, i)) {
    ++cu_.statistics.branches_taken;
    redirect(c);
  }
  const cycle_t next = now + config_.latency.branch;
  if (then == after_step::yielded) return unless_suspended(c, next);
  return then == after_step::diverged ? unless_suspended(c, next + scheme_.split_cycles()) : next;
}

// Makes the instruction buffer follow the PC.
void pipeline::redirect(wf_context& c) {
  if (!c.front.ibuf.holds(c.state.pc)) c.front.ibuf.restart(fetch_block(c.state.pc));
}

// A miss, known by its end that is not, or a quarter-rate instruction. What memory.arbitration: tdm serves is not
// cached.
bool pipeline::takes_long(const wf_context& c, const isa::inst& i) const {
  if (i.unit == isa::unit::valu_trans) return true;
  if (i.unit != isa::unit::vector_memory && i.unit != isa::unit::scalar_memory) return false;
  if (step_.access().where == isa::memory_access::space::lds) return false;
  const outstanding& counter = i.unit == isa::unit::scalar_memory ? c.front.lgkm : c.front.vm;
  return cu_.caches.vector == nullptr || counter.newest().done == never;
}

// It goes on fetching.
void pipeline::wait_at_barrier(wf_context& c, cycle_t now) {
  unit_of(c).set_not_ready(c);
  plan_fetch(c, now + 1);
  c.front.earliest = now + 1;
}

void pipeline::leave_barrier(wf_context& c, cycle_t at) {
  prepare(c, at);
  count_wait_at_barrier(c, at);
  scheme_.leaves_barrier(c, *this);
}

void pipeline::drain(wf_context& c) {
  unit_of(c).set_ready(c, issue_port::none,
                       std::max({c.front.issued_at + 1, c.front.vm.when_at_most(0), c.front.lgkm.when_at_most(0),
                                 c.front.ibuf.arrival}));
}

}  // namespace pws::models
