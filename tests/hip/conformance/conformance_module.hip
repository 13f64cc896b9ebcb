// kernels: modules.hip
// The module that modules.hip loads.
#include <hip/hip_runtime.h>

texture<float, hipTextureType2D, hipReadModeElementType> module_texture;

extern "C" {
__device__ int offset = 1;
__global__ void add_one(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += offset;
}
__global__ void reverse(int* data) {
  __shared__ int all[256];
  all[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = all[blockDim.x - 1 - threadIdx.x];
}
__global__ void reverse_dynamic(int* data) {
  extern __shared__ int any[];
  any[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = any[blockDim.x - 1 - threadIdx.x];
}
__global__ void sample_module_texture(float* to) {
  to[threadIdx.x] = tex2D(module_texture, threadIdx.x % 8 + 0.5f, threadIdx.x / 8 + 0.5f);
}
}
// SPDX-License-Identifier: Apache-2.0
