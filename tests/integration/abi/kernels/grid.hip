// What a work-item is told about its place.
#include <hip/hip_runtime.h>

#include <cstdint>

// 12 words per work-item, at the place that its own idea of the grid gives.
extern "C" __global__ void places(uint32_t* out) {
  const uint32_t x = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t y = blockIdx.y * blockDim.y + threadIdx.y;
  const uint32_t z = blockIdx.z * blockDim.z + threadIdx.z;
  const uint32_t width = gridDim.x * blockDim.x, height = gridDim.y * blockDim.y;
  uint32_t* const p = out + 12 * ((z * height + y) * width + x);
  p[0] = threadIdx.x, p[1] = threadIdx.y, p[2] = threadIdx.z;
  p[3] = blockIdx.x, p[4] = blockIdx.y, p[5] = blockIdx.z;
  p[6] = blockDim.x, p[7] = blockDim.y, p[8] = blockDim.z;
  p[9] = gridDim.x, p[10] = gridDim.y, p[11] = gridDim.z;
}

// Only one of three dimensions is used, so that the compiler leaves the other ids out.
extern "C" __global__ void only_z(uint32_t* out) { out[blockIdx.z * blockDim.z + threadIdx.z] = threadIdx.z + 1; }
extern "C" __global__ void only_group_y(uint32_t* out) {
  if (threadIdx.x == 0) out[blockIdx.y] = blockIdx.y + 1;
}
// SPDX-License-Identifier: Apache-2.0
