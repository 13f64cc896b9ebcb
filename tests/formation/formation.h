// SPDX-License-Identifier: Apache-2.0
// What the kernels of this folder share.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdint>

// The compiler knows nothing of the value from here on: a loop over it is not replaced by a formula, and a side with it
// not by a select. An inline assembly, which clang skips where no work-item is active, so that there is a branch.
#define HIDE(value) asm volatile("" : "+v"(value))

inline __device__ uint32_t own_index() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
