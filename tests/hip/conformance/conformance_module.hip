// kernels: modules.hip
// The module that modules.hip loads.
#include <hip/hip_runtime.h>

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
}
