// SPDX-License-Identifier: Apache-2.0
// What the engines of a compute unit work on, and whom they tell.
#pragma once

#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/bus/gpu_clock.h"
#include "models/compute_unit/execution_observer.h"
#include "models/compute_unit/lds_unit.h"
#include "models/compute_unit/memory_interface.h"
#include "models/compute_unit/pause_point.h"
#include "models/compute_unit/simd_unit.h"
#include "models/compute_unit/statistics.h"
#include "models/compute_unit/unit_threads.h"
#include "models/context/context_map.h"
#include "models/divergence/divergence_scheme.h"
#include "models/divergence/split_isolation.h"
#include "models/isa/host_fp.h"

namespace pws::models {

class cache;

// That maintenance instructions drop. None with predictable memory: nothing is cached.
struct cache_set {
  cache *vector = nullptr, *scalar = nullptr, *instruction = nullptr;
};

// The parts of a compute unit.
struct cu_parts {
  const machine_config& config;
  uint32_t index = 0;  // of the compute unit
  const gpu_clock& clock;
  memory_interface& mif;
  lds_unit lds;
  std::vector<cycle_t> attention;                 // per unit: when the pipeline has to look at it again
  std::vector<std::unique_ptr<simd_unit>> units;  // in the order of unit_layout
  context_map contexts;                           // the same, for whoever asks for contexts alone
  std::unique_ptr<divergence_scheme> scheme;
  std::vector<std::unique_ptr<resident_workgroup>> groups;
  cu_statistics statistics;
  cache_set caches;
  execution_observer* observer = nullptr;   // whom to tell of everything; nullptr: nobody
  instruction_observers observers;          // and of instructions
  pause_point* pause = nullptr;             // that functional fidelity comes to; nullptr: none
  const wf_context* executing = nullptr;    // the context that an engine works on, for messages
  std::vector<execution_unit*> attached{};  // that execute in place of the model
  unit_threads* beside = nullptr;           // it runs on one of these, at the same time as other units
  size_t job = 0;                           // and its number there
  uint32_t own_csr = isa::host_fp::exceptions_masked;
  // What its thread's MXCSR holds, where its wavefronts look.
  uint32_t* host_csr = config.threads > 1 ? &own_csr : &isa::host_fp::current;
  const bool cuts_for_good = traits_of(config.divergence).forms_warps();
  // With check.sync and no stop at the first finding, what breaks isolation is a finding, and the run goes on.
  const bool checks_isolation = (models::checks_split_isolation(config) || cuts_for_good) &&
                                !(config.check.sync && config.check.stop == check_stop::all);

  void count_stall(const wf_context& c, stall reason, cycle_t cycles) {
    statistics.stalls[static_cast<size_t>(reason)] += cycles;
    if (observer != nullptr && cycles != 0) observer->stalled(index, c, reason, cycles);
  }
  // Does what touches more than this compute unit, and returns when it is done.
  template <class F>
  void alone(F work) const {
    if (beside == nullptr)
      work();
    else
      beside->alone(job, work);
  }
  simd_unit& unit_of(const wf_context& c) { return *units[c.unit.value]; }
  void check_isolation(const wf_context& c, const isa::inst& i) const {
    if (checks_isolation && (cuts_for_good || c.is_split())) refuse_broken_isolation(i, c, config);
  }
};

// The compute unit as its engines call it.
class engine_host {
 public:
  // An SWF's part in its workgroup begins, or ends; its context is freed by whoever schedules it.
  virtual void swf_started(wf_context& swf, cycle_t at) = 0;
  virtual void swf_left(wf_context& swf, cycle_t at) = 0;
  // All work-items of the launch wavefront in `root` have ended.
  virtual void wave_finished(wf_context& root, cycle_t at) = 0;
  // It waits at a barrier of its grid from `at` on (ds_gws_barrier). May let it go on within the call.
  virtual void reached_grid_barrier(wf_context& c, const isa::inst& i, cycle_t at) = 0;
  // s_sendmsg, s_trap, s_sethalt.
  virtual void message(const wf_context& c, const isa::inst& i) = 0;
  // The host wants the machine to stop.
  virtual bool stop_requested() = 0;

 protected:
  ~engine_host() = default;
};

}  // namespace pws::models
