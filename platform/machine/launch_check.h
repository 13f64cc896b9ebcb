// SPDX-License-Identifier: Apache-2.0
// What can be said against a launch without a machine: that it does not fit its kernel, or that the machine cannot hold
// it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "models/machine/machine_config.h"
#include "sw/loader/code_object.h"

namespace pws::platform {

// What is checked of a launch.
struct launch_shape {
  std::array<uint32_t, 3> workgroup{1, 1, 1};  // work-items
  uint32_t dynamic_lds = 0;                    // bytes
  std::vector<size_t> arguments;               // their sizes in bytes, buffers as pointers
};

// What does not fit the kernel.
struct launch_problem {
  // What it is about.
  enum class of { all_arguments, argument, workgroup } about;
  size_t argument = 0;  // its number
  std::string text;     // with the kernel's name
};

// What is wrong between launch and kernel.
std::optional<launch_problem> problem_with_kernel(const loader::kernel& kernel, const launch_shape& launch);
// That no compute unit holds a workgroup. `machine`: as provisioned.
std::optional<launch_problem> problem_with_machine(const loader::kernel& kernel, const launch_shape& launch,
                                                   const models::machine_config& machine);

}  // namespace pws::platform
