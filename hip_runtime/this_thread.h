// SPDX-License-Identifier: Apache-2.0
// What the HIP runtime keeps for each thread of the program.
#pragma once

#include <hip/hip_runtime_api.h>

#include <cstdint>
#include <vector>

#include "hip_runtime/host_calls.h"

namespace pws::hip {

// A launch that is being put together: by <<<>>>, or by hipConfigureCall.
struct call_configuration {
  dim3 grid, block;
  size_t dynamic_lds = 0;
  hipStream_t stream = nullptr;
  std::vector<uint8_t> arguments;  // the older ABI
};

struct thread_state {
  hipError_t last_error = hipSuccess;
  int device = 0;                                                  // the current one
  std::vector<int> pushed;                                         // devices that were current before others
  hipStreamCaptureMode capture_mode = hipStreamCaptureModeGlobal;  // hipThreadExchangeStreamCaptureMode
  std::vector<call_configuration> configurations;                  // the innermost last
  host_call running;                                               // the call that it is in
};

// The calling thread's, made at its first call. It is there for whatever the thread does at its end: destructors of
// thread_local objects, and in the main thread those of global objects and all else that runs at the process's end.
thread_state& this_thread();

}  // namespace pws::hip
