// kernels: module_load.hip
// Device code that module_load.hip loads at run time; not a program.
#include <hip/hip_runtime.h>

#include <cstdint>

struct polynomial {
  double c0, c1, c2;
};

__constant__ int bias = 11;
extern "C" {
__attribute__((managed)) int shared_with_host[3] = {20, 30, 40};
__global__ void add_to_shared(int n) {
  shared_with_host[threadIdx.x] += n;
}
__device__ int module_counter = 3;
__constant__ float module_weights[4] = {1, 2, 3, 4};

__global__ void scale(const float* in, float* out, float factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * factor + module_weights[i % 4];
}
__global__ void evaluate(uint8_t shift, polynomial p, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = (p.c0 + p.c1 * i + p.c2 * i * i) * (1 << shift);
}
__global__ void count(int* out) {
  extern __shared__ int words[];
  words[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = bias;
    for (unsigned i = 0; i < blockDim.x; ++i) sum += words[i];
    out[blockIdx.x] = sum;
    atomicAdd(&module_counter, 1);
  }
}
}
// SPDX-License-Identifier: Apache-2.0
