#include "models/compute_unit/compute_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <cstring>

#include "base/error.h"
#include "models/compute_unit/functional_engine.h"
#include "models/compute_unit/pipeline.h"
#include "models/compute_unit/special_instructions.h"
#include "models/compute_unit/warp_scheduler.h"
#include "models/context/wavefront.h"
#include "models/isa/host_fp.h"
#include "models/machine/context_name.h"
#include "models/machine/fill_pattern.h"
#include "models/machine/occupancy.h"

namespace pws::models {

compute_unit::compute_unit(const sc_core::sc_module_name& name, const machine_config& c, uint32_t index,
                           const gpu_clock& clock, const isa::global_memory& memory, const scheme_factory& make_scheme,
                           const std::function<void()>& while_building)
    : sc_module(name),
      mif("mif", c.memory, clock, *this),
      parts_{c, index, clock, mif, lds_unit(c.lds), {}, {}, context_map(layout_of(c)), {}, {}, {}, {}, nullptr, {}},
      memory_(memory) {
  parts_.attention.assign(layout().count(), never);
  for (uint32_t u = 0; u < layout().count(); ++u) {
    if (while_building) while_building();
    const simd_unit::place where{unit_id(u), layout().simd_of(unit_id(u)), layout().number_of(unit_id(u))};
    const std::string simd = "simd" + std::to_string(where.simd.value);
    const std::string unit_name =
        where.number.is_simd_unit() ? simd : fmt::format("{}_spsimd{}", simd, where.number.value());
    parts_.units.push_back(std::make_unique<simd_unit>(unit_name.c_str(), c, where, parts_.attention[u]));
    parts_.contexts.add(*parts_.units.back());
  }
  parts_.scheme = make_scheme(c, parts_.contexts);
  engine_host& host = *this;
  if (parts_.scheme->traits().forms_warps()) {
    auto engine = std::make_unique<warp_scheduler>(parts_, host);
    warps_ = engine.get();
    engine_ = std::move(engine);
  } else {
    auto engine = std::make_unique<pipeline>(parts_, host);
    pipeline_ = engine.get();
    engine_ = std::move(engine);
  }
  functional_ = std::make_unique<functional_engine>(parts_, host);
  // What is free for an SWF must not depend on how far ahead of the dispatcher the unit is.
  lockstep_ = parts_.scheme->traits().contexts == swf_contexts::wavefront_contexts;
  SC_HAS_PROCESS(compute_unit);
  SC_METHOD(run);
  sensitive << wake_;
  dont_initialize();
}

compute_unit::~compute_unit() = default;

void compute_unit::bind_caches(cache& vector, cache& scalar, cache& instruction) {
  parts_.caches = {&vector, &scalar, &instruction};
}

void compute_unit::attach(execution_observer& o) {
  observers_.add(o);
  parts_.observer = observers_.all();
  parts_.tells = observers_.of_instructions();
}

void compute_unit::detach(execution_observer& o) {
  observers_.remove(o);
  parts_.observer = observers_.all();
  parts_.tells = observers_.of_instructions();
}

void compute_unit::attach(simd_id simd, swf_number number, execution_unit& e) {
  e.bind(parts_.contexts);
  pipeline_->attach(*parts_.units[layout().unit(simd, number).value], e);
}

uint64_t compute_unit::latest_time() const {
  return functional_->latest_time();
}

// ---- workgroups

bool compute_unit::fits(const workgroup& w) const {
  uint32_t capacity = 0;
  for (uint32_t k = 0; k < layout().simds; ++k) capacity += parts_.units[k]->capacity(*w.of);
  if (capacity < w.wavefronts()) return false;
  range_allocator trial = parts_.lds.allocator();
  return trial.allocate(w.of->lds_bytes).has_value();
}

resident_workgroup& compute_unit::free_group() {
  for (const auto& g : parts_.groups)
    if (!g->live) return *g;
  parts_.groups.push_back(std::make_unique<resident_workgroup>());
  return *parts_.groups.back();
}

void compute_unit::start(const workgroup& w, cycle_t at) {
  resident_workgroup& g = free_group();
  g.launch = w;
  g.live = true;
  g.running = g.at_barrier = 0;
  g.unfinished = w.wavefronts();
  g.waves.clear();
  g.swfs.clear();
  // No allocation at a split.
  g.swfs.reserve(size_t{w.wavefronts()} *
                 std::max(parts_.config.spsimd_per_simd, contexts_per_wavefront(parts_.config) - 1));
  g.lds_first = parts_.lds.allocator().allocate(w.of->lds_bytes).value();
  fill_lds(g);
  ++live_workgroups_;
  ++parts_.statistics.workgroups;
  parts_.statistics.wavefronts += g.unfinished;
  for (uint32_t wave = 0; wave < g.unfinished; ++wave) {
    // To the SIMD unit with the most free contexts: spreads a workgroup, and fills evenly.
    simd_unit* best = nullptr;
    for (uint32_t k = 0; k < layout().simds; ++k) {
      simd_unit& unit = *parts_.units[k];
      if (unit.capacity(*w.of) != 0 && (best == nullptr || unit.in_use() < best->in_use())) best = &unit;
    }
    wf_context* c = best == nullptr ? nullptr : best->allocate(*w.of);
    if (c == nullptr) SC_REPORT_FATAL(name(), "start() of a workgroup that does not fit");
    initialise(*c, g, wave);
    g.waves.push_back(c);
  }
  try {
    if (parts_.observer != nullptr) parts_.observer->workgroup_started(index(), g, at);
    for (wf_context* c : g.waves) {
      c->become(wf_status::running);
      if (parts_.observer != nullptr) parts_.observer->wave_started(index(), *c, at);
      if (parts_.config.fidelity == fidelity::timing)
        engine_->start(*c, at);
      else
        functional_->start(*c);
    }
  } catch (const program_error& e) {
    report(engine_->current(), e);
    return;
  }
  wake(parts_.config.fidelity == fidelity::timing ? at : parts_.clock.now());
}

void compute_unit::initialise(wf_context& c, resident_workgroup& g, uint32_t wave) {
  const dispatch& d = *g.launch.of;
  c.wave_in_group = wave;
  c.code = d.code;
  isa::vgpr_row* rows = c.state.vgpr;
  const uint32_t n_vgprs = c.state.n_vgprs, n_sgprs = c.state.n_sgprs;
  c.state = {};
  c.state.vgpr = rows;
  c.state.n_vgprs = n_vgprs;
  c.state.n_sgprs = n_sgprs;
  const fill_pattern contents(parts_.config.memory);
  const filled_storage vector_registers{filled_storage::kind::vector_registers, d.number(), g.launch.number(), wave};
  contents.fill(rows, uint64_t{n_vgprs} * isa::wave_size, vector_registers);
  c.state.memory = &memory_;
  if (parts_.config.fidelity == fidelity::functional)
    c.state.time = std::max(d.time, latest_time());  // a workgroup that had to wait for room has waited
  else
    c.state.clock_ahead = d.functional_time;
  // HW_REG_HW_ID: wave_id, simd_id, cu_id
  c.state.hw_id = (c.slot.value & 0xf) | (c.simd.value & 0xf) << 4 | index() << 8;
  isa::wave_launch launch = d.setup;
  launch.workgroup_id = g.launch.id;
  launch.wave_in_workgroup = wave;
  // Every context of the machine has its slice of scratch memory.
  const uint32_t slice = index() * contexts_of_cu(parts_.config) + c.simd.value * parts_.config.n_wfc + c.slot.value;
  launch.scratch_wave_offset = slice * d.setup.scratch_bytes_per_lane * isa::wave_size;
  launch.lds = parts_.lds.bytes(g.lds_first);
  launch.lds_bytes = d.lds_bytes;
  isa::initial_state(d.descriptor, launch, c.state);
  if (!contents.is_zero()) fill_undefined(c, g);
  begin_wavefront(parts_.contexts, c, g, c.state.scalar64(isa::exec_lo));
}

void compute_unit::fill_lds(const resident_workgroup& g) {
  const workgroup& w = g.launch;
  uint8_t* const lds = parts_.lds.bytes(g.lds_first);
  const filled_storage what{filled_storage::kind::lds, w.of->number(), w.number()};
  const fill_pattern contents(parts_.config.memory);
  constexpr uint32_t word = sizeof(uint32_t);
  const uint32_t words = w.of->lds_bytes / word, rest = w.of->lds_bytes % word;
  contents.fill(lds, words, what);
  const uint32_t last = contents.word(what, words);
  std::memcpy(lds + size_t{words} * word, &last, rest);
}

// Scalar registers that the kernel's start leaves as they are, SCC, and the wavefront's scratch. Zeros are there
// already, but in scratch: what earlier wavefronts left in it.
void compute_unit::fill_undefined(wf_context& c, const resident_workgroup& g) {
  isa::wave_state& s = c.state;
  const fill_pattern contents(parts_.config.memory);
  filled_storage what{filled_storage::kind::scalar_registers, g.launch.of->number(), g.launch.number(),
                      c.wave_in_group};
  const std::bitset<isa::scalar_count> defined = isa::defined_at_start(g.launch.of->descriptor);
  for (unsigned n = 0; n < isa::scalar_count; ++n) {
    const bool allocated = n < s.n_sgprs || n == isa::m0 || (n >= isa::flat_scratch_lo && n < isa::tba_lo);
    if (allocated && !defined[n]) s.scalar[n] = contents.word(what, n);
  }
  s.scc = (contents.word(what, isa::scalar_count) & 1) != 0;
  if (s.scratch_bytes_per_lane == 0) return;
  what.what = filled_storage::kind::scratch;
  const uint32_t bytes = s.scratch_bytes_per_lane * isa::wave_size;
  contents.fill(s.memory->private_at(s.scratch_base, bytes, true, program_error::no_lane), bytes / sizeof(uint32_t),
                what);
}

void compute_unit::swf_started(wf_context& swf, cycle_t at) {
  swf.tree.began_at = at;
  run_swf(swf);
  if (parts_.observer != nullptr) parts_.observer->wave_started(index(), swf, at);
}

void compute_unit::swf_left(wf_context& swf, cycle_t at) {
  if (parts_.observer != nullptr) parts_.observer->wave_ended(index(), swf, at);
  unit(swf).swf_occupancy += at - swf.tree.began_at;
  stop_swf(swf);
}

void compute_unit::wave_finished(wf_context& c, cycle_t at) {
  if (parts_.observer != nullptr) parts_.observer->wave_ended(index(), c, at);
  if (--c.group->unfinished != 0) return;
  if (parts_.observer != nullptr) parts_.observer->workgroup_ended(index(), *c.group, at);
  listener_->workgroup_finished(*this, *c.group, at);
}

void compute_unit::retire(resident_workgroup& g) {
  for (wf_context* c : g.waves) unit(*c).release(*c);
  parts_.lds.allocator().release(g.lds_first, g.launch.of->lds_bytes);
  g.live = false;
  --live_workgroups_;
}

// ---- the process

void compute_unit::wake(cycle_t at) {
  if (at >= armed_) return;
  armed_ = at;
  const cycle_t now = parts_.clock.now();
  wake_.notify(at <= now ? sc_core::SC_ZERO_TIME : parts_.clock.time_of(at) - sc_core::sc_time_stamp());
}

void compute_unit::run() {
  if (stopped_ || stop_requested()) return;
  armed_ = never;
  const cycle_t now = parts_.clock.now();
  const isa::host_fp_scope host_fp;
  const witness_scope witness(memory_, *this);
  try {
    if (parts_.config.fidelity == fidelity::functional) {
      if (functional_->run()) wake_.notify(sc_core::SC_ZERO_TIME);
      return;
    }
    // What is on its way here at this instant can arrive from now + latency on.
    const cycle_t ahead = std::max(parts_.config.memory.interconnect.latency, 1u) - 1;
    const cycle_t horizon = lockstep_ ? now : now + ahead;
    cycle_t next = engine_->next_event();
    for (; next <= horizon; next = engine_->next_event()) {
      if (next < now || next <= local_)
        SC_REPORT_FATAL(name(),
                        fmt::format("an event lies in the past: cycle {} at {}, {} done", next, now, local_).c_str());
      engine_->tick(next);
      local_ = next;
    }
    if (next != never) wake(next);
  } catch (const program_error& e) {
    report(executing(), e);
  }
}

void compute_unit::completed(ticket t, cycle_t at) {
  if (stopped_) return;
  const witness_scope witness(memory_, *this);
  try {
    engine_->completed(t, at);
  } catch (const program_error& e) {
    return report(engine_->current(), e);
  }
  if (const cycle_t next = engine_->next_event(); next != never) wake(next);
}

// How many others there are is in the first lane that is active.
void compute_unit::reached_grid_barrier(wf_context& c, const isa::inst& i, cycle_t at) {
  if (grid_barriers_ == nullptr) throw program_error("a barrier of the grid, where there is but this compute unit");
  const uint64_t lanes = c.state.active();
  const uint32_t others = c.state.vgpr[i.src[0].index].lane[lanes == 0 ? 0 : __builtin_ctzll(lanes)];
  const bool timed = parts_.config.fidelity == fidelity::timing;
  grid_barriers_->arrive(*this, c, others, at, timed ? std::max(parts_.config.memory.interconnect.latency, 1u) : 0);
}

void compute_unit::grid_barrier_passed(wf_context& c, cycle_t at) {
  if (stopped_) return;
  if (parts_.config.fidelity == fidelity::functional) {
    c.state.time = at;
    c.become(wf_status::running);
    wake_.notify(sc_core::SC_ZERO_TIME);
    return;
  }
  try {
    engine_->leave_barrier(c, at);
  } catch (const program_error& e) {
    return report(&c, e);
  }
  if (const cycle_t next = engine_->next_event(); next != never) wake(next);
}

void compute_unit::message(const wf_context& c, const isa::inst& i) {
  if (is_host_interrupt(i) && listener_->interrupt_host(c.state.scalar[isa::m0])) return;
  refuse_message(i);
}

bool compute_unit::stop_requested() {
  if (listener_->stop_requested()) stopped_ = true;
  return stopped_;
}

// ---- messages

std::string compute_unit::where(const wf_context& c) const {
  const workgroup& w = c.group->launch;
  return fmt::format("kernel {}, workgroup ({},{},{}), wavefront {} (cu{}.{})", w.of->kernel, w.id[0], w.id[1], w.id[2],
                     c.wave_in_group, index(), place_of(c));
}

std::string compute_unit::instruction_text(const wf_context& c, uint64_t pc, const isa::inst* i) const {
  // A function that the kernel calls may lie in front of it.
  const uint64_t entry = c.group->launch.of->setup.entry;
  std::string text =
      fmt::format("pc {:#x} (kernel entry {} {:#x})", pc, pc < entry ? '-' : '+', pc < entry ? entry - pc : pc - entry);
  if (i != nullptr) text += ": " + isa::disassemble(*i);
  return text + source_text(pc);
}

std::string compute_unit::source_text(uint64_t pc) const {
  const std::string line = source_lines_ ? source_lines_(pc) : "";
  return line.empty() ? "" : " (" + line + ")";
}

const wf_context* compute_unit::executing() const {
  return parts_.config.fidelity == fidelity::functional ? functional_->current() : engine_->current();
}

namespace {
// An instruction that was being executed has moved the PC on; one that could not be decoded has not: nullptr.
const isa::inst* being_executed(const wf_context& c) {
  return c.front.next != nullptr && c.state.pc != c.front.next->pc ? c.front.next : nullptr;
}
}  // namespace

std::string compute_unit::place_text(const wf_context& c) const {
  const isa::inst* const i = being_executed(c);
  return where(c) + ", " + instruction_text(c, i != nullptr ? i->pc : c.state.pc, i);
}

void compute_unit::forgave(uint64_t address, uint32_t bytes, bool is_write, int lane) {
  const wf_context* c = executing();
  if (forgiven_ == nullptr || c == nullptr || !forgiven_->places.insert(c->state.pc).second) return;
  const std::string of_lane = lane == program_error::no_lane ? "" : fmt::format(", lane {}", lane);
  forgiven_->say(fmt::format("{}{}: {} (forgiven, as hardware maps whole pages: machine.memory.faults)", place_text(*c),
                             of_lane, memory_.describe_fault(address, bytes, is_write)));
}

void compute_unit::report(const wf_context* c, const std::exception& error) {
  stopped_ = true;
  std::string text = error.what();
  if (c != nullptr && dynamic_cast<const reported_error*>(&error) == nullptr) {
    const auto* e = dynamic_cast<const program_error*>(&error);
    text = place_text(*c);
    if (e != nullptr && e->lane() != program_error::no_lane) text += fmt::format(", lane {}", e->lane());
    if (e != nullptr && parts_.observer != nullptr) parts_.observer->faulted(index(), *c, being_executed(*c), *e);
    text += fmt::format(": {}", error.what());
  }
  listener_->fault(text, c == nullptr ? 0 : c->group->launch.of->number());
}

std::string compute_unit::place_of(const wf_context& c) const {
  return context_name(parts_.config, c.unit, c.slot);
}

}  // namespace pws::models
