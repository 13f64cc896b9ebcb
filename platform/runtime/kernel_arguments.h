// The kernarg segment: explicit arguments and the hidden ones that compiled HIP code expects behind them.
// (LLVM "User Guide for AMDGPU Backend", "Kernel Argument Metadata", code object v3 to v5)
#pragma once

#include <cstdint>
#include <vector>

#include "platform/runtime/device_runtime.h"

namespace pws::platform {

struct aperture_bases {
  uint32_t shared_hi = 0, private_hi = 0;
};

// Bytes of the segment for a checked request. Hidden arguments that nothing here serves (printf and hostcall buffers,
// device-side queues, the device heap) are null.
std::vector<uint8_t> lay_out_arguments(const loader::kernel_metadata& k, const launch_request& r, uint64_t queue_object,
                                       aperture_bases apertures);

}  // namespace pws::platform
