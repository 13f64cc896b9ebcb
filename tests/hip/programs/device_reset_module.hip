// kernels: device_reset.hip
// A module that is loaded again after each reset.
#include <hip/hip_runtime.h>

extern "C" __global__ void add_one(int* data) {
  data[threadIdx.x] += 1;
}
// SPDX-License-Identifier: Apache-2.0
