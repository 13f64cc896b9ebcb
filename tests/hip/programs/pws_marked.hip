// timing: yes
// flags: -Isw/include
// A kernel with marks for wavefront splitting (PWS_SPLIT, PWS_LOOP_BOUND of pws.h): nested divergent branches in a
// bounded loop. Without pwscc the marks are nothing; with it the results are the same.
#include <pws.h>

#include "check.h"

__host__ __device__ inline uint32_t step(uint32_t x, uint32_t key) {
  PWS_SPLIT();
  if ((x & 1) != 0) {
    x = x * 3 + 1;
    PWS_SPLIT();
    if ((x & 6) == 2) {
      x = (x ^ key) * 2654435761u;
      x ^= x >> 15;
    } else {
      x = x / 5 + (key << 3);
      x *= x | 1;
    }
  } else {
    x = x / 2 + key % 77;
    x ^= x << 5;
    x += x / 3;
  }
  return x;
}
__global__ void marked(const uint32_t* in, uint32_t* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint32_t x = in[i];
  for (int k = 0; k < 9; ++k) {
    PWS_LOOP_BOUND(9);
    x = step(x, k * 12345 + 1);
  }
  out[i] = x;
}

int main() {
  const int n = 500;
  check::random_source random(44);
  std::vector<uint32_t> in(n), want(n);
  for (int i = 0; i < n; ++i) {
    in[i] = random.bits();
    want[i] = in[i];
    for (int k = 0; k < 9; ++k) want[i] = step(want[i], k * 12345 + 1);
  }
  check::device_array<uint32_t> device_in(in), device_out(n);
  marked<<<check::blocks_for(n, 128), 128>>>(device_in.get(), device_out.get(), n);
  CHECK_LAUNCH();
  CHECK_SAME("results", device_out.download(), want);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
