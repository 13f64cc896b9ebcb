// timing: yes
// queues: yes
// 200 launches without synchronisation between them; state lives in device memory and in a __device__ variable.
#include "check.h"

__device__ uint32_t generation;

__global__ void advance(uint32_t* state, int n, uint32_t salt) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    uint32_t x = state[i] + salt + generation;
    x ^= x << 13;
    x ^= x >> 17;
    state[i] = x;
  }
}
__global__ void next_generation() {
  ++generation;
}

int main() {
  const int n = 130;
  std::vector<uint32_t> state(n);
  for (int i = 0; i < n; ++i) state[i] = i * 2654435761u;
  check::device_array<uint32_t> device(state);
  for (uint32_t k = 0; k < 100; ++k) {
    advance<<<3, 50>>>(device.get(), n, k * 77);
    next_generation<<<1, 1>>>();
    for (auto& x : state) {
      x += k * 77 + k;
      x ^= x << 13;
      x ^= x >> 17;
    }
  }
  CHECK_LAUNCH();
  CHECK_SAME("state", device.download(), state);
  uint32_t generations = 0;
  HIP_CHECK(hipMemcpyFromSymbol(&generations, HIP_SYMBOL(generation), sizeof generations));
  CHECK(generations == 100, "%u generations, expected 100", generations);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
