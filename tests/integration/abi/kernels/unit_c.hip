// A unit with device data of its own under a name that unit_b.hip has too.
#include <hip/hip_runtime.h>

#include <cstdint>

static __device__ uint32_t shared_counter = 500;
extern "C" __global__ void from_c(uint32_t* out) {
  if (threadIdx.x == 0) shared_counter += 7;
  __syncthreads();
  out[threadIdx.x] = shared_counter + threadIdx.x;
}
// SPDX-License-Identifier: Apache-2.0
