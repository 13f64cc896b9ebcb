// SPDX-License-Identifier: Apache-2.0
// Launches of timing fidelity that are on the machine beside each other (machine.hardware_queues): run until one is
// complete, and what the log has of each.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <vector>

#include "hip_runtime/failure.h"
#include "platform/run/launches/launch_log.h"
#include "platform/run/session/session.h"

namespace pws::hip {

// What each launch has executed, whatever runs beside it.
class launch_shares : public models::execution_observer {
 public:
  explicit launch_shares(const models::machine_config& machine)
      : warps_issue_(models::traits_of(machine.divergence).forms_warps()) {}
  interests wants() const override { return {true, false, false}; }
  void workgroup_started(uint32_t cu, const models::resident_workgroup& g, models::cycle_t at) override;
  void issuing(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override;
  void wave_started(uint32_t, const models::wf_context&, models::cycle_t) override {}
  void issued(uint32_t, const models::wf_context&, const isa::inst&, models::cycle_t) override {}
  void wave_ended(uint32_t, const models::wf_context&, models::cycle_t) override {}

  // What was counted for that launch: workgroups, wavefronts, instructions and lanes. The launch is forgotten.
  machine_counters take(uint64_t launch);

 private:
  machine_counters& of(const models::workgroup& w);
  bool same_warp(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at);

  const bool warps_issue_;
  // The warp whose path was heard of last: a warp's are, one after the other.
  struct issued_warp {
    uint32_t cu = 0, simd = 0;
    uint64_t pc = 0;
    models::cycle_t at = models::never;
    bool operator==(const issued_warp& o) const { return cu == o.cu && simd == o.simd && pc == o.pc && at == o.at; }
  } warp_;
  std::map<uint64_t, machine_counters> shares_;  // by number of the launch
  uint64_t last_number_ = 0;
  machine_counters* last_ = nullptr;
};

class running_launches {
 public:
  running_launches(session& watched, launch_log& log);

  bool any() const { return !on_machine_.empty(); }
  bool has(uint32_t queue) const;
  // Hands one to the machine, prepared for that queue, which has none.
  void begin(kernel_launch launch, launch_record record, uint32_t queue);
  // Runs the machine until one is complete. The launches that are; if the machine has stopped, all that were on it.
  struct ended {
    uint32_t queue = 0;
    uint64_t number = 0;
    std::string error;       // empty: it is complete
    bool bystander = false;  // another one has stopped the machine
    bool goes_on = true;     // further launches are wanted
  };
  std::vector<ended> run_to_next_completion();
  // When the last one that is complete was so; cycles.
  models::cycle_t last_end() const { return last_end_; }

 private:
  struct on_machine {
    kernel_launch launch;
    launch_record record;
    uint32_t queue = 0;
  };
  void log_all();

  session& watched_;
  launch_log& log_;
  launch_shares shares_;
  std::optional<attached_observer> counting_;  // while there are launches
  std::vector<on_machine> on_machine_;
  std::vector<launch_record> ended_;  // since the machine was idle
  // Then:
  machine_counters before_;
  models::cycle_t began_ = 0;
  std::chrono::steady_clock::time_point host_began_;
  models::cycle_t last_end_ = 0;
};

}  // namespace pws::hip
