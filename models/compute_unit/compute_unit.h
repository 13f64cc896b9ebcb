// A compute unit: SIMD and SpSIMD units, LDS, the pipeline that drives them and the memory interface. Runs whole
// workgroups.
//
// The unit's process sleeps until its next event. When it runs it may go ahead of SystemC time by the interconnect's
// one-way latency: nothing outside can affect it sooner, because requests and responses, and the dispatcher's orders,
// all travel at least that long. Running ahead saves SystemC events and changes no cycle; with a waveform open it is
// switched off.
#pragma once

#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "models/bus/gpu_clock.h"
#include "models/compute_unit/execution_observer.h"
#include "models/compute_unit/lds_unit.h"
#include "models/compute_unit/memory_interface.h"
#include "models/compute_unit/simd_unit.h"
#include "models/compute_unit/statistics.h"
#include "models/context/context_map.h"
#include "models/divergence/split_isolation.h"
#include "models/isa/global_memory.h"

namespace pws::models {

class cache;
class compute_unit;
class divergence_scheme;
class pipeline;
class functional_engine;
class spsimd_executor;

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
  virtual void fault(const std::string& message) = 0;
};

class compute_unit : public sc_core::sc_module, private memory_client {
 public:
  compute_unit(const sc_core::sc_module_name& name, const machine_config& c, uint32_t index, const gpu_clock& clock,
               const isa::global_memory& memory);
  ~compute_unit() override;

  void bind_listener(workgroup_listener& l) { listener_ = &l; }
  // Caches that maintenance instructions (buffer_wbinvl1, s_dcache_inv, s_icache_inv) drop; owned by the platform. None
  // with predictable memory: nothing is cached.
  void bind_caches(cache& vector, cache& scalar, cache& instruction);

  // True if all wavefronts of the workgroup, its LDS and registers fit now.
  bool fits(const workgroup& w) const;
  // Takes a workgroup that fits; its wavefronts begin to fetch at `at`.
  void start(const workgroup& w, cycle_t at);
  // Frees what a finished workgroup held.
  void retire(resident_workgroup& group);

  // Exact cycle-by-cycle SystemC time (for sc_trace) instead of running ahead.
  void set_lockstep() { lockstep_ = true; }
  // Several may listen; each hears everything, in the order in which they were attached. Not while the CU runs.
  void attach(execution_observer& o);
  void detach(execution_observer& o);
  // Gives SpSIMD unit `number` of a SIMD unit to another description of it; before the first wavefront.
  void attach(uint32_t simd, swf_number number, spsimd_executor& e);
  // Functional fidelity: the latest s_memtime of a wavefront that has ended. Later dispatches go on from there.
  uint64_t latest_time() const { return latest_time_; }
  bool idle() const { return live_workgroups_ == 0; }
  uint32_t index() const { return index_; }
  const cu_statistics& statistics() const { return statistics_; }

  const divergence_scheme& scheme() const { return *scheme_; }

  memory_interface mif;
  // The SIMD units, then the SpSIMD units of the first, of the second, ...
  std::vector<std::unique_ptr<simd_unit>> units;
  std::vector<cycle_t> attention;  // per unit: when the pipeline has to look at it again
  // The same, for whoever asks for contexts alone.
  context_map contexts;
  lds_unit lds;
  // For the waveform: VALU and SALU of each unit busy at the current cycle.
  void update_trace(cycle_t now);
  struct simd_trace {
    bool valu_busy = false, salu_busy = false;
    unsigned contexts = 0;
  };
  std::vector<simd_trace> unit_traces;
  unsigned memory_in_flight = 0;

  // "simd1.wf3", "simd1.spsimd2.swf3": as the waveform names it.
  std::string place_of(const wf_context& c) const;
  // "kernel k, workgroup (1,0,0), wavefront 2 (cu0.simd1.wf3)"
  std::string where(const wf_context& c) const;
  // One line per wavefront that has not ended: where it is and what it waits for.
  std::string describe_waves() const;

 private:
  friend class pipeline;
  friend class functional_engine;

  void tell_observers();
  void run();
  void wake(cycle_t at);
  void fetch_completed(wf_context& context, cycle_t at) override;
  void operation_completed(wf_context& context) override;
  void wave_finished(wf_context& context, cycle_t at);
  void report(const wf_context* context, const std::exception& error);
  void initialise(wf_context& context, resident_workgroup& group, uint32_t wave);
  resident_workgroup& free_group();
  void check_isolation(const wf_context& c, const isa::inst& i) const {
    if (config_.check.split_isolation && c.tree.root->tree.live > 1) refuse_broken_isolation(i, c.state);
  }
  // s_sendmsg, s_trap, s_sethalt.
  void message(const wf_context& c, const isa::inst& i);
  // An SWF's part in its workgroup.
  void swf_started(wf_context& swf, cycle_t at);
  void swf_left(wf_context& swf, cycle_t at);

  const machine_config& config_;
  const uint32_t index_;
  const gpu_clock& clock_;
  const isa::global_memory& memory_;
  workgroup_listener* listener_ = nullptr;
  std::unique_ptr<divergence_scheme> scheme_;
  std::vector<std::unique_ptr<resident_workgroup>> groups_;
  uint32_t live_workgroups_ = 0;
  uint64_t latest_time_ = 0;
  cu_statistics statistics_;
  std::unique_ptr<pipeline> pipeline_;
  std::unique_ptr<functional_engine> functional_;
  observer_group observers_;
  bool lockstep_;
  bool stopped_ = false;  // after a fault
  sc_core::sc_event wake_;
  cycle_t armed_ = never;
  cycle_t local_ = 0;  // last cycle worked on; at most the interconnect's latency ahead of SystemC time
};

}  // namespace pws::models
