// Two streams with a launch each, of five and six blocks: what docs/hip.md shows.
#include <hip/hip_runtime.h>

__global__ void churn(unsigned* out, int rounds) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = i;
  const int mine = rounds * (4 + blockIdx.x % 3) / 4;
  for (int k = 0; k < mine; ++k) x = x * 1664525u + 1013904223u;
  out[i] = x;
}

int main() {
  constexpr unsigned block = 64;
  hipStream_t first, second;
  unsigned* out;
  if (hipStreamCreate(&first) != hipSuccess || hipStreamCreate(&second) != hipSuccess) return 1;
  if (hipMalloc(&out, 11 * block * sizeof *out) != hipSuccess) return 1;
  churn<<<5, block, 0, first>>>(out, 60);
  churn<<<6, block, 0, second>>>(out + 5 * block, 60);
  return hipDeviceSynchronize() == hipSuccess ? 0 : 1;
}
// SPDX-License-Identifier: Apache-2.0
