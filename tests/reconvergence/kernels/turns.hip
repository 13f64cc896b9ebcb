// Even and odd work-items work in other iterations, as often as each other; with -DTOGETHER they all come to a barrier in
// each iteration, and with -DALIKE they all work in the same.
#include <hip/hip_runtime.h>

#include <cstdint>

extern "C" __global__ void turns(uint32_t* data) {
  const uint32_t t = threadIdx.x;
  uint32_t x = t;
#pragma unroll 1
  for (uint32_t i = 0; i < 32; ++i) {
#ifdef ALIKE
    if (((data[t] + i) & 1) == 0) {
#else
    if (((t + i) & 1) == 0) {
#endif
#pragma unroll
      for (int k = 0; k < 20; ++k) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
      }
    }
#ifdef TOGETHER
    __syncthreads();
#endif
  }
  data[t] = x;
}
// SPDX-License-Identifier: Apache-2.0
