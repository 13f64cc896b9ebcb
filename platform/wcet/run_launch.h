// A launch of a run file as the runtime is asked for it.
#pragma once

#include <vector>

#include "platform/run_file/run_config.h"
#include "platform/runtime/device_runtime.h"

namespace pws::platform {

// `values`: of all arguments of the run, each as a kernel receives it, a buffer as its address. The program is loaded.
launch_request request_of(const run_launch& l, const device_runtime& runtime,
                          const std::vector<std::vector<uint8_t>>& values);

}  // namespace pws::platform
