// SPDX-License-Identifier: Apache-2.0
#include "models/compute_unit/compute_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "models/compute_unit/functional_engine.h"
#include "models/compute_unit/instruction_step.h"
#include "models/compute_unit/kept_workgroups.h"
#include "models/compute_unit/pipeline.h"
#include "models/compute_unit/warp_scheduler.h"
#include "models/context/wavefront.h"
#include "models/isa/host_fp.h"

namespace pws::models {

compute_unit::compute_unit(const sc_core::sc_module_name& name, const machine_config& c, uint32_t index,
                           const gpu_clock& clock, const isa::global_memory& memory, const scheme_factory& make_scheme,
                           const std::function<void()>& while_building)
    : sc_module(name),
      mif("mif", c.memory, clock, *this),
      memory_(isa::global_memory::view_of{memory}),
      parts_{c, index, clock, mif, lds_unit(c.lds), {}, {}, context_map(layout_of(c)), {}, {}, {}, {}, nullptr, {}},
      messages_(parts_, memory_, [this](const machine_fault& f) { listener_->fault(f); }),
      placement_(parts_, memory_),
      make_scheme_(make_scheme) {
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
  make_engines();
  // What is free for an SWF must not depend on how far ahead of the dispatcher the unit is.
  lockstep_ = parts_.scheme->traits().contexts == swf_contexts::wavefront_contexts;
}

compute_unit::~compute_unit() = default;

void compute_unit::make_engines() {
  parts_.scheme = make_scheme_(parts_.config, parts_.contexts);
  engine_host& host = *this;
  if (parts_.scheme->traits().forms_warps()) {
    auto engine = std::make_unique<warp_scheduler>(parts_, host);
    warps_ = engine.get();
    engine_ = std::move(engine);
  } else {
    engine_ = std::make_unique<pipeline>(parts_, host);
  }
  functional_ = std::make_unique<functional_engine>(parts_, host);
}

void compute_unit::reset() {
  turns_->disarm(number_);
  mif.forget();
  messages_.guard([this] {
    for (execution_unit* e : parts_.attached) e->reset(parts_.clock.now());
  });
  placement_.clear();
  std::fill(parts_.attention.begin(), parts_.attention.end(), never);
  parts_.executing = nullptr;
  make_engines();
  messages_.go_on();
}

void compute_unit::bind_caches(cache& vector, cache& scalar, cache& instruction) {
  parts_.caches = {&vector, &scalar, &instruction};
}

void compute_unit::attach(execution_observer& o) {
  observers_.add(o);
  parts_.observer = observers_.all();
  parts_.observers = observers_.of_instructions();
}

void compute_unit::detach(execution_observer& o) {
  observers_.remove(o);
  parts_.observer = observers_.all();
  parts_.observers = observers_.of_instructions();
}

void compute_unit::attach(simd_id simd, swf_number number, execution_unit& e) {
  e.bind(parts_.contexts);
  parts_.units[layout().unit(simd, number).value]->execution = &e;
  parts_.attached.push_back(&e);
}

uint64_t compute_unit::latest_time() const {
  return functional_->latest_time();
}

// ---- workgroups

void compute_unit::start(const workgroup& w, cycle_t at) {
  if (turns_ == nullptr) SC_REPORT_FATAL(name(), "nobody runs it: bind_turns() has not been called");
  // A workgroup that had to wait for room has waited.
  const bool good = messages_.guard([&] {
    resident_workgroup& g = placement_.place(w, latest_time());
    if (parts_.observer != nullptr) parts_.observer->workgroup_started(index(), g, at);
    const wf_context* const other = parts_.executing;
    for (wf_context* c : g.waves) {
      parts_.executing = c;
      c->become(wf_status::running);
      if (parts_.observer != nullptr) parts_.observer->wave_started(index(), *c, at);
      if (parts_.config.fidelity == fidelity::timing)
        engine_->start(*c, at);
      else
        functional_->start(*c);
    }
    parts_.executing = other;
  });
  if (good) wake(parts_.config.fidelity == fidelity::timing ? at : parts_.clock.now());
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
  if (parts_.beside != nullptr)
    ended_beside_.emplace_back(c.group, at);
  else
    listener_->workgroup_finished(*this, *c.group, at);
}

// ---- its turn

void compute_unit::run(cycle_t now) {
  if (stop_requested()) return;
  const isa::host_fp_scope host_fp(*parts_.host_csr);
  messages_.guard([this, now] {
    if (parts_.config.fidelity == fidelity::timing)
      run_ahead(now);
    else if (functional_->run())
      wake(now);
  });
}

// ---- beside other units

bool compute_unit::may_run_beside() const {
  const bool is_heard = parts_.observer != nullptr || parts_.observers.attention != nullptr || parts_.pause != nullptr;
  return parts_.config.fidelity == fidelity::functional && !is_heard && parts_.attached.empty() && memory_.is_of_host();
}

void compute_unit::run_beside(unit_threads& t, size_t n, cycle_t now) {
  const struct scope {
    cu_parts& parts;
    ~scope() { parts.beside = nullptr; }
  } within{parts_};
  parts_.beside = &t;
  parts_.job = n;
  run(now);
}

void compute_unit::ran_beside() {
  for (const auto& [group, at] : ended_beside_) listener_->workgroup_finished(*this, *group, at);
  ended_beside_.clear();
  stop_requested();
}

void compute_unit::run_ahead(cycle_t now) {
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
}

// Calls the timing engine, and wakes for what comes of that.
template <class F>
void compute_unit::engage(F call) {
  if (!messages_.guard(call)) return;
  if (const cycle_t next = engine_->next_event(); next != never) wake(next);
}

void compute_unit::completed(ticket t, cycle_t at) {
  if (!messages_.stopped()) engage([&] { engine_->completed(t, at); });
}

// How many others there are is in the first lane that is active.
void compute_unit::reached_grid_barrier(wf_context& c, const isa::inst& i, cycle_t at) {
  if (grid_barriers_ == nullptr) throw program_error("a barrier of the grid, where there is but this compute unit");
  const uint64_t lanes = c.state.active();
  const uint32_t others = c.state.vgpr[i.src[0].index].lane[lanes == 0 ? 0 : __builtin_ctzll(lanes)];
  const bool timed = parts_.config.fidelity == fidelity::timing;
  const cycle_t latency = timed ? std::max(parts_.config.memory.interconnect.latency, 1u) : 0;
  parts_.alone([&] { grid_barriers_->arrive(*this, c, others, at, latency); });
}

void compute_unit::grid_barrier_passed(wf_context& c, cycle_t at) {
  if (messages_.stopped()) return;
  if (parts_.config.fidelity == fidelity::functional) {
    c.state.time = at;
    c.become(wf_status::running);
    wake(parts_.clock.now());
    return;
  }
  engage([&] {
    const wf_context* const other = std::exchange(parts_.executing, &c);
    engine_->leave_barrier(c, at);
    parts_.executing = other;
  });
}

void compute_unit::message(const wf_context& c, const isa::inst& i) {
  bool served = false;
  if (is_host_interrupt(i)) parts_.alone([&] { served = listener_->interrupt_host(c.state.scalar[isa::m0]); });
  if (!served) refuse_message(i);
}

bool compute_unit::stop_requested() {
  if (parts_.beside != nullptr) return messages_.stopped() || listener_->stop_is_wanted();
  if (listener_->stop_requested()) messages_.stop();
  return messages_.stopped();
}

// ---- the state of a machine

void compute_unit::keep(state_archive& a, const std::vector<dispatch*>& launches) {
  a.section("compute unit");
  a(parts_.statistics, local_);
  mif.keep(a);
  parts_.lds.keep(a);
  for (const auto& u : parts_.units) u->keep(a);
  keep_workgroups(a, parts_, launches, placement_.memory());
  placement_.keep(a);
  parts_.scheme->keep(a);
  functional_->keep(a);
  engine_->keep(a);
}

void compute_unit::keep_workgroup(state_archive& a, resident_workgroup*& g) {
  const auto is_it = [&g](const auto& one) { return one.get() == g; };
  const auto& all = parts_.groups;
  uint64_t number = a.restores() ? 0 : static_cast<uint64_t>(std::find_if(all.begin(), all.end(), is_it) - all.begin());
  a.index(number, all.size());
  g = all[number].get();
  if (!g->live) throw bad_state("a workgroup that has ended is not there");
}

}  // namespace pws::models
