// SPDX-License-Identifier: Apache-2.0
// A kernel's arguments as HIP's launches give them. All throw failure (hipErrorInvalidValue) if some are missing.
#pragma once

#include <cstdint>
#include <vector>

#include "hip_runtime/modules.h"

namespace pws::hip {

// Copies of them, one per parameter: from kernelParams, or from the HIP_LAUNCH_PARAM_ list `extra`.
std::vector<std::vector<uint8_t>> arguments_of(const kernel_function& f, void** parameters, void** extra);
// The same from a block that is laid out as the kernel's arguments are.
std::vector<std::vector<uint8_t>> cut_arguments(const kernel_function& f, const uint8_t* block, size_t bytes);

}  // namespace pws::hip
