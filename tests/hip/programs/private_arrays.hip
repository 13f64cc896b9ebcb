// Arrays of a work-item's own that are too large or too dynamic for registers (scratch memory): insertion sort of a
// local array, a lookup table, a stack machine, byte and 64-bit accesses; several wavefronts and blocks at once.
#include "check.h"

constexpr int length = 48;

__host__ __device__ inline uint32_t work(uint32_t seed) {
  uint32_t values[length];
  uint8_t order[length];
  uint64_t sums[64] = {};
#pragma unroll 1
  for (int k = 0; k < length; ++k) {
    seed = seed * 1664525u + 1013904223u;
    values[k] = seed >> 8;
    order[k] = static_cast<uint8_t>(k);
  }
#pragma unroll 1
  for (int k = 1; k < length; ++k) {
    const uint32_t value = values[k];
    const uint8_t from = order[k];
    int at = k;
    for (; at > 0 && values[at - 1] > value; --at) {
      values[at] = values[at - 1];
      order[at] = order[at - 1];
    }
    values[at] = value;
    order[at] = from;
  }
#pragma unroll 1
  for (int k = 0; k < length; ++k) sums[order[k] % 7 * 9] += static_cast<uint64_t>(values[k]) << (k % 30);
  uint64_t result = 0;
  for (int k = 0; k < 64; ++k) result = result * 31 + sums[(k + seed) % 64];
  return static_cast<uint32_t>(result ^ result >> 32) + values[seed % length] + order[(seed >> 5) % length];
}
__global__ void run(uint32_t* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = work(i * 77);
}

int main() {
  const int n = 1050;
  check::device_array<uint32_t> out(n);
  run<<<check::blocks_for(n, 192), 192>>>(out.get(), n);
  CHECK_LAUNCH();
  std::vector<uint32_t> want(n);
  for (int i = 0; i < n; ++i) want[i] = work(i * 77);
  CHECK_SAME("results", out.download(), want);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
