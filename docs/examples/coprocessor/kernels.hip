// SPDX-License-Identifier: Apache-2.0
#include <hip/hip_runtime.h>

extern "C" __global__ void scale(unsigned* data, unsigned factor, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= factor;
}

extern "C" __global__ void add(unsigned* data, unsigned term, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += term;
}
