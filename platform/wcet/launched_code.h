// SPDX-License-Identifier: Apache-2.0
// A launch's code, as it was loaded.
#pragma once

#include <memory>
#include <string>

#include "platform/wcet/launch_analysis.h"
#include "platform/wcet/source_lines.h"
#include "sw/cfg/inlined_calls.h"

namespace pws::platform {

struct launched_code {
  std::shared_ptr<const source_lines> lines;
  cfg::function_code own;     // the kernel's
  cfg::inlined_code inlined;  // with a copy of each function for each call
};

// Throws input_error for code that is no kernel's, and for calls whose target is not known.
launched_code read_code(const device_layout& layout, const kernel_launch& launch);

}  // namespace pws::platform
