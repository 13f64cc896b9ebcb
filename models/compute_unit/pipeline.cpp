#include "models/compute_unit/pipeline.h"

#include <algorithm>

#include "base/error.h"
#include "models/compute_unit/special_instructions.h"
#include "models/memory/cache.h"

namespace pws::models {

namespace {
// Instructions that the scheme may want to see.
bool may_diverge(const divergence_scheme& s, const isa::inst& i) {
  return i.unit == isa::unit::split || i.unit == isa::unit::merge ||
         (i.unit == isa::unit::branch && s.splits_at_branches());
}

// Bytes that arrive in one cycle are decoded in the next and pass the scoreboard in the one after.
constexpr cycle_t decode_depth = 2;
}  // namespace

pipeline::pipeline(compute_unit& cu, const machine_config& c)
    : cu_(cu),
      config_(c),
      valu_cycles_(isa::wave_size / c.valu_lanes),
      rounds_(issue_rounds_of(c)),
      lds_slots_(1, c.n_simd * c.n_wfc, parts_of_wavefront(c)),
      scheme_(*cu.scheme_),
      can_split_(scheme_.can_split()) {}

void pipeline::start(wf_context& c, cycle_t at) {
  c.front.ibuf = {};
  c.front.ibuf.restart(c.state.pc / config_.fetch_bytes * config_.fetch_bytes);
  c.front.clear_results();
  c.front.issued_at = at;
  prepare(c, at);
  plan_fetch(c, at);
}

cycle_t pipeline::next_event() const {
  cycle_t next = never;
  for (const cycle_t a : cu_.attention) next = std::min(next, a);
  return next;
}

void pipeline::attach(simd_unit& unit, spsimd_executor& e) {
  unit.executor = &e;
  executors_.push_back(&e);
}

void pipeline::tick(cycle_t now) {
  now_ = now;
  for (spsimd_executor* e : executors_) e->advance(now);
  // SIMD units take turns at being first to what they share, each together with its SpSIMD units, and these take turns
  // among themselves: SpSIMD units that have nothing to do give no SIMD unit a better turn.
  const auto turn = static_cast<uint32_t>(now);
  const uint32_t n_simd = config_.n_simd, spsimds = static_cast<uint32_t>(cu_.attention.size()) / n_simd - 1;
  uint32_t simd = turn % n_simd;
  for (uint32_t k = 0; k < n_simd; ++k) {
    uint32_t member = spsimds == 0 ? 0 : turn / n_simd % (spsimds + 1);
    for (uint32_t j = 0; j <= spsimds; ++j) {
      const uint32_t index = member == 0 ? simd : n_simd + simd * spsimds + member - 1;
      if (cu_.attention[index] <= now) tick(*cu_.units[index], now);
      if (++member > spsimds) member = 0;
    }
    if (++simd == n_simd) simd = 0;
  }
  if (!leaving_.empty()) free_contexts();
}

void pipeline::tick(simd_unit& s, cycle_t now) {
  cycle_t next = never;
  simd_unit::rank_set ready = s.due(s.ready_at, now, next);
  const simd_unit::rank_set hungry = s.due(s.fetch_at, now, next);
  s.attention = next;
  for (size_t port = 0; port < s.wanting.size(); ++port) {
    // Whoever has issued wants another port now, and is not ready for it before the next cycle.
    simd_unit::rank_set candidates = ready & s.wanting[port];
    while (candidates != 0 && s.port_free[port] <= now) ready &= ~schedule(s, candidates, now);
    if (candidates != 0) s.attention = std::min(s.attention, s.port_free[port]);
  }
  if (hungry != 0) fetch(s, hungry, now);
  current_ = nullptr;
}

// ---- schedule

// Issues the context of `candidates` whose turn it is, takes it out of them and returns its bit.
simd_unit::rank_set pipeline::schedule(simd_unit& s, simd_unit::rank_set& candidates, cycle_t now) {
  simd_unit::rank_set pick = candidates;
  if (config_.schedule == schedule_policy::round_robin) {
    const simd_unit::rank_set from_turn = s.turn < 64 ? candidates & (~simd_unit::rank_set{0} << s.turn) : 0;
    if (from_turn != 0) pick = from_turn;
  }
  const auto rank = static_cast<uint32_t>(__builtin_ctzll(pick));
  s.turn = rank + 1;  // past the youngest: its successor may be on its way
  const simd_unit::rank_set bit = simd_unit::rank_set{1} << rank;
  candidates &= ~bit;
  wf_context& c = s.contexts[s.order[rank]];
  current_ = &c;
  if (c.status == wf_status::draining) {
    s.set_not_ready(c);
    scheme_.ended(c, *this);
  } else {
    issue(s, c, now);
  }
  return bit;
}

void pipeline::update(wf_context& c) {
  // What is known already does not change with what completes now; at a barrier nothing is decided before its end.
  if (c.status == wf_status::ended || c.status == wf_status::merge) return;
  current_ = &c;
  const simd_unit& s = unit_of(c);
  if (s.ready_at[c.rank] == never) {
    if (c.status == wf_status::draining)
      drain(c);
    else if (c.status == wf_status::running || c.status == wf_status::waitcnt)
      prepare(c, c.front.earliest);
  }
  const bool fetches =
      c.status == wf_status::running || c.status == wf_status::waitcnt || c.status == wf_status::barrier;
  if (fetches && s.fetch_at[c.rank] == never) plan_fetch(c, c.front.issued_at + 1);
  current_ = nullptr;
}

// ---- fetch

void pipeline::plan_fetch(wf_context& c, cycle_t earliest) {
  const auto ahead = static_cast<int64_t>(c.front.ibuf.end - c.state.pc);
  const bool space = ahead + static_cast<int64_t>(config_.fetch_bytes) <= int64_t{4} * config_.ibuf_dwords;
  const bool possible = space && c.front.ibuf.arrival != never;
  unit_of(c).set_fetch(c, possible ? fetch_slot(c, std::max(earliest, c.front.ibuf.arrival)) : never);
}

// One context's fetch begins in a cycle: the oldest's. Contexts that have issued in this cycle have planned anew.
void pipeline::fetch(simd_unit& s, simd_unit::rank_set hungry, cycle_t now) {
  for (; hungry != 0; hungry &= hungry - 1) {
    const auto rank = static_cast<size_t>(__builtin_ctzll(hungry));
    if (s.fetch_at[rank] > now) continue;
    if (s.fetch_free > now) {
      s.attention = std::min(s.attention, s.fetch_free);
      return;
    }
    s.fetch_free = now + 1;
    fetch(s.contexts[s.order[rank]], now);
  }
}

void pipeline::fetch(wf_context& c, cycle_t now) {
  const uint64_t address = c.front.ibuf.end;
  c.front.ibuf.warm_end = address;
  c.front.ibuf.end = address + config_.fetch_bytes;
  c.front.ibuf.begin = std::max(c.front.ibuf.begin, c.front.ibuf.end - uint64_t{4} * config_.ibuf_dwords);
  cu_.mif.fetch(c, address, config_.fetch_bytes, now);
  if (c.status == wf_status::running && unit_of(c).ready_at[c.rank] == never) prepare(c, c.front.earliest);
  plan_fetch(c, now + 1);
}

// ---- decode and scoreboard

void pipeline::prepare(wf_context& c, cycle_t earliest) {
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
  cycle_t ready = earliest;
  c.front.reason = stall::other;
  const auto wait_for = [&](cycle_t at, stall reason) {
    if (at <= ready) return;
    ready = at;
    c.front.reason = reason;
  };
  wait_for(bytes_here == 0 ? 0 : bytes_here + decode_depth, stall::fetch);
  // Which register a relative index means is not known before it executes.
  if (c.front.results.all_ready() > ready)
    wait_for(i.relative_index ? c.front.results.all_ready() : c.front.results.ready(i), stall::operand);
  if (i.unit == isa::unit::waitcnt || i.is_memory()) {
    wait_for(counters_ready(c, i), stall::memory);
  } else if (can_split_ && may_diverge(scheme_, i) && scheme_.diverges(c, i)) {
    wait_for(c.front.results.all_ready(), stall::operand);
    wait_for(std::max(c.front.vm.when_at_most(0), c.front.lgkm.when_at_most(0)), stall::memory);
    wait_for(c.front.ibuf.arrival, stall::fetch);
  }
  if (c.front.reason == stall::memory) c.become(wf_status::waitcnt);
  c.front.ready_at = ready;
  unit_of(c).set_ready(c, port_of(i.unit), issue_slot(c, ready));
}

cycle_t pipeline::counters_ready(const wf_context& c, const isa::inst& i) const {
  switch (i.unit) {
    case isa::unit::waitcnt: {
      const isa::waitcnt_fields w = isa::waitcnt(i);  // expcnt: stores read their data when they issue
      return std::max(c.front.vm.when_at_most(w.vmcnt), c.front.lgkm.when_at_most(w.lgkmcnt));
    }
    case isa::unit::vector_memory:
      return std::max(c.front.vm.when_at_most(outstanding::capacity - 1),
                      c.front.lgkm.when_at_most(outstanding::capacity - 1));
    default:
      return c.front.lgkm.when_at_most(outstanding::capacity - 1);
  }
}

// ---- execute

void pipeline::issue(simd_unit& s, wf_context& c, cycle_t now) {
  const isa::inst& i = *c.front.next;
  if (can_split_ && c.front.ibuf.arrival > now && may_diverge(scheme_, i) && scheme_.diverges(c, i)) {
    prepare(c, c.front.earliest);  // a fetch has begun since
    return;
  }
  if (now <= c.front.issued_at) SC_REPORT_FATAL(cu_.name(), "a context issued twice in a cycle");
  if (now > c.front.issued_at + 1) {
    const cycle_t ready = std::max(c.front.ready_at, c.front.issued_at + 1);
    cu_.statistics_.stalls[static_cast<size_t>(c.front.reason)] += ready - c.front.issued_at - 1;
    cu_.statistics_.stalls[static_cast<size_t>(stall::unit_busy)] += now - ready;
  }
  c.front.issued_at = now;
  c.trace.unit = static_cast<unsigned>(i.unit);
  cu_.statistics_.count(i, c.state.active());
  if (can_split_) {
    cu_.statistics_.schedulable_paths += c.tree.root->tree.paths;
    cu_.check_isolation(c, i);
  }
  c.state.pc = i.pc + i.bytes();
  c.state.time = now;
  if (observer != nullptr) observer->issuing(cu_.index_, c, i, now);
  const cycle_t earliest = execute(s, c, i, now);
  if (observer != nullptr) observer->issued(cu_.index_, c, i, now);
  if (earliest == never) return;
  prepare(c, earliest);
  plan_fetch(c, now + 1);
}

// Executes and returns the first cycle at which the context's next instruction may issue; `never` if something else
// decides that.
cycle_t pipeline::execute(simd_unit& s, wf_context& c, const isa::inst& i, cycle_t now) {
  switch (i.unit) {
    case isa::unit::salu:
      perform(s, c, i, now);
      s.busy(issue_port::salu, now + 1);
      ++cu_.statistics_.salu_busy;
      c.front.results.write(i, now, now + config_.latency.salu);
      return now + 1;
    case isa::unit::valu:
    case isa::unit::valu_trans:
    case isa::unit::valu_f64:
      return vector_alu(s, c, i, now);
    case isa::unit::branch:
      return branch(s, c, i, now);
    case isa::unit::scalar_memory:
    case isa::unit::vector_memory:
    case isa::unit::lds:
      memory(c, i, now);
      return now + 1;
    case isa::unit::waitcnt:
      c.front.vm.retire(now);
      c.front.lgkm.retire(now);
      return now + 1;
    case isa::unit::barrier:
      scheme_.check_barrier(c);
      arrive_at_barrier(c, now);
      return never;
    case isa::unit::end:
      end(c, now);
      return never;
    case isa::unit::message:
      cu_.message(c, i);
      return now + 1;
    case isa::unit::internal:
      perform(s, c, i, now);
      maintain_caches(i, now);
      return now + std::max<cycle_t>(config_.latency.internal, idle_cycles(i));
    case isa::unit::split:
    case isa::unit::merge:
      return diverge(s, c, i, now);
  }
  return now + 1;
}

cycle_t pipeline::vector_alu(simd_unit& s, wf_context& c, const isa::inst& i, cycle_t now) {
  perform(s, c, i, now);
  uint32_t passes = 1, latency = config_.latency.valu;
  if (i.unit == isa::unit::valu_trans) {
    passes = 4;
    latency = config_.latency.valu_trans;
  } else if (i.unit == isa::unit::valu_f64) {
    passes = 2;
    latency = config_.latency.valu_f64;
  }
  s.valu_busy += passes * valu_cycles_;
  cu_.statistics_.valu_busy += passes * valu_cycles_;
  if (divides_time()) {  // each pass in a slot of its own
    s.busy(issue_port::valu, now + valu_cycles_);
    const cycle_t last = now + (passes - 1) * rounds_.round, before = (passes - 1) * valu_cycles_;
    c.front.results.write(i, now, last + std::max<cycle_t>(latency > before ? latency - before : 0, valu_cycles_));
    return last + 1;
  }
  s.busy(issue_port::valu, now + passes * valu_cycles_);
  c.front.results.write(i, now, now + std::max(latency, passes * valu_cycles_));
  return now + 1;
}

cycle_t pipeline::branch(simd_unit& s, wf_context& c, const isa::inst& i, cycle_t now) {
  const bool splits = can_split_ && scheme_.splits_at_branches() && scheme_.diverges(c, i);
  if (splits)
    scheme_.execute(c, i, *this);
  else
    perform(s, c, i, now);
  s.busy(issue_port::salu, now + 1);
  ++cu_.statistics_.branches;
  c.front.results.write(i, now, now + config_.latency.salu);
  if (c.state.pc != i.pc + i.bytes()) {
    ++cu_.statistics_.branches_taken;
    redirect(c);
  }
  return now + config_.latency.branch + (splits ? scheme_.split_cycles() : 0);
}

// Makes the instruction buffer follow the PC.
void pipeline::redirect(wf_context& c) {
  if (!c.front.ibuf.holds(c.state.pc)) c.front.ibuf.restart(c.state.pc / config_.fetch_bytes * config_.fetch_bytes);
}

// ---- splitting

cycle_t pipeline::diverge(simd_unit& s, wf_context& c, const isa::inst& i, cycle_t now) {
  if (!scheme_.diverges(c, i)) return now + config_.latency.internal;
  s.busy(issue_port::salu, now + 1);
  ++cu_.statistics_.salu_busy;
  c.front.vm.retire(now);
  c.front.lgkm.retire(now);
  if (s.executor != nullptr) s.executor->diverging(c, i, now);
  const after_divergence then = scheme_.execute(c, i, *this);
  if (s.executor != nullptr) s.executor->diverged(c, i, now);
  if (then == after_divergence::stops) {
    s.set_not_ready(c);
    s.set_fetch(c, never);
    c.front.next = nullptr;
    return never;
  }
  if (then == after_divergence::goes_on) return now + scheme_.split_cycles();
  restart_behind(c, i.pc);
  return now + scheme_.join_cycles();
}

// The instruction buffer holds the block of the instruction where paths became one, whichever of them came last.
void pipeline::restart_behind(wf_context& c, uint64_t join) {
  c.front.ibuf.keep(join / config_.fetch_bytes * config_.fetch_bytes, config_.fetch_bytes);
}

void pipeline::begin(wf_context& swf, const wf_context& from) {
  if (divides_time() && swf.seat.part >= lds_slots_.parts())
    throw program_error(
        "an SWF has no memory slots: the wavefront splits into more SWFs than machine.split_points says");
  cu_.swf_started(swf, now_);
  swf.front.ibuf = from.front.ibuf;
  swf.front.clear_results();
  swf.front.issued_at = now_;
  if (unit_of(swf).executor != nullptr) unit_of(swf).executor->begins(swf, now_);
  const isa::inst& split = *from.front.next;
  const bool at_branch = split.unit == isa::unit::branch;
  if (at_branch) redirect(swf);
  prepare(swf, now_ + scheme_.split_cycles() + (at_branch ? config_.latency.branch : 0));
  plan_fetch(swf, now_ + 1);
}

void pipeline::resume(wf_context& c, uint64_t join) {
  if (c.status == wf_status::ended && unit_of(c).executor != nullptr)  // another SWF goes on in its place
    unit_of(c).executor->taken_over(c, now_);
  restart_behind(c, join);
  c.front.results.clear();
  cu_.statistics_.stalls[static_cast<size_t>(stall::merge)] += now_ - c.front.issued_at;
  c.front.issued_at = now_;
  prepare(c, now_ + scheme_.join_cycles());
  plan_fetch(c, now_ + 1);
}

void pipeline::joins(wf_context& parent, const wf_context& child) {
  if (unit_of(parent).executor != nullptr) unit_of(parent).executor->joins(parent, child, now_);
}

void pipeline::drops(wf_context& parent, swf_number child) {
  if (unit_of(parent).executor != nullptr) unit_of(parent).executor->drops(parent, child, now_);
}

void pipeline::leave(wf_context& swf) {
  if (unit_of(swf).executor != nullptr) unit_of(swf).executor->leaves(swf, now_);
  if (swf.status != wf_status::ended)  // merged
    cu_.statistics_.stalls[static_cast<size_t>(stall::merge)] += now_ - swf.front.issued_at;
  unit_of(swf).set_not_ready(swf);
  unit_of(swf).set_fetch(swf, never);
  cu_.swf_left(swf, now_);
  leaving_.push_back(&swf);
}

void pipeline::finish(wf_context& root) {
  cu_.wave_finished(root, now_);
}

// After all units have issued: their schedulers work with ranks of contexts, which a release changes.
void pipeline::free_contexts() {
  for (wf_context* c : leaving_) unit_of(*c).release(*c);
  leaving_.clear();
}

void pipeline::memory(wf_context& c, const isa::inst& i, cycle_t now) {
  c.front.vm.retire(now);
  c.front.lgkm.retire(now);
  access_.where = isa::memory_access::space::none;
  access_.mask = 0;
  access_.second_offset = 0;
  c.state.access = &access_;
  refuse_unallocated_registers(i, c.state);
  perform(unit_of(c), c, i, now);
  c.state.access = nullptr;
  c.front.results.write(i, now, now + 1);  // the program waits with s_waitcnt; the scoreboard only orders
  maintain_caches(i, now);
  if (access_.where == isa::memory_access::space::lds) {
    local_memory(c, i, now);
    return;
  }
  switch (i.unit) {
    case isa::unit::scalar_memory:
      shared_busy(issue_port::scalar_memory, now + 1);
      cu_.mif.scalar_access(c, access_, now + 1);
      break;
    case isa::unit::vector_memory:
      shared_busy(issue_port::vector_memory,
                  cu_.mif.vector_access(c, access_, i.glc && !access_.is_store, now + 1, config_.valu_lanes));
      break;
    default:  // a DS instruction that touched nothing: no lane active, or data exchanged between lanes
      shared_busy(issue_port::lds, now + 1);
      c.front.lgkm.complete(c.front.lgkm.add(), now + config_.latency.lds);
      break;
  }
}

void pipeline::local_memory(wf_context& c, const isa::inst& i, cycle_t now) {
  const cycle_t busy = cu_.lds.cycles(access_);
  cycle_t last = 0;  // pass
  if (divides_time()) {
    last = lds_slots_.serve(c.identity(), now, busy);
  } else {
    const cycle_t start = std::max(now, cu_.units.front()->port_free[static_cast<size_t>(issue_port::lds)]);
    shared_busy(issue_port::lds, start + busy);
    last = start + busy - 1;
  }
  c.front.lgkm.complete(c.front.lgkm.add(), last + config_.latency.lds);
  if (i.unit == isa::unit::vector_memory) {  // FLAT in the LDS aperture: passed through the address unit
    shared_busy(issue_port::vector_memory, now + valu_cycles_);
    c.front.vm.complete(c.front.vm.add(), last + config_.latency.lds);
  }
}

// With issue slots a memory instruction goes into its context's own queue.
void pipeline::shared_busy(issue_port p, cycle_t until) {
  if (divides_time()) return;
  for (const auto& s : cu_.units) s->busy(p, until);
}

void pipeline::maintain_caches(const isa::inst& i, cycle_t now) {
  if (caches.vector == nullptr) return;
  switch (cache_maintenance_of(i)) {
    case cache_maintenance::vector:
      caches.vector->invalidate(now);
      break;
    case cache_maintenance::scalar:
      caches.scalar->invalidate(now);
      break;
    case cache_maintenance::instruction:
      caches.instruction->invalidate(now);
      break;
    case cache_maintenance::none:
      break;
  }
}

void pipeline::arrive_at_barrier(wf_context& c, cycle_t now) {
  ++cu_.statistics_.barriers;
  c.become(wf_status::barrier);
  unit_of(c).set_not_ready(c);
  plan_fetch(c, now + 1);  // goes on fetching
  c.front.earliest = now + 1;
  if (c.group->barrier_complete()) release_barrier(*c.group, now);
}

void pipeline::release_barrier(resident_workgroup& g, cycle_t now) {
  for (const auto* contexts : {&g.waves, &g.swfs})
    for (wf_context* w : *contexts) {
      if (w->status != wf_status::barrier) continue;
      prepare(*w, now + 1);
      const cycle_t waited = now - w->front.issued_at;
      cu_.statistics_.stalls[static_cast<size_t>(stall::barrier)] += waited;
      w->front.issued_at += waited;
    }
}

void pipeline::end(wf_context& c, cycle_t) {
  c.become(wf_status::draining);
  unit_of(c).set_not_ready(c);
  unit_of(c).set_fetch(c, never);
  c.front.next = nullptr;
  // A wavefront that has ended is no longer waited for at barriers.
  if (c.group->barrier_complete()) release_barrier(*c.group, c.front.issued_at);
  drain(c);
}

void pipeline::drain(wf_context& c) {
  unit_of(c).set_ready(c, issue_port::none,
                       std::max({c.front.issued_at + 1, c.front.vm.when_at_most(0), c.front.lgkm.when_at_most(0),
                                 c.front.ibuf.arrival}));
}

}  // namespace pws::models
