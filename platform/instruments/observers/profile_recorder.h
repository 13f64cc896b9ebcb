// SPDX-License-Identifier: Apache-2.0
// Counts what a machine does, by instruction (--profile).
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "models/compute_unit/execution_observer.h"
#include "platform/instruments/observers/profile.h"
#include "platform/machine/device_runtime.h"

namespace pws::platform {

class profile_recorder : public models::execution_observer {
 public:
  profile_recorder(const models::gpu& gpu, const device_runtime& runtime);

  // To be called after each launch, while its program is still loaded: gives what was counted its names.
  void launch_ended();
  // To be called before code is unloaded, so that what was not launched is known, too.
  void note_objects();
  // The profile of all launches so far. It has the code that is loaded now, and code that was loaded when a launch
  // ended or when it was noted.
  profile result();

  void wave_started(uint32_t cu, const models::wf_context& c, models::cycle_t at) override;
  void issuing(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override;
  void accessed(uint32_t cu, const models::wf_context& c, const isa::inst& i, const isa::memory_access& a,
                models::cycle_t at) override;
  void issued(uint32_t, const models::wf_context&, const isa::inst&, models::cycle_t) override {}
  void stalled(uint32_t cu, const models::wf_context& c, models::stall reason, models::cycle_t cycles) override;
  void wave_ended(uint32_t cu, const models::wf_context& c, models::cycle_t at) override;

 private:
  // The counters of a program in device memory, one per dword of its code.
  struct code_counters {
    uint64_t begin = 0;
    std::vector<profile_counters> by_dword;
  };
  struct context {
    const models::wf_context* of = nullptr;  // nullptr: no wavefront is in it
    profile_counters* latest = nullptr;      // of the instruction that it issued last
    models::cycle_t since = 0;               // the first cycle that no instruction has yet
  };
  // How many reads of a compute unit's vector L1 have been charged to instructions so far.
  struct l1_reads {
    uint64_t reads = 0, hits = 0;
    profile_counters* latest = nullptr;  // the vector memory instruction that it issued last
  };
  using place = std::tuple<object_name, uint64_t, std::string, std::string>;  // offset, symbol, instruction

  profile_counters& counters_of(const isa::program& code, uint64_t pc);
  context& context_of(uint32_t cu, const models::wf_context& c);
  profile_counters& waits_at(const models::wf_context& c, const context& own, bool behind);
  void count_unended();
  bool timed() const { return gpu_.config.fidelity == models::fidelity::timing; }
  void count_l1(uint32_t cu);
  void forget_l1();

  const models::gpu& gpu_;
  const device_runtime& runtime_;
  uint32_t contexts_per_unit_, units_;
  std::vector<context> contexts_;
  std::vector<l1_reads> l1_;
  std::unordered_map<const isa::program*, code_counters> code_;
  const isa::program* latest_program_ = nullptr;
  code_counters* latest_code_ = nullptr;
  std::map<place, profiled_instruction> result_;
  std::vector<profiled_object> objects_;
  uint64_t latest_loading_ = 0;  // that has been noted
};

}  // namespace pws::platform
