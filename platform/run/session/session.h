// SPDX-License-Identifier: Apache-2.0
// A machine with its runtime and what watches it: what `run`, `exec`, `wcet --observe` and `reconvergence` have in
// common. One at a time in SystemC's present simulation.
#pragma once

#include <optional>
#include <stdexcept>
#include <vector>

#include "base/output/output_files.h"
#include "platform/machine/hostcall.h"
#include "platform/machine/virtual_platform.h"
#include "platform/report/machine_counters.h"
#include "platform/run/session/instrument.h"

namespace pws::platform {

class session {
 public:
  // Builds and elaborates the machine. Throws input_error, and what `while_building` throws.
  session(const models::machine_config& machine, session_options options, const std::vector<instrument_maker>& makers,
          const building_listener& while_building = {});

  virtual_platform board;
  models::gpu& gpu = board.gpu;
  device_runtime& runtime() { return *runtime_; }
  const device_runtime& runtime() const { return *runtime_; }
  hostcall_server& host_calls() { return *host_calls_; }
  // One more, which hears of launches before the others; the session owns it.
  template <class T>
  T& add(std::unique_ptr<T> i) {
    T& added = *i;
    added.attach(*runtime_);
    instruments_.insert(instruments_.begin(), std::move(i));
    return added;
  }
  // The one of that class; there is one.
  template <class T>
  T& the() {
    for (const auto& i : instruments_)
      if (auto* const found = dynamic_cast<T*>(i.get())) return *found;
    throw std::logic_error("no such instrument");
  }

  // What a report says of a launch before it runs.
  launch_report announce(const kernel_launch& l, uint64_t number, models::fidelity fidelity) const;
  // Serves its kernel's host calls, and puts its arguments into device memory.
  void prepare(kernel_launch& l, uint32_t queue = 0);
  // To be called around a launch, which is prepared. launch_ended() false: no further one is wanted.
  void launch_begins(const kernel_launch& l, launch_report& r);
  bool launch_ended(const kernel_launch& l, launch_report& r);
  // All of it: runs a prepared launch to its end, alone, and puts into `r` how it ended and what the machine counted.
  bool run(const kernel_launch& l, launch_report& r);
  // The same for a launch that was under way when the machine was saved; `before`: what had been counted when it began.
  bool resume(const kernel_launch& l, launch_report& r, const machine_counters& before);

  // Code is about to be unloaded.
  void note_code();
  void report(findings& f);
  // Ends the files; once.
  void close(output_problems& problems);

 private:
  bool run(const kernel_launch& l, launch_report& r, const machine_counters& before, bool resumes);
  const session_options options_;
  std::optional<device_runtime> runtime_;
  std::optional<hostcall_server> host_calls_;
  std::vector<std::unique_ptr<instrument>> instruments_;
  std::optional<attached_observer> listening_;
  uint64_t traced_ = 0;  // launches that run
};

}  // namespace pws::platform
