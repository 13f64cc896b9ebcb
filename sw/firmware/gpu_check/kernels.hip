// SPDX-License-Identifier: Apache-2.0
// Kernels that show whether a driver works.
#include <hip/hip_runtime.h>

#include <cstdint>

// c[i] = a[i] + b[i] for i below n.
extern "C" __global__ void add(const int32_t* a, const int32_t* b, int32_t* c, uint32_t n) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

// Sums of the workgroups' elements, by way of LDS: out[group].
extern "C" __global__ void sum(const int32_t* in, int32_t* out) {
  __shared__ int32_t part[64];
  const uint32_t i = threadIdx.x;
  part[i] = in[blockIdx.x * 64 + i];
  for (uint32_t step = 32; step > 0; step /= 2) {
    __syncthreads();
    if (i < step) part[i] += part[i + step];
  }
  if (i == 0) out[blockIdx.x] = part[0];
}

// Work-item 5 stores to an address that may be none.
extern "C" __global__ void store(int32_t* at) {
  if (threadIdx.x == 5) *at = 1;
}
