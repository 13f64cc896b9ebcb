// SPDX-License-Identifier: Apache-2.0
// Kernels whose registers show what the allocator knows of predicates: each side of the branch keeps 16 values of its own
// from before it, and has 24 at a time besides. An allocator that may give one side's registers to the other needs
// those of one side; one that takes both for executed keeps the other side's 16 too.
#include <hip/hip_runtime.h>

constexpr int before = 16, inside = 24;

template <int n>
__device__ inline void load(float (&to)[n], const volatile float* from) {
#pragma unroll
  for (int k = 0; k < n; ++k) to[k] = from[64 * k];
}

__device__ inline float side(const float (&own)[before], const volatile float* from) {
  float more[inside], product = 1;
  load(more, from);
#pragma unroll
  for (int k = 0; k < inside; ++k) product *= more[k] + more[(k + 5) % inside];
#pragma unroll
  for (int k = 0; k < before; ++k) product *= own[k];
  return product;
}

__device__ inline void sides(float* p, bool first) {
  float* q = p + threadIdx.x;
  float a[before], b[before];
  load(a, q);
  load(b, q + 2048);
  q[0] = first ? 0 : 1;
  if (first)
    q[64] = side(a, q + 4096);
  else
    q[64] = side(b, q + 8192);
}

extern "C" __global__ void divergent_sides(float* p, int u) {
  sides(p, static_cast<int>(threadIdx.x) > u);
}
extern "C" __global__ void uniform_sides(float* p, int u) {
  sides(p, u > 3);
}
