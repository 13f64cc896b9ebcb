// SPDX-License-Identifier: Apache-2.0
// The checks that a machine's configuration asks for (machine.check), attached to it for as long as this lives.
#pragma once

#include <memory>
#include <vector>

#include "platform/instruments/check/finding_log.h"
#include "platform/instruments/check/machine_check.h"
#include "platform/instruments/check/memory_check.h"
#include "platform/instruments/check/streams_check.h"

namespace pws::platform {

class machine_checks {
 public:
  // When nothing has been loaded or allocated yet but what the runtime itself needs: that counts as written.
  machine_checks(models::gpu& gpu, device_runtime& runtime, finding_log::listener hears = {});
  ~machine_checks();
  machine_checks(const machine_checks&) = delete;
  machine_checks& operator=(const machine_checks&) = delete;

  // To be called around each launch; by its number where several may be on the machine, else of the next one. False:
  // something was found, and no further launch is wanted (check.stop).
  void launch_begins(uint64_t launch = 0);
  bool launch_ended(bool completed, uint64_t launch = 0);

  // nullptr where they are off.
  memory_check* memory() { return memory_; }
  streams_check* streams() { return streams_; }

  check_results results() const;

 private:
  // Names launches for the log before anybody finds something in them.
  class launch_names : public models::execution_observer {
   public:
    explicit launch_names(finding_log& log) : log_(log) {}
    interests wants() const override { return {false, false, false}; }
    void workgroup_started(uint32_t cu, const models::resident_workgroup& g, models::cycle_t at) override;
    void wave_started(uint32_t, const models::wf_context&, models::cycle_t) override {}
    void issued(uint32_t, const models::wf_context&, const isa::inst&, models::cycle_t) override {}
    void wave_ended(uint32_t, const models::wf_context&, models::cycle_t) override {}

   private:
    finding_log& log_;
    uint64_t named_ = 0;
  };
  void add(check::family f, std::unique_ptr<machine_check> c);

  models::gpu& gpu_;
  device_runtime& runtime_;
  finding_log log_;
  launch_names names_{log_};
  std::vector<check::family> on_;
  std::vector<std::unique_ptr<machine_check>> checks_;
  memory_check* memory_ = nullptr;
  streams_check* streams_ = nullptr;
  uint64_t launches_ = 0;  // the last one's number
  uint64_t running_ = 0;
};

}  // namespace pws::platform
