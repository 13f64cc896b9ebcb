// The other unit: complete in itself, so that it can also be a program of its own.
#include <hip/hip_runtime.h>

#include <cstdint>

__device__ uint32_t shared_counter = 11;
__device__ __attribute__((noinline)) uint32_t helper(uint32_t x) { return x * 3 + blockDim.x; }
extern "C" __global__ void from_b(uint32_t* out) { out[threadIdx.x] = helper(threadIdx.x + 100) * 2; }
// SPDX-License-Identifier: Apache-2.0
