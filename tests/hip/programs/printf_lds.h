// SPDX-License-Identifier: Apache-2.0
// A kernel that prints between accesses of LDS.
#pragma once

#include <algorithm>

#include "check.h"

__global__ void rotate(int* out, int steps) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  values[t] = t;
  __syncthreads();
  for (int k = 0; k < steps; ++k) {
    const int next = values[(t + 1) % 64];
    if (t == k) printf("step %d: work-item %d takes %d\n", k, t, next);
    __syncthreads();
    values[t] = next;
    __syncthreads();
  }
  out[t] = values[t];
}

// The largest difference from what should come out; -1: the launch failed.
inline int rotated_wrongly() {
  constexpr int steps = 5;
  int *device, result[64], most = 0;
  if (hipMalloc(&device, sizeof result) != hipSuccess) return -1;
  rotate<<<1, 64>>>(device, steps);
  if (hipDeviceSynchronize() != hipSuccess) return -1;
  if (hipMemcpy(result, device, sizeof result, hipMemcpyDeviceToHost) != hipSuccess) return -1;
  for (int t = 0; t < 64; ++t) most = std::max(most, std::abs(result[t] - (t + steps) % 64));
  return most;
}
