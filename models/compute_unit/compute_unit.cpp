#include "models/compute_unit/compute_unit.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/compute_unit/functional_engine.h"
#include "models/compute_unit/pipeline.h"
#include "models/isa/error.h"
#include "models/isa/host_fp.h"

namespace pws::models {

const char* name_of(wf_status s) {
  switch (s) {
    case wf_status::idle:
      return "idle";
    case wf_status::running:
      return "running";
    case wf_status::waitcnt:
      return "waiting at s_waitcnt";
    case wf_status::barrier:
      return "waiting at a barrier";
    case wf_status::draining:
      return "draining";
    case wf_status::ended:
      return "ended";
  }
  return "?";
}

const char* name_of(stall s) {
  switch (s) {
    case stall::fetch:
      return "fetch";
    case stall::operand:
      return "operand";
    case stall::unit_busy:
      return "unit_busy";
    case stall::memory:
      return "memory";
    case stall::barrier:
      return "barrier";
    case stall::other:
      return "other";
    case stall::count:
      break;
  }
  return "?";
}

const char* name_of(isa::unit u) {
  switch (u) {
    case isa::unit::salu:
      return "salu";
    case isa::unit::valu:
      return "valu";
    case isa::unit::valu_trans:
      return "valu_trans";
    case isa::unit::valu_f64:
      return "valu_f64";
    case isa::unit::branch:
      return "branch";
    case isa::unit::scalar_memory:
      return "scalar_memory";
    case isa::unit::vector_memory:
      return "vector_memory";
    case isa::unit::lds:
      return "lds";
    case isa::unit::waitcnt:
      return "waitcnt";
    case isa::unit::barrier:
      return "barrier";
    case isa::unit::end:
      return "end";
    case isa::unit::message:
      return "message";
    case isa::unit::internal:
      return "internal";
  }
  return "?";
}

compute_unit::compute_unit(const sc_core::sc_module_name& name, const machine_config& c, uint32_t index,
                           const gpu_clock& clock, const isa::global_memory& memory)
    : sc_module(name),
      mif("mif", c.memory, clock, *this),
      attention(c.n_simd, never),
      lds(c.lds),
      simd_traces(c.n_simd),
      config_(c),
      index_(index),
      clock_(clock),
      memory_(memory),
      pipeline_(std::make_unique<pipeline>(*this, c)),
      functional_(std::make_unique<functional_engine>(*this, c)) {
  for (uint32_t i = 0; i < c.n_simd; ++i)
    simds.push_back(std::make_unique<simd_unit>(("simd" + std::to_string(i)).c_str(), c, i, attention[i]));
  SC_HAS_PROCESS(compute_unit);
  SC_METHOD(run);
  sensitive << wake_;
  dont_initialize();
}

compute_unit::~compute_unit() = default;

void compute_unit::bind_caches(cache& vector, cache& scalar, cache& instruction) {
  pipeline_->caches = {&vector, &scalar, &instruction};
}

void compute_unit::attach(execution_observer* o) {
  pipeline_->observer = o;
  functional_->observer = o;
}

// ---- workgroups

bool compute_unit::fits(const workgroup& w) const {
  uint32_t capacity = 0;
  for (const auto& s : simds) capacity += s->capacity(*w.of);
  if (capacity < w.wavefronts()) return false;
  range_allocator trial = lds.allocator();
  return trial.allocate(w.of->lds_bytes).has_value();
}

resident_workgroup& compute_unit::free_group() {
  for (const auto& g : groups_)
    if (!g->live) return *g;
  groups_.push_back(std::make_unique<resident_workgroup>());
  return *groups_.back();
}

void compute_unit::start(const workgroup& w, cycle_t at) {
  resident_workgroup& g = free_group();
  g.launch = w;
  g.live = true;
  g.at_barrier = 0;
  g.running = g.unfinished = w.wavefronts();
  g.waves.clear();
  g.lds_first = lds.allocator().allocate(w.of->lds_bytes).value();
  std::fill_n(lds.bytes(g.lds_first), w.of->lds_bytes, uint8_t{0});
  ++live_workgroups_;
  ++statistics_.workgroups;
  statistics_.wavefronts += g.running;
  for (uint32_t wave = 0; wave < g.running; ++wave) {
    // To the SIMD unit with the most free contexts: spreads a workgroup, and fills evenly.
    simd_unit* best = nullptr;
    for (const auto& s : simds)
      if (s->capacity(*w.of) != 0 && (best == nullptr || s->order.size() < best->order.size())) best = s.get();
    wf_context* c = best == nullptr ? nullptr : best->allocate(*w.of);
    if (c == nullptr) SC_REPORT_FATAL(name(), "start() of a workgroup that does not fit");
    initialise(*c, g, wave);
    g.waves.push_back(c);
  }
  try {
    for (wf_context* c : g.waves) {
      c->status = wf_status::running;
      if (pipeline_->observer != nullptr) pipeline_->observer->wave_started(index_, *c, at);
      if (config_.fidelity == fidelity::timing) pipeline_->start(*c, at);
    }
  } catch (const program_error& e) {
    report(pipeline_->current(), e);
    return;
  }
  wake(config_.fidelity == fidelity::timing ? at : clock_.now());
}

void compute_unit::initialise(wf_context& c, resident_workgroup& g, uint32_t wave) {
  const dispatch& d = *g.launch.of;
  c.group = &g;
  c.wave_in_group = wave;
  c.code = d.code;
  c.next = nullptr;
  isa::vgpr_row* rows = c.state.vgpr;
  const uint32_t n_vgprs = c.state.n_vgprs, n_sgprs = c.state.n_sgprs;
  c.state = {};
  c.state.vgpr = rows;
  c.state.n_vgprs = n_vgprs;
  c.state.n_sgprs = n_sgprs;
  std::fill_n(rows, n_vgprs, isa::vgpr_row{});
  c.state.memory = &memory_;
  c.state.hw_id = c.slot | c.simd << 4 | index_ << 8;  // HW_REG_HW_ID: wave_id, simd_id, cu_id
  isa::wave_launch launch = d.setup;
  launch.workgroup_id = g.launch.id;
  launch.wave_in_workgroup = wave;
  // Every context of the machine has its slice of scratch memory.
  const uint32_t slot = (index_ * config_.n_simd + c.simd) * config_.n_wfc + c.slot;
  launch.scratch_wave_offset = slot * d.setup.scratch_bytes_per_lane * isa::wave_size;
  launch.lds = lds.bytes(g.lds_first);
  launch.lds_bytes = d.lds_bytes;
  isa::initial_state(d.descriptor, launch, c.state);
}

void compute_unit::wave_finished(wf_context& c, cycle_t at) {
  if (pipeline_->observer != nullptr) pipeline_->observer->wave_ended(index_, c, at);
  if (--c.group->unfinished == 0) listener_->workgroup_finished(*this, *c.group, at);
}

void compute_unit::retire(resident_workgroup& g) {
  for (wf_context* c : g.waves) simds[c->simd]->release(*c);
  lds.allocator().release(g.lds_first, g.launch.of->lds_bytes);
  g.live = false;
  --live_workgroups_;
}

// ---- the process

void compute_unit::wake(cycle_t at) {
  if (at >= armed_) return;
  armed_ = at;
  const cycle_t now = clock_.now();
  wake_.notify(at <= now ? sc_core::SC_ZERO_TIME : clock_.time_of(at) - sc_core::sc_time_stamp());
}

void compute_unit::run() {
  if (stopped_) return;
  armed_ = never;
  const cycle_t now = clock_.now();
  const isa::host_fp_scope host_fp;
  try {
    if (config_.fidelity == fidelity::functional) {
      if (functional_->run()) wake_.notify(sc_core::SC_ZERO_TIME);
      return;
    }
    // What is on its way here at this instant can arrive from now + latency on.
    const cycle_t ahead = std::max(config_.memory.interconnect.latency, 1u) - 1;
    const cycle_t horizon = lockstep_ ? now : now + ahead;
    cycle_t next = pipeline_->next_event();
    for (; next <= horizon; next = pipeline_->next_event()) {
      if (next < now || next <= local_)
        SC_REPORT_FATAL(name(),
                        fmt::format("an event lies in the past: cycle {} at {}, {} done", next, now, local_).c_str());
      pipeline_->tick(next);
      local_ = next;
    }
    if (next != never) wake(next);
  } catch (const program_error& e) {
    const wf_context* c = config_.fidelity == fidelity::functional ? functional_->current() : pipeline_->current();
    report(c, e);
  }
}

void compute_unit::fetch_completed(wf_context& c, cycle_t) {
  operation_completed(c);
}

void compute_unit::operation_completed(wf_context& c) {
  if (stopped_) return;
  try {
    pipeline_->update(c);
  } catch (const program_error& e) {
    report(&c, e);
    return;
  }
  const simd_unit& s = *simds[c.simd];
  if (s.attention != never) wake(s.attention);
}

// ---- messages and traces

namespace {
std::string where(const compute_unit& cu, const wf_context& c) {
  const workgroup& w = c.group->launch;
  return fmt::format("kernel {}, workgroup ({},{},{}), wavefront {} (cu{}.simd{}.wf{})", w.of->kernel, w.id[0], w.id[1],
                     w.id[2], c.wave_in_group, cu.index(), c.simd, c.slot);
}
}  // namespace

void compute_unit::report(const wf_context* c, const std::exception& error) {
  stopped_ = true;
  std::string text = error.what();
  if (c != nullptr) {
    // An instruction that was being executed has moved the PC on; one that could not be decoded has not.
    const bool decoded = c->next != nullptr && c->state.pc != c->next->pc;
    const uint64_t pc = decoded ? c->next->pc : c->state.pc;
    const auto* e = dynamic_cast<const program_error*>(&error);
    text =
        fmt::format("{}, pc {:#x} (kernel entry + {:#x})", where(*this, *c), pc, pc - c->group->launch.of->setup.entry);
    if (decoded) text += fmt::format(": {}", isa::disassemble(*c->next));
    if (e != nullptr && e->lane() != program_error::no_lane) text += fmt::format(", lane {}", e->lane());
    text += fmt::format(": {}", error.what());
  }
  listener_->fault(text);
}

std::string compute_unit::describe_waves() const {
  std::string text;
  for (const auto& s : simds)
    for (const uint8_t k : s->order) {
      const wf_context* c = &s->contexts[k];
      if (c->status == wf_status::ended) continue;
      text += fmt::format("  {}: {} at pc {:#x}", where(*this, *c), name_of(c->status), c->state.pc);
      if (c->next != nullptr) text += ": " + isa::disassemble(*c->next);
      text += '\n';
    }
  return text;
}

void compute_unit::update_trace(cycle_t now) {
  for (size_t k = 0; k < simds.size(); ++k) {
    simd_unit& s = *simds[k];
    simd_traces[k].valu_busy = s.is_busy(issue_port::valu, now);
    simd_traces[k].salu_busy = s.is_busy(issue_port::salu, now);
    simd_traces[k].contexts = static_cast<unsigned>(s.order.size());
    for (wf_context& c : s.contexts) {
      wf_trace& t = c.trace;
      t.status = static_cast<unsigned>(c.status);
      t.pc = c.state.pc;
      t.vm_outstanding = c.vm.count();
      t.lgkm_outstanding = c.lgkm.count();
      t.em = c.status == wf_status::idle || c.status == wf_status::ended ? 0 : c.state.scalar64(isa::exec_lo);
    }
  }
  memory_in_flight = static_cast<unsigned>(mif.in_flight());
}

}  // namespace pws::models
