// SPDX-License-Identifier: Apache-2.0
// Runs many kernels one after the other on one machine, in a process of its own.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "platform/machine/device_runtime.h"
#include "platform/run/kernel_run.h"
#include "tests/splitting/split_program.h"

namespace pws::test {

struct batch_launch {
  std::string kernel;  // of the batch's program
  uint32_t work_items = 64, workgroup = 64;
  uint32_t mode = 0, value = 0, mul = 0x9e3779b1, add = 0;
};

// As the runtime is asked for it; `out`: where its results go.
platform::kernel_launch launch_of(const batch_launch& launch, const platform::device_runtime& runtime, uint64_t out);

struct batch_result {
  std::vector<uint32_t> memory;  // 8 dwords per work-item
  models::cycle_t cycles = 0;
  std::string error;  // of the machine
};

// Counts of the SpSIMD units' RTL, where it runs.
struct batch_cosim {
  uint64_t executed = 0, by_the_model = 0, compared = 0;  // instructions; results
};

struct batch_report {
  std::vector<batch_result> launches;  // as many as ran: the first error stops the machine
  models::divergence_statistics divergence;
  models::cu_statistics cu;
  batch_cosim cosim;
  std::string branches;  // machine.trace.branch_uniformity: of each kernel, in JSON, as a report has it
  std::string findings;  // of the machine's checks, as they are printed
  std::map<std::string, uint64_t> by_the_model;  // instructions that the RTL left to it, by name and reason
  std::string coverage;                          // of the RTL, if it is asked for (platform/machine/coverage_report.h)
};

// The program of an assembly text.
loader::program_image assemble(const std::string& text);

enum class rtl_coverage { not_counted, counted };

// Throws std::runtime_error if the child dies or takes longer than `seconds`.
batch_report run_batch(const models::machine_config& machine, const loader::program_image& program,
                       const std::vector<batch_launch>& launches, unsigned seconds = 300,
                       rtl_coverage coverage = rtl_coverage::not_counted);

}  // namespace pws::test
