// Work-items with a positive input find the square root of 2 by Newton's method, the others the cube root of -1.
#include <hip/hip_runtime.h>
#include <pws.h>

extern "C" __global__ void sides(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  PWS_SPLIT();
  if (x > 0) {
#pragma unroll 1
    for (int k = 0; k < 64; ++k) {
      PWS_LOOP_BOUND(64);
      x = 0.5f * (x + 2.0f / x);
    }
  } else {
#pragma unroll 1
    for (int k = 0; k < 64; ++k) {
      PWS_LOOP_BOUND(64);
      x = (2.0f * x - 1.0f / (x * x)) / 3.0f;
    }
  }
  out[i] = x;
}
// SPDX-License-Identifier: Apache-2.0
