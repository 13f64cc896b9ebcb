// timing: yes
// Histogram of bytes: per-block counters in LDS with atomics, grid-stride loop, added to global counters; even and very
// uneven input.
#include "check.h"

constexpr int n_bins = 256;

__global__ void histogram(const uint8_t* in, int n, unsigned* bins) {
  __shared__ unsigned local[n_bins];
  for (int b = threadIdx.x; b < n_bins; b += blockDim.x) local[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[in[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < n_bins; b += blockDim.x) {
    if (local[b] != 0) atomicAdd(&bins[b], local[b]);
  }
}

int main() {
  check::random_source random(35);
  for (const int n : {1, 100, 7001}) {
    for (const int kind : {0, 1, 2}) {
      std::vector<uint8_t> in(n);
      for (auto& x : in) {
        const uint32_t bits = random.bits();
        x = static_cast<uint8_t>(kind == 0 ? bits >> 24 : kind == 1 ? (bits >> 24 < 250 ? 13 : bits >> 8) : 255);
      }
      std::vector<unsigned> want(n_bins);
      for (const uint8_t x : in) ++want[x];
      check::device_array<uint8_t> device_in(in);
      check::device_array<unsigned> bins(n_bins);
      bins.fill(0);
      histogram<<<5, 96>>>(device_in.get(), n, bins.get());
      CHECK_LAUNCH();
      CHECK_SAME("bins", bins.download(), want);
    }
  }
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
