// SPDX-License-Identifier: Apache-2.0
// Which of the machine's devices a program has, and as what it counts them: as the environment says.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pws::hip {

// 16 bytes, "GPU-..."; of device 0 "GPU-gfx803-model".
std::string uuid_of(uint32_t device);

// The numbers of `count` devices that ROCR_VISIBLE_DEVICES leaves, in its order, and of those, counted anew, the ones
// that HIP_VISIBLE_DEVICES, or else CUDA_VISIBLE_DEVICES, leaves. Each is a list of numbers, or of the first also
// UUIDs, with commas between; what is not there, or there twice, ends it, and an empty one says nothing.
std::vector<uint32_t> visible_devices(uint32_t count);

}  // namespace pws::hip
