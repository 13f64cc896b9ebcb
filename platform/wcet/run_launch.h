// SPDX-License-Identifier: Apache-2.0
// The launches of a run file as they lie in device memory: what a run, `pwsvp wcet` and the choice of splits by launch
// have in common.
#pragma once

#include <string>
#include <vector>

#include "platform/config/files/run_config.h"
#include "platform/machine/device_layout.h"
#include "platform/machine/device_runtime.h"
#include "platform/wcet/launch_analysis.h"

namespace pws::platform {

// A launch as the runtime is asked for it. `values`: of all arguments of the run, each as a kernel receives it, a
// buffer as its address. The program is loaded; `source` is its name for messages.
// `in`: its kernel is one of that program's, where several are loaded.
kernel_launch launch_of(const run_launch& l, const device_layout& layout,
                        const std::vector<std::vector<uint8_t>>& values, const std::string& source,
                        const loader::program_image* in = nullptr);

struct laid_out_run {
  std::vector<uint64_t> buffers;        // by argument: the address of one that is a buffer, else 0
  std::vector<kernel_launch> launches;  // by launch
};

// Makes room for the run's buffers and for all of its launches, so that nothing moves any more; contents are not
// written. The program is loaded. Throws input_error.
laid_out_run lay_out(const run_config& config, device_layout& layout, const loader::program_image* in = nullptr);

// Writes the buffers' contents for the `number`-th run, from 0: random ones are others each time.
void fill_buffers(const run_config& config, const std::vector<uint64_t>& buffers, uint32_t number,
                  device_runtime& runtime);

// A bound of the configuration's is to fit a loop of one launch at least. `misplaced`: of each launch what
// launch_analysis::misplaced_bounds gives. Throws input_error.
void require_places(const std::vector<std::vector<std::string>>& misplaced);

// Without a machine. That program, buffers and launches fit the device's memory; that each bound of `wcet.loops`
// belongs to a loop of the code. Throw input_error.
void check_device_memory(const run_config& config, const loader::program_image& program);
void check_stated_bounds(const run_config& config, const loader::program_image& program);

}  // namespace pws::platform
