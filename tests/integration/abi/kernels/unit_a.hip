// One of two translation units: uses a function and a variable of the other.
#include <hip/hip_runtime.h>

#include <cstdint>

extern __device__ uint32_t helper(uint32_t x);
extern __device__ uint32_t shared_counter;
extern "C" __global__ void from_a(uint32_t* out) { out[threadIdx.x] = helper(threadIdx.x) + shared_counter; }
// SPDX-License-Identifier: Apache-2.0
