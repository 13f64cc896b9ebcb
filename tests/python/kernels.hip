// SPDX-License-Identifier: Apache-2.0
// Kernels with parameters of all kinds, with C++ linkage and with C.
#include <hip/hip_runtime.h>

struct pair {
  int first;
  float second;
};

__global__ void types(const float* from, double* to, short s, unsigned char b, long long l, bool flag, pair p,
                      int* out) {
  to[0] = from[0];
  out[0] = s;
  out[1] = b;
  out[2] = static_cast<int>(l >> 32);
  out[3] = flag;
  out[4] = p.first + static_cast<int>(p.second);
}

extern "C" __global__ void twice(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2;
}

extern "C" __global__ void sum(const int* a, const int* b, int* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] + b[i];
}

// Reads where nothing is: the machine stops.
extern "C" __global__ void wild(int* data) {
  data[threadIdx.x] = 7;
  data[threadIdx.x] += data[1ull << 40];
}

// As long as somebody wants it.
extern "C" __global__ void spin(int* data, unsigned long long rounds) {
  int x = data[0];
  for (unsigned long long k = 0; k < rounds; ++k) {
    x = x * 1664525 + 1013904223;
    asm volatile("" : "+v"(x));
  }
  data[threadIdx.x] = x;
}

extern "C" __global__ void nothing() {}

extern "C" __global__ __launch_bounds__(64) void small(int* data) { data[threadIdx.x] = 1; }
