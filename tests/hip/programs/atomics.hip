// timing: yes
// 32-bit atomics on global memory and LDS: add, sub, min, max (signed and unsigned), and, or, xor, exch, inc, dec, CAS;
// float addition and maximum by compare-and-swap loops; returned values.
#include <algorithm>

#include "check.h"

enum slot {
  sum,
  difference,
  least,
  greatest,
  conjunction,
  disjunction,
  parity,
  increments,
  decrements,
  cas_count,
  n_slots
};

__global__ void integer_atomics(const int* in, int n, int* results, unsigned* unsigned_extremes, unsigned* tickets) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int x = in[i];
  atomicAdd(&results[sum], x);
  atomicSub(&results[difference], x);
  atomicMin(&results[least], x);
  atomicMax(&results[greatest], x);
  atomicAnd(&results[conjunction], x | 0x00f0);
  atomicOr(&results[disjunction], x & 0x5555);
  atomicXor(&results[parity], x);
  atomicMin(&unsigned_extremes[0], static_cast<unsigned>(x));
  atomicMax(&unsigned_extremes[1], static_cast<unsigned>(x));
  atomicInc(reinterpret_cast<unsigned*>(&results[increments]), 99);
  atomicDec(reinterpret_cast<unsigned*>(&results[decrements]), 49);
  // Every work-item gets a ticket of its own.
  tickets[atomicAdd(&unsigned_extremes[2], 1u)] = i;
  int seen = results[cas_count];
  int expected;
  do {
    expected = seen;
    seen = atomicCAS(&results[cas_count], expected, expected + 3);
  } while (seen != expected);
}

__device__ inline void add_float(float* address, float value) {
  unsigned* const word = reinterpret_cast<unsigned*>(address);
  unsigned seen = *word;
  unsigned expected;
  do {
    expected = seen;
    seen = atomicCAS(word, expected, __float_as_uint(__uint_as_float(expected) + value));
  } while (seen != expected);
}

__global__ void float_atomics(const float* in, int n, float* out) {
  __shared__ float block_sum;
  __shared__ float block_exchange;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) block_sum = block_exchange = 0;
  __syncthreads();
  if (i < n) {
    add_float(&out[0], in[i]);
    atomicAdd(&out[1], in[i]);
    atomicAdd(&block_sum, in[i]);
    atomicMax(&out[3], in[i]);
    atomicMin(&out[4], in[i]);
    // Where nobody wants the old value clang makes a plain store of it.
    const float before = atomicExch(&block_exchange, in[i]);
    asm volatile("" ::"v"(before));
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    add_float(&out[2], block_sum);
    bool found = false;  // the exchanged value is one of the block's
    for (int k = blockIdx.x * blockDim.x; k < min(n, static_cast<int>((blockIdx.x + 1) * blockDim.x)); ++k) {
      found = found || in[k] == block_exchange;
    }
    atomicAdd(&out[5], found ? 1.0f : 0.0f);
  }
}

int main() {
  const int n = 777;
  const unsigned block = 160;
  const unsigned blocks = check::blocks_for(n, block);
  check::random_source random(17);
  std::vector<int> in(n);
  for (auto& x : in) x = static_cast<int>(random.bits());
  std::vector<int> want(n_slots, 0);
  want[least] = 0x7fffffff;
  want[greatest] = static_cast<int>(0x80000000u);
  want[conjunction] = -1;
  check::device_array<int> device_in(in), results(want);
  check::device_array<unsigned> extremes(std::vector<unsigned>{~0u, 0, 0}), tickets(n);
  integer_atomics<<<blocks, block>>>(device_in.get(), n, results.get(), extremes.get(), tickets.get());
  CHECK_LAUNCH();
  unsigned low = ~0u, high = 0, inc = 0, dec = 0, total = 0;
  for (const int x : in) {
    total += static_cast<unsigned>(x);
    want[least] = std::min(want[least], x);
    want[greatest] = std::max(want[greatest], x);
    want[conjunction] &= x | 0x00f0;
    want[disjunction] |= x & 0x5555;
    want[parity] ^= x;
    want[cas_count] += 3;
    low = std::min(low, static_cast<unsigned>(x));
    high = std::max(high, static_cast<unsigned>(x));
    inc = inc >= 99 ? 0 : inc + 1;
    dec = dec == 0 || dec > 49 ? 49 : dec - 1;
  }
  want[sum] = static_cast<int>(total);
  want[difference] = static_cast<int>(0u - total);
  want[increments] = static_cast<int>(inc);
  want[decrements] = static_cast<int>(dec);
  CHECK_SAME("integer atomics", results.download(), want);
  CHECK_SAME("unsigned atomics", extremes.download(), (std::vector<unsigned>{low, high, n}));
  auto holders = tickets.download();
  std::sort(holders.begin(), holders.end());
  std::vector<unsigned> everybody(n);
  for (int i = 0; i < n; ++i) everybody[i] = i;
  CHECK_SAME("tickets", holders, everybody);

  std::vector<float> reals(n);
  float real_sum = 0;
  for (auto& x : reals) {
    x = static_cast<float>(static_cast<int>(random.below(2001)) - 1000) * 0.25f;  // exact in any order
    real_sum += x;
  }
  check::device_array<float> device_reals(reals), real_results(std::vector<float>{0, 0, 0, -1e9f, 1e9f, 0});
  float_atomics<<<blocks, block>>>(device_reals.get(), n, real_results.get());
  CHECK_LAUNCH();
  CHECK_SAME("float atomics", real_results.download(),
             (std::vector<float>{real_sum, real_sum, real_sum, *std::max_element(reals.begin(), reals.end()),
                                 *std::min_element(reals.begin(), reals.end()), static_cast<float>(blocks)}));
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
