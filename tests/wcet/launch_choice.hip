// Kernels whose launches decide whether splits pay (launch_choice_test.cpp).
#include <hip/hip_runtime.h>
#include <pws.h>

// Nobody says how often the loop goes round.
extern "C" __global__ void endless(float* out, int n) {
  float x = out[threadIdx.x];
#pragma unroll 1
  for (int i = 0, end = n + static_cast<int>(x * 0); i < end; ++i) x = x * 0.5f + 1;
  out[threadIdx.x] = x;
}

#ifndef PAD
#define PAD 0
#endif

// Work-items of each workgroup below `n` go one way, the others another one, both as long. With 0 < n < 64 every
// wavefront of 64 takes both; else each takes one, and a split is only its price. The file's code ends with it, and is
// as long as PAD makes it.
extern "C" __global__ void halves(float* out, int n) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  float x = k;
  if (static_cast<int>(threadIdx.x) < n) {
#pragma unroll 1
    for (int i = 0; i < 100; ++i) {
      PWS_LOOP_BOUND(100);
      x = x * 0.5f + 1;
    }
  } else {
#pragma unroll 1
    for (int i = 0; i < 100; ++i) {
      PWS_LOOP_BOUND(100);
      x = x * 0.25f + 3;
    }
  }
  out[k] = x;
#pragma unroll
  for (int i = 0; i < PAD; ++i) asm volatile("s_nop 0");
}
// SPDX-License-Identifier: Apache-2.0
