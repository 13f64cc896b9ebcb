#include <hip/hip_runtime.h>

extern "C" __global__ void scale(float* data, float factor, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= factor;
}
// SPDX-License-Identifier: Apache-2.0
