// SPDX-License-Identifier: Apache-2.0
// The program of a run, compiled as its configuration says.
#pragma once

#include <optional>
#include <string>

#include "platform/config/files/run_config.h"
#include "platform/run/program/launch_choice.h"
#include "sw/loader/program_image.h"

namespace pws::platform {

// What pwscc did in the run's kernels.
struct placed_splits {
  std::string choice;  // of program.split; empty: not asked for
  unsigned branches = 0, splits = 0, carried_masks = 0;
  std::optional<launch_choice> by_launch;  // program.split_by_launch (platform/wcet/choose_by_launch.h)
};

struct compiled_program {
  loader::program_image image;
  placed_splits placed;
};

// Whether the code object is to carry its assembly, with line tables and marks: only what pwscc makes does, so not
// OpenCL C, .S and programs that another compiler made.
enum class assembly_text { wanted, not_wanted };

// Throws input_error naming the key in the configuration: no such source, no compiler, its messages, no such kernel.
compiled_program compile_program(const run_config& config, assembly_text assembly);

}  // namespace pws::platform
