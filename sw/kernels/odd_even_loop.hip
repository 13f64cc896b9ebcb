// A loop in which neighbours do the same work in different iterations: the dynamic warp formation paper's Fig. 7.
//
// Work-item t goes through the iterations i = t % 2 ... iterations - 1, and in each odd one mixes its value:
//   WORK times: x ^= x << 13, x ^= x >> 17, x ^= x << 5; then x + 1 is stored
// Even work-items work in their 2nd, 4th, ... iteration, odd ones in their 1st, 3rd, ...: side by side, one half always
// waits for the other. If the odd ones got ahead by one iteration, all would work together.
//
// Arguments: data        u32[n], input and output
//            iterations  uniform; 128 in the paper
//            n           elements
// Shapes:    1-D, any workgroup size, one work-item per element.
// Exercises: reconvergence beyond the immediate post-dominator.
// -DWORK=0 makes it the paper's `data[tid]++` and nothing else.
#include <hip/hip_runtime.h>

#include <cstdint>

#ifndef WORK
#define WORK 32
#endif

extern "C" __global__ void odd_even_loop(uint32_t* data, uint32_t iterations, uint32_t n) {
  const uint32_t t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
#pragma unroll 1
  for (uint32_t i = t % 2; i < iterations; ++i) {
    if (i % 2 != 0) {
      uint32_t x = data[t];
#pragma unroll
      for (int k = 0; k < WORK; ++k) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
      }
      data[t] = x + 1;
    }
  }
}
// SPDX-License-Identifier: Apache-2.0
