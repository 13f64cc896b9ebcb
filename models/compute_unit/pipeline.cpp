#include "models/compute_unit/pipeline.h"

#include <algorithm>

#include "models/compute_unit/special_instructions.h"
#include "models/isa/error.h"
#include "models/memory/cache.h"

namespace pws::models {

namespace {
// Bytes that arrive in one cycle are decoded in the next and pass the scoreboard in the one after.
constexpr cycle_t decode_depth = 2;
}  // namespace

pipeline::pipeline(compute_unit& cu, const machine_config& c)
    : cu_(cu), config_(c), valu_cycles_(isa::wave_size / c.valu_lanes) {}

void pipeline::start(wf_context& c, cycle_t at) {
  c.ibuf = {};
  c.ibuf.restart(c.state.pc / config_.fetch_bytes * config_.fetch_bytes);
  c.vgpr_ready.fill(0);
  c.scalar_ready.fill(0);
  c.scc_ready = c.latest_result = 0;
  c.vm.clear();
  c.lgkm.clear();
  c.status = wf_status::running;
  c.issued_at = at;
  prepare(c, at);
  plan_fetch(c, at);
  simd_unit& s = *cu_.simds[c.simd];
  s.attention = std::min(s.attention, c.fetch_at);
}

cycle_t pipeline::next_event() const {
  cycle_t next = never;
  for (const auto& s : cu_.simds) next = std::min(next, s->attention);
  return next;
}

void pipeline::tick(cycle_t now) {
  // The SIMD units take turns at being first to the units they share.
  const size_t n = cu_.simds.size();
  for (size_t k = 0; k < n; ++k) {
    simd_unit& s = *cu_.simds[(now + k) % n];
    if (s.attention <= now) tick(s, now);
  }
}

void pipeline::tick(simd_unit& s, cycle_t now) {
  s.attention = never;
  const auto n = static_cast<uint32_t>(s.order.size());
  const bool round_robin = config_.schedule == schedule_policy::round_robin;
  const uint32_t first = round_robin && s.turn < n ? s.turn : 0;
  for (uint32_t k = 0; k < n; ++k) {
    const uint32_t index = first + k < n ? first + k : first + k - n;
    wf_context& c = *s.order[index];
    cycle_t look = c.ready_at;
    if (c.ready_at <= now) {
      current_ = &c;
      if (c.status == wf_status::draining) {
        c.status = wf_status::ended;
        c.ready_at = look = never;
        cu_.wave_finished(c, now);
      } else if (const cycle_t free = unit_free(s, c.next->unit); free <= now) {
        issue(s, c, now);
        if (round_robin) s.turn = index + 1 < n ? index + 1 : 0;
        look = c.ready_at;
      } else {
        look = free;
      }
    }
    if (c.fetch_at <= now) {
      if (s.fetch_free <= now) {
        s.fetch_free = now + 1;
        fetch(c, now);
        look = std::min(look, c.ready_at);
      } else {
        c.fetch_at = s.fetch_free;
      }
    }
    s.attention = std::min({s.attention, std::max(look, now + 1), c.fetch_at});
  }
  current_ = nullptr;
}

void pipeline::update(wf_context& c) {
  current_ = &c;
  switch (c.status) {
    case wf_status::draining: drain(c); break;
    case wf_status::running:
    case wf_status::waitcnt: prepare(c, c.earliest); break;
    default: break;  // at a barrier or asleep: looked at when that ends
  }
  if (c.status != wf_status::draining) plan_fetch(c, c.earliest);
  simd_unit& s = *cu_.simds[c.simd];
  s.attention = std::min({s.attention, c.ready_at, c.fetch_at});
  current_ = nullptr;
}

// ---- fetch

void pipeline::plan_fetch(wf_context& c, cycle_t earliest) {
  const auto ahead = static_cast<int64_t>(c.ibuf.end - c.state.pc);
  const bool space = ahead + static_cast<int64_t>(config_.fetch_bytes) <= int64_t{4} * config_.ibuf_dwords;
  c.fetch_at = space && c.ibuf.arrival != never ? std::max(earliest, c.ibuf.arrival) : never;
}

void pipeline::fetch(wf_context& c, cycle_t now) {
  const uint64_t address = c.ibuf.end;
  c.ibuf.warm_end = address;
  c.ibuf.end = address + config_.fetch_bytes;
  c.ibuf.begin = std::max(c.ibuf.begin, c.ibuf.end - uint64_t{4} * config_.ibuf_dwords);
  cu_.mif.fetch(c, address, config_.fetch_bytes, now);
  if (c.ready_at == never && c.status == wf_status::running) prepare(c, c.earliest);
  plan_fetch(c, now + 1);
}

// ---- decode and scoreboard

void pipeline::prepare(wf_context& c, cycle_t earliest) {
  c.earliest = earliest;
  c.status = wf_status::running;
  c.reason = stall::fetch;
  c.ready_at = never;
  const uint64_t pc = c.state.pc;
  cycle_t bytes_here = c.ibuf.available(pc + 4);
  if (bytes_here == never) return;
  const isa::inst& i = c.code->at(pc);
  if (i.dwords > 1) bytes_here = c.ibuf.available(pc + i.bytes());
  if (bytes_here == never) return;
  c.next = &i;
  cycle_t ready = earliest;
  c.reason = stall::other;
  const auto wait_for = [&](cycle_t at, stall reason) {
    if (at <= ready) return;
    ready = at;
    c.reason = reason;
  };
  wait_for(bytes_here == 0 ? 0 : bytes_here + decode_depth, stall::fetch);
  if (c.latest_result > ready) wait_for(operands_ready(c, i), stall::operand);
  if (i.unit == isa::unit::waitcnt || i.is_memory()) wait_for(counters_ready(c, i), stall::memory);
  if (c.reason == stall::memory) c.status = wf_status::waitcnt;
  c.ready_at = ready;
}

cycle_t pipeline::operands_ready(const wf_context& c, const isa::inst& i) const {
  if (is_relative_index(i)) return c.latest_result;  // which register it uses is not known before it executes
  cycle_t ready = 0;
  const auto look_up = [&](const isa::inst::run& r) {
    const cycle_t* from = r.is_vgpr ? &c.vgpr_ready[r.first] : &c.scalar_ready[r.first];
    for (unsigned k = 0; k < r.count; ++k) ready = std::max(ready, from[k]);
  };
  for (unsigned k = 0; k < i.n_reads; ++k) look_up(i.reads[k]);
  for (unsigned k = 0; k < i.n_writes; ++k) look_up(i.writes[k]);
  if (i.reads_scc || i.writes_scc) ready = std::max(ready, c.scc_ready);
  return ready;
}

cycle_t pipeline::counters_ready(const wf_context& c, const isa::inst& i) const {
  switch (i.unit) {
    case isa::unit::waitcnt: {
      const isa::waitcnt_fields w = isa::waitcnt(i);  // expcnt: stores read their data when they issue
      return std::max(c.vm.when_at_most(w.vmcnt), c.lgkm.when_at_most(w.lgkmcnt));
    }
    case isa::unit::vector_memory:
      return std::max(c.vm.when_at_most(outstanding::capacity - 1), c.lgkm.when_at_most(outstanding::capacity - 1));
    default: return c.lgkm.when_at_most(outstanding::capacity - 1);
  }
}

// ---- schedule

cycle_t pipeline::unit_free(const simd_unit& s, isa::unit u) const {
  switch (u) {
    case isa::unit::salu:
    case isa::unit::branch: return s.salu_free;
    case isa::unit::valu:
    case isa::unit::valu_trans:
    case isa::unit::valu_f64: return s.valu_free;
    case isa::unit::scalar_memory: return scalar_memory_free_;
    case isa::unit::vector_memory: return vector_memory_free_;
    case isa::unit::lds: return lds_free_;
    default: return 0;
  }
}

// ---- execute

void pipeline::issue(simd_unit& s, wf_context& c, cycle_t now) {
  const isa::inst& i = *c.next;
  if (now > c.issued_at + 1) {
    const cycle_t ready = std::max(c.ready_at, c.issued_at + 1);
    cu_.statistics_.stalls[static_cast<size_t>(c.reason)] += ready - c.issued_at - 1;
    cu_.statistics_.stalls[static_cast<size_t>(stall::unit_busy)] += now - ready;
  }
  c.issued_at = now;
  c.vm.retire(now);
  c.lgkm.retire(now);
  cu_.statistics_.count(i, c.state.active());
  c.state.pc = i.pc + i.bytes();
  c.state.time = now;
  const cycle_t earliest = execute(s, c, i, now);
  if (observer != nullptr) observer->issued(cu_.index_, c, i, now);
  if (c.status == wf_status::draining || c.status == wf_status::barrier) return;
  prepare(c, earliest);
  plan_fetch(c, now + 1);
}

// Executes and returns the first cycle at which the context's next instruction may issue.
cycle_t pipeline::execute(simd_unit& s, wf_context& c, const isa::inst& i, cycle_t now) {
  switch (i.unit) {
    case isa::unit::salu:
      i.exec(c.state, i);
      s.salu_free = now + 1;
      ++cu_.statistics_.salu_busy;
      write_back(c, i, now + config_.latency.salu);
      return now + 1;
    case isa::unit::valu:
    case isa::unit::valu_trans:
    case isa::unit::valu_f64: return vector_alu(s, c, i, now);
    case isa::unit::branch: return branch(s, c, i, now);
    case isa::unit::scalar_memory:
    case isa::unit::vector_memory:
    case isa::unit::lds: memory(c, i, now); return now + 1;
    case isa::unit::waitcnt: return now + 1;
    case isa::unit::barrier: arrive_at_barrier(c, now); return now + 1;
    case isa::unit::end: end(c, now); return now + 1;
    case isa::unit::message: refuse_message(i); return now + 1;
    case isa::unit::internal:
      i.exec(c.state, i);
      maintain_caches(i);
      return now + std::max<cycle_t>(config_.latency.internal, idle_cycles(i));
  }
  return now + 1;
}

void pipeline::write_back(wf_context& c, const isa::inst& i, cycle_t at) {
  for (unsigned k = 0; k < i.n_writes; ++k) {
    const isa::inst::run& r = i.writes[k];
    cycle_t* to = r.is_vgpr ? &c.vgpr_ready[r.first] : &c.scalar_ready[r.first];
    for (unsigned n = 0; n < r.count; ++n) to[n] = at;
  }
  if (i.writes_scc) c.scc_ready = at;
  c.latest_result = std::max(c.latest_result, at);
}

cycle_t pipeline::vector_alu(simd_unit& s, wf_context& c, const isa::inst& i, cycle_t now) {
  i.exec(c.state, i);
  uint32_t passes = 1, latency = config_.latency.valu;
  if (i.unit == isa::unit::valu_trans) {
    passes = 4;
    latency = config_.latency.valu_trans;
  } else if (i.unit == isa::unit::valu_f64) {
    passes = 2;
    latency = config_.latency.valu_f64;
  }
  s.valu_free = now + passes * valu_cycles_;
  cu_.statistics_.valu_busy += passes * valu_cycles_;
  write_back(c, i, now + std::max(latency, passes * valu_cycles_));
  return now + 1;
}

cycle_t pipeline::branch(simd_unit& s, wf_context& c, const isa::inst& i, cycle_t now) {
  i.exec(c.state, i);
  s.salu_free = now + 1;
  ++cu_.statistics_.branches;
  write_back(c, i, now + config_.latency.salu);
  if (c.state.pc != i.pc + i.bytes()) {
    ++cu_.statistics_.branches_taken;
    if (!c.ibuf.holds(c.state.pc)) c.ibuf.restart(c.state.pc / config_.fetch_bytes * config_.fetch_bytes);
  }
  return now + config_.latency.branch;
}

void pipeline::memory(wf_context& c, const isa::inst& i, cycle_t now) {
  access_.where = isa::memory_access::space::none;
  access_.mask = 0;
  access_.second_offset = 0;
  c.state.access = &access_;
  i.exec(c.state, i);
  c.state.access = nullptr;
  write_back(c, i, now + 1);  // the program waits with s_waitcnt; the scoreboard only orders
  maintain_caches(i);
  if (access_.where == isa::memory_access::space::lds) {
    const cycle_t busy = cu_.lds.cycles(access_);
    const cycle_t start = std::max(now, lds_free_);
    lds_free_ = start + busy;
    c.lgkm.complete(c.lgkm.add(), start + busy - 1 + config_.latency.lds);
    if (i.unit == isa::unit::vector_memory) {  // FLAT in the LDS aperture: passed through the address unit
      vector_memory_free_ = now + isa::wave_size / config_.valu_lanes;
      c.vm.complete(c.vm.add(), start + busy - 1 + config_.latency.lds);
    }
    return;
  }
  switch (i.unit) {
    case isa::unit::scalar_memory:
      scalar_memory_free_ = now + 1;
      cu_.mif.scalar_access(c, access_, now + 1);
      break;
    case isa::unit::vector_memory:
      vector_memory_free_ = cu_.mif.vector_access(c, access_, i.glc && !access_.is_store, now + 1, config_.valu_lanes);
      break;
    default:  // a DS instruction that touched nothing: no lane active, or data exchanged between lanes
      lds_free_ = now + 1;
      c.lgkm.complete(c.lgkm.add(), now + config_.latency.lds);
      break;
  }
}

void pipeline::maintain_caches(const isa::inst& i) {
  switch (cache_maintenance_of(i)) {
    case cache_maintenance::vector: caches.vector->invalidate(); break;
    case cache_maintenance::scalar: caches.scalar->invalidate(); break;
    case cache_maintenance::instruction: caches.instruction->invalidate(); break;
    case cache_maintenance::none: break;
  }
}

void pipeline::arrive_at_barrier(wf_context& c, cycle_t now) {
  ++cu_.statistics_.barriers;
  c.status = wf_status::barrier;
  c.ready_at = c.fetch_at = never;
  c.earliest = now + 1;
  ++c.group->at_barrier;
  if (c.group->at_barrier == c.group->running) release_barrier(*c.group, now);
}

void pipeline::release_barrier(resident_workgroup& g, cycle_t now) {
  g.at_barrier = 0;
  for (wf_context* w : g.waves) {
    if (w->status != wf_status::barrier) continue;
    prepare(*w, now + 1);
    plan_fetch(*w, now + 1);
    const cycle_t waited = now - w->issued_at;
    cu_.statistics_.stalls[static_cast<size_t>(stall::barrier)] += waited;
    w->issued_at += waited;
    simd_unit& s = *cu_.simds[w->simd];
    s.attention = std::min({s.attention, w->ready_at, w->fetch_at});
  }
}

void pipeline::end(wf_context& c, cycle_t) {
  c.status = wf_status::draining;
  c.fetch_at = never;
  c.next = nullptr;
  // A wavefront that has ended is no longer waited for at barriers.
  --c.group->running;
  if (c.group->running != 0 && c.group->at_barrier == c.group->running) release_barrier(*c.group, c.issued_at);
  drain(c);
}

void pipeline::drain(wf_context& c) {
  c.ready_at = std::max({c.issued_at + 1, c.vm.when_at_most(0), c.lgkm.when_at_most(0), c.ibuf.arrival});
}

}  // namespace pws::models
