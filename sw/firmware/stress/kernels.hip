// SPDX-License-Identifier: Apache-2.0
// Kernels of the stress test: one that is known to be good, and one without end.
#include <hip/hip_runtime.h>

#include <cstdint>

// c[i] = a[i] + b[i] for i below n, by way of LDS.
extern "C" __global__ void add(const int32_t* a, const int32_t* b, int32_t* c, uint32_t n) {
  __shared__ int32_t sum[64];
  const uint32_t i = blockIdx.x * 64 + threadIdx.x;
  sum[threadIdx.x & 63] = i < n ? a[i] + b[i] : 0;
  __syncthreads();
  if (i < n) c[i] = sum[threadIdx.x & 63];
}

// Until somebody else writes to *at, which nobody does.
extern "C" __global__ void endless(volatile int32_t* at) {
  while (*at == 0) {
  }
}
