// Relies on LDS being zero when a workgroup begins, as no hardware promises.
#include <hip/hip_runtime.h>

extern "C" __global__ void zeroed_lds(unsigned* out) {
  __shared__ unsigned counts[64];
  atomicAdd(&counts[threadIdx.x], threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = counts[63 - threadIdx.x];
}
// SPDX-License-Identifier: Apache-2.0
