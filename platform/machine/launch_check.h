// SPDX-License-Identifier: Apache-2.0
// What can be said against a launch without a machine: that it does not fit its kernel, or that the machine cannot hold
// it.
#pragma once

#include <optional>
#include <string>

#include "models/machine/machine_config.h"
#include "platform/machine/kernel_launch.h"

namespace pws::platform {

// What does not fit the kernel.
struct launch_problem {
  // What it is about.
  enum class of { all_arguments, argument, workgroup } about;
  size_t argument = 0;  // its number
  std::string text;     // with the kernel's name
};

// What is wrong between launch and kernel.
std::optional<launch_problem> problem_with_kernel(const kernel_launch& launch);
// That no compute unit holds a workgroup. `machine`: as provisioned.
std::optional<launch_problem> problem_with_machine(const kernel_launch& launch, const models::machine_config& machine);

}  // namespace pws::platform
