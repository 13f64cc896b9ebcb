// What is wrong here is marked, so that source_lines_test.py finds the line: in either side of a branch that can be
// split, in a function that is inlined, and behind a loop.
#include <hip/hip_runtime.h>

__device__ static inline void put(int* at, int value) {
  *at = value;  // inlined
}

__global__ void sides(int* a, int* b, float* c) {
  const int i = threadIdx.x;
  int s = a[i];
  if (s > 31) {
#pragma unroll 1
    for (int k = 0; k < a[0] + 5; ++k) s += a[k] * k;
    b[i & 1] = s;  // one side
  } else {
#pragma unroll 1
    for (int k = 0; k < a[0] + 7; ++k) s ^= a[k] << (k & 3);
    c[i & 3] = static_cast<float>(s);  // the other side
  }
  put(b + 2 + (i & 1), i);  // call
}

__global__ void wild(int* a) {
  const int i = threadIdx.x;
  if (a[i] > 60) {
    a[i << 28] = 7;  // wild
  } else {
    a[i] = 3;
  }
}

int main(int argc, char**) {
  int *a, *b, host[64];
  for (int i = 0; i < 64; ++i) host[i] = i;
  bool right = hipMalloc(&a, sizeof host) == hipSuccess && hipMalloc(&b, sizeof host) == hipSuccess &&
               hipMemcpy(a, host, sizeof host, hipMemcpyHostToDevice) == hipSuccess;
  if (argc > 1)
    wild<<<1, 64>>>(a);
  else
    sides<<<1, 64>>>(a, b, reinterpret_cast<float*>(b + 8));
  right = hipDeviceSynchronize() == hipSuccess && right;
  return right ? 0 : 1;
}
// SPDX-License-Identifier: Apache-2.0
