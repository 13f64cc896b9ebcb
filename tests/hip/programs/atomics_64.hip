// 64-bit atomics (add with carry over the words, min, max, and, or, xor, exch, CAS), double addition, 64-bit LDS
// atomics, and the last block of a grid that finishes the work of all (__threadfence and a ticket).
#include <algorithm>

#include "check.h"

using u64 = unsigned long long;

__global__ void wide_atomics(const u64* in, int n, u64* out, double* real) {
  __shared__ u64 block_sum;
  if (threadIdx.x == 0) block_sum = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const u64 x = in[i];
    atomicAdd(&out[0], x);
    atomicMin(&out[1], x);
    atomicMax(&out[2], x);
    atomicAnd(&out[3], x | 0xff000000ff00ull);
    atomicOr(&out[4], x & 0x1111111111111111ull);
    atomicXor(&out[5], x);
    atomicAdd(&block_sum, x);
    u64 seen = out[6];
    u64 expected;
    do {
      expected = seen;
      seen = atomicCAS(&out[6], expected, expected * 3);
    } while (seen != expected);
    atomicAdd(real, static_cast<double>(x >> 40));
    if (i == 5) out[8] = atomicExch(&out[9], x);
  }
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&out[7], block_sum);
}

__device__ unsigned blocks_done;

__global__ void grid_sum(const u64* in, int n, volatile u64* partial, u64* total) {
  __shared__ u64 sum;
  __shared__ bool is_last;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&sum, in[i]);
  __syncthreads();
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    is_last = atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    u64 all = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) all += partial[b];
    *total = all;
  }
}

int main() {
  const int n = 601;
  const unsigned block = 100;
  const unsigned blocks = check::blocks_for(n, block);
  check::random_source random(18);
  std::vector<u64> in(n);
  for (auto& x : in) x = u64{random.bits()} << 32 | random.bits();
  std::vector<u64> want = {0, ~0ull, 0, ~0ull, 0, 0, 1, 0, 0, 4711};
  check::device_array<u64> device_in(in), out(want);
  check::device_array<double> real(std::vector<double>{0.5});
  wide_atomics<<<blocks, block>>>(device_in.get(), n, out.get(), real.get());
  CHECK_LAUNCH();
  double want_real = 0.5;
  for (const u64 x : in) {
    want[0] += x;
    want[1] = std::min(want[1], x);
    want[2] = std::max(want[2], x);
    want[3] &= x | 0xff000000ff00ull;
    want[4] |= x & 0x1111111111111111ull;
    want[5] ^= x;
    want[6] *= 3;
    want_real += static_cast<double>(x >> 40);
  }
  want[7] = want[0];
  want[8] = 4711;
  want[9] = in[5];
  CHECK_SAME("64-bit atomics", out.download(), want);
  CHECK_SAME("double atomicAdd", real.download(), std::vector<double>{want_real});

  check::device_array<u64> partial(blocks), total(1);
  for (int turn = 0; turn < 2; ++turn) {  // atomicInc has set the counter back to 0
    total.fill(0);
    grid_sum<<<blocks, block>>>(device_in.get(), n, partial.get(), total.get());
    CHECK_LAUNCH();
    CHECK_SAME("last block's sum", total.download(), std::vector<u64>{want[0]});
  }
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
