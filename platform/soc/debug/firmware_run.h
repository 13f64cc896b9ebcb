// SPDX-License-Identifier: Apache-2.0
// Firmware run with a debugger of somebody else's at its GPU.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "platform/config/files/soc_config.h"
#include "platform/debug/debugger.h"
#include "platform/soc/soc_run.h"

namespace pws::platform {

// Runs it as `pwsvp soc` does, without files and input. The debugger watches the GPU for as long as that takes, and may
// give the run up. `kernels`: as gpu_debugger's. Throws input_error for bad input, and where the system has not one
// GPU.
soc_result run_watched_firmware(const soc_config& config, const std::string& firmware,
                                const std::vector<std::string>& kernels, debug::debugger& core,
                                const std::function<void(char)>& send);

}  // namespace pws::platform
