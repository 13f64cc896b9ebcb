// SPDX-License-Identifier: Apache-2.0
// A compute unit: SIMD and SpSIMD units, LDS, the pipeline that drives them and the memory interface. Runs whole
// workgroups.
//
// The unit runs at its next event, when it is its turn (event_sequencer.h). Then it may go ahead of SystemC time by the
// interconnect's one-way latency: nothing outside can affect it sooner, because requests and responses, and the
// dispatcher's orders, all travel at least that long. Running ahead saves SystemC events and changes no cycle; with a
// waveform open it is switched off.
#pragma once

#include <functional>
#include <memory>
#include <systemc>
#include <utility>
#include <vector>

#include "base/state_archive.h"
#include "models/compute_unit/cu_messages.h"
#include "models/compute_unit/grid_barriers.h"
#include "models/compute_unit/machine_fault.h"
#include "models/compute_unit/workgroup_placement.h"
#include "models/memory/event_sequencer.h"

namespace pws::models {

class cache;
class compute_unit;
class timing_engine;
class warp_scheduler;
class functional_engine;
class execution_unit;

// The dispatcher's side of a CU.
class workgroup_listener {
 public:
  virtual ~workgroup_listener() = default;
  // All wavefronts of a workgroup have ended and their memory operations are complete at `at` (possibly still ahead).
  // Its resources stay taken until the listener calls retire(), at that cycle.
  virtual void workgroup_finished(compute_unit& cu, resident_workgroup& group, cycle_t at) = 0;
  // A wavefront interrupts the host, which serves it at once. False if the host does not listen.
  virtual bool interrupt_host(uint32_t event) = 0;
  // The program did something that stops the machine.
  virtual void fault(const machine_fault& f) = 0;
  // The host wants the machine to stop; asked now and then, and the listener knows then.
  virtual bool stop_requested() { return false; }
  // The same, and the listener need not know; by any thread.
  virtual bool stop_is_wanted() const { return false; }
};

// Makes the divergence scheme of a compute unit.
using scheme_factory = std::function<std::unique_ptr<divergence_scheme>(const machine_config&, context_map&)>;

class compute_unit : public sc_core::sc_module,
                     private memory_client,
                     private grid_barriers::participant,
                     private timed_component,
                     private engine_host {
 public:
  // `while_building`, if there is one, is called before each SIMD and SpSIMD unit is made: what it throws ends that.
  compute_unit(const sc_core::sc_module_name& name, const machine_config& c, uint32_t index, const gpu_clock& clock,
               const isa::global_memory& memory, const scheme_factory& make_scheme = make_divergence_scheme,
               const std::function<void()>& while_building = {});
  ~compute_unit() override;

  memory_interface mif;

  // Who hears of finished workgroups and faults: the dispatcher.
  void bind_listener(workgroup_listener& l) { listener_ = &l; }
  // Caches that maintenance instructions (buffer_wbinvl1, s_dcache_inv, s_icache_inv) drop; owned by the platform. None
  // with predictable memory: nothing is cached.
  void bind_caches(cache& vector, cache& scalar, cache& instruction);

  // Who runs it; before it is started. Must outlive it.
  void bind_turns(event_sequencer& t) {
    turns_ = &t;
    number_ = t.add(*this);
  }
  // Where its wavefronts meet those of other units; shared by all. Must outlive them.
  void bind_grid_barriers(grid_barriers& b) { grid_barriers_ = &b; }

  // ---- At the same time as other units (functional fidelity)
  // Nobody listens to it, and all that its wavefronts access is memory of the host.
  bool may_run_beside() const;
  // In place of its turn, as job `n` of `t`.
  void run_beside(unit_threads& t, size_t n, cycle_t now);
  // All have run: the listener hears of what it has not heard.
  void ran_beside();

  // True if all wavefronts of the workgroup, its LDS and registers fit now.
  bool fits(const workgroup& w) const { return placement_.fits(w); }
  // Takes a workgroup that fits; its wavefronts begin to fetch at `at`.
  void start(const workgroup& w, cycle_t at);
  // Frees what a finished workgroup held.
  void retire(resident_workgroup& group) { placement_.retire(group); }

  // Exact cycle-by-cycle SystemC time (for sc_trace) instead of running ahead.
  void set_lockstep() { lockstep_ = true; }
  // Several may listen, in the order in which they were attached. While the CU runs, only the last one, when told.
  void attach(execution_observer& o);
  void detach(execution_observer& o);  // as attach()
  // Gives SpSIMD unit `number` of a SIMD unit to another description of it; before the first wavefront.
  void attach(simd_id simd, swf_number number, execution_unit& e);
  // Functional fidelity: the latest s_memtime of a wavefront that has ended. Later dispatches go on from there.
  uint64_t latest_time() const;
  bool idle() const { return placement_.live() == 0; }
  // Forgets all workgroups. What its wavefronts have asked of memory goes on, and nobody hears of it.
  void reset();
  // Nothing that it has asked of memory is under way.
  bool quiet() const { return mif.in_flight() == 0; }
  uint32_t index() const { return parts_.index; }

  // ---- The state of a machine (docs/checkpoints.md)
  // Functional fidelity comes to this place; nullptr: to none.
  void pause_at(pause_point* p) { parts_.pause = p; }
  // `launches`: those in service. In timing fidelity while it is idle and quiet.
  void keep(state_archive& a, const std::vector<dispatch*>& launches);
  // One of its workgroups, by its place.
  void keep_workgroup(state_archive& a, resident_workgroup*& g);

  // What there is to see.
  cu_messages& messages() { return messages_; }
  const cu_messages& messages() const { return messages_; }
  const cu_statistics& statistics() const { return parts_.statistics; }
  const divergence_scheme& scheme() const { return *parts_.scheme; }
  const lds_unit& lds() const { return parts_.lds; }
  const context_map& contexts() const { return parts_.contexts; }
  const unit_layout& layout() const { return parts_.contexts.layout(); }
  const simd_unit& unit(unit_id u) const { return *parts_.units[u.value]; }  // SIMD and SpSIMD units
  const warp_scheduler* warps() const { return warps_; }  // nullptr: wavefronts issue, or there is no timing

 private:
  simd_unit& unit(const wf_context& c) { return parts_.unit_of(c); }
  void run(cycle_t now) override;
  void run_ahead(cycle_t now);  // timing fidelity
  void make_engines();
  template <class F>
  void engage(F call);
  void wake(cycle_t at) { turns_->arm(number_, at); }
  void completed(ticket t, cycle_t at) override;
  void swf_started(wf_context& swf, cycle_t at) override;
  void swf_left(wf_context& swf, cycle_t at) override;
  void wave_finished(wf_context& context, cycle_t at) override;
  void reached_grid_barrier(wf_context& c, const isa::inst& i, cycle_t at) override;
  void grid_barrier_passed(wf_context& c, cycle_t at) override;
  void message(const wf_context& c, const isa::inst& i) override;
  bool stop_requested() override;

  const isa::global_memory memory_;  // its own view
  cu_parts parts_;
  cu_messages messages_;
  workgroup_placement placement_;
  workgroup_listener* listener_ = nullptr;
  grid_barriers* grid_barriers_ = nullptr;
  std::unique_ptr<timing_engine> engine_;
  warp_scheduler* warps_ = nullptr;  // the engine, where warps are formed
  std::unique_ptr<functional_engine> functional_;
  observer_group observers_;
  const scheme_factory make_scheme_;
  bool lockstep_;
  event_sequencer* turns_ = nullptr;
  size_t number_ = 0;                                                  // there
  std::vector<std::pair<resident_workgroup*, cycle_t>> ended_beside_;  // that the listener has not heard of
  cycle_t local_ = 0;  // last cycle worked on; at most the interconnect's latency ahead of SystemC time
};

}  // namespace pws::models
