// Kernels whose results depend on how a wavefront starts: ids, sizes, scratch through the buffer resource and through flat
// addresses. Names are the ones that abi_kernels_test.cpp launches.
#include <hip/hip_runtime.h>

extern "C" __global__ void abi_plain(float* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = a[i] * 2;
}

extern "C" __global__ void abi_ids(unsigned* out) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
                 z = blockIdx.z * blockDim.z + threadIdx.z;
  const unsigned width = gridDim.x * blockDim.x, height = gridDim.y * blockDim.y;
  out[(z * height + y) * width + x] = threadIdx.x | threadIdx.y << 8 | threadIdx.z << 16 | (blockIdx.x + 4 * blockIdx.y + 16 * blockIdx.z) << 24;
}

extern "C" __global__ void abi_scratch(int* out, int n) {
  int words[64];
  char bytes[37];
  short halves[29];
  for (int k = 0; k < 64; ++k) words[k] = k * n + threadIdx.x;
  for (int k = 0; k < 37; ++k) bytes[k] = static_cast<char>(k * 3 + threadIdx.x);
  for (int k = 0; k < 29; ++k) halves[k] = static_cast<short>(k * 5 - threadIdx.x);
  int sum = 0;
  for (int k = 0; k < n; ++k)
    sum += words[(k * threadIdx.x) & 63] + bytes[(k + threadIdx.x) % 37] * 7 + halves[(k * 3 + threadIdx.x) % 29];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__device__ __attribute__((noinline)) int dereference(const int* p, int k) { return p[k]; }
__device__ __attribute__((noinline)) void fill(int* p, int n, int v) {
  for (int k = 0; k < n; ++k) p[k] = v + k;
}

extern "C" __global__ void abi_flat(int* out, const int* in, int n) {
  int own[16];
  __shared__ int shared[64];
  fill(own, 16, threadIdx.x * 100);
  shared[threadIdx.x] = threadIdx.x * 1000;
  __syncthreads();
  const int which = threadIdx.x % 3;
  const int* p = which == 0 ? own : which == 1 ? in : shared;
  out[blockIdx.x * blockDim.x + threadIdx.x] = dereference(p, (threadIdx.x + n) & 15);
}

__device__ __attribute__((noinline)) int depth(int n, int* above) {
  int here[4] = {n, n + 1, n + 2, *above};
  if (n == 0) return here[3];
  return depth(n - 1, &here[n & 3]) + here[1];
}

extern "C" __global__ void abi_recursion(int* out, int n) {
  int start = threadIdx.x;
  out[threadIdx.x] = depth(n + (threadIdx.x & 3), &start);
}
