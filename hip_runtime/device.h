// SPDX-License-Identifier: Apache-2.0
// A GPU of the process: the machine with its runtime, and what belongs to it.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "base/output/output_files.h"
#include "hip_runtime/failure.h"
#include "hip_runtime/graph.h"
#include "hip_runtime/memory.h"
#include "hip_runtime/modules.h"
#include "hip_runtime/running_launches.h"
#include "platform/instruments/findings.h"
#include "platform/instruments/observers/profile.h"
#include "platform/run/launches/launch_log.h"
#include "platform/run/session/session.h"

namespace pws::hip {

// What is left of a machine that has been replaced.
struct device_past {
  models::cycle_t cycles = 0;
  uint64_t peak_bytes = 0;  // of memory
};
// What of the process a device is made in.
struct device_site {
  models::memory_place place;  // of its memory; the machine's number is in reports
  int number = 0;              // as the program counts devices
  launch_log& log;
  memory_list& memories;
  const unused_code& unused;  // that no machine has loaded
  building_listener while_building;
};

// Why the machine has no barriers of the grid, so that nothing is launched together; "" if it has.
std::string no_grid_barriers(const models::machine_config& m);

class device {
 public:
  // Builds and elaborates the machine, in SystemC's present simulation. Throws input_error, and what
  // site.while_building throws.
  device(const exec_config& config, const device_site& site, device_past past = {});

  session watched;
  models::gpu& gpu = watched.gpu;
  device_runtime* const runtime = &watched.runtime();
  std::unique_ptr<hip::memory> memory;

  // The next launch's number, and how it is to run: that function, on those compute units. Throws failure: it is none
  // that the machine can run.
  launch_record announce(kernel_launch& l, const kernel_function& f, const models::cu_mask& cus);
  // Runs it to its end, alone on the machine. Throws failure: it went wrong there, and failed() says so from then on.
  void run_alone(kernel_launch& l, launch_record record);
  bool failed() const { return failure_code_ != hipSuccess; }
  // hipErrorAssert, or hipErrorLaunchFailure for whatever else.
  hipError_t failure_code() const { return failure_code_; }
  // Throws failure (hipErrorNotSupported): it has failed, and what watches it cannot go on with another machine.
  void check_that_it_can_be_reset() const;
  // For the machine that comes after it.
  device_past past() const { return {cycles_, std::max(past_peak_, memory->peak_bytes())}; }

  // ---- With several hardware queues: launches of timing fidelity beside each other

  // More than one launch may be on the machine (machine.hardware_queues).
  bool has_several_queues() const { return beside_ != nullptr; }
  // Hands it to the machine, in an AQL queue that has none. Throws failure.
  void begin(kernel_launch l, launch_record record, uint32_t queue);
  // Some are on the machine.
  bool busy() const { return beside_ && beside_->any(); }
  bool has_launch(uint32_t queue) const { return beside_->has(queue); }
  // Runs the machine until one is complete; the queues of those that are. Throws failure: one went wrong, so none that
  // was there goes on, and failed() says so for ever.
  std::vector<uint32_t> run_to_next_completion();
  // The machine's clock, in cycles: now, and when a launch was complete last.
  models::cycle_t now() const {
    watched.board.make_current();
    return runtime->now() + gpu.dispatcher.functional_time();
  }
  // When all that is in front of something is complete, which was put into a stream at that time: what events record.
  models::cycle_t time_of_what_was_put(models::cycle_t put) const {
    return !has_several_queues() ? cycles_ : put == now() ? put : last_end_;
  }

  // What kernels have allocated is free again; the code that knows of it is not in the machine any more.
  void release_memory_of_device_code() { watched.host_calls().release_memory_of_device_code(); }

  // Workgroups that one compute unit holds at a time. 0: it does not fit an empty one.
  uint32_t workgroups_per_cu(const loader::kernel& k, uint64_t work_items, uint64_t dynamic_lds) const;
  // A file that decides what runs, for the report.
  void note_input(const std::string& file, const std::vector<uint8_t>& contents);
  // For coverage: what the machine has loaded, whether any of it was launched or not.
  void note_code();
  // Ends what watches the machine, and puts what has been found into the log. Only once.
  void finish(output_problems& problems);
  memory_use use_of_memory() const;
  machine_checks& checks() { return watched.the<check_findings>().on_machine(); }

 private:
  void check(const kernel_launch& l) const;
  void check_that_all_fit(const kernel_launch& l) const;
  uint64_t describe_grids(const kernel_launch& l);
  [[noreturn]] void fail(hipError_t code, const std::string& why);

  const exec_config& config_;
  launch_log& log_;
  const uint32_t machine_;                    // its number
  std::unique_ptr<running_launches> beside_;  // nullptr: one hardware queue
  uint64_t grids_ = 0;  // where the description of a launch over several devices is; 0: there has been none
  bool finished_ = false;
  models::cycle_t cycles_ = 0;
  models::cycle_t last_end_ = 0;
  const uint64_t past_peak_;
  hipError_t failure_code_ = hipSuccess;
};

}  // namespace pws::hip
