// timing: yes
// LDS: static and dynamic (extern __shared__) in one kernel, dynamic sizes up to 64 KiB, several arrays carved out of
// one allocation, __syncthreads_count/and/or; more than there is is refused.
#include "check.h"

extern __shared__ uint32_t dynamic_words[];

// Reverses each block's elements through dynamic LDS, adds a static table on the way.
__global__ void reverse_blocks(const uint32_t* in, uint32_t* out, int n) {
  __shared__ uint32_t table[16];
  const int begin = blockIdx.x * blockDim.x;
  const int count = min(static_cast<int>(blockDim.x), n - begin);
  const int t = threadIdx.x;
  if (t < 16) table[t] = t * t;
  if (t < count) dynamic_words[t] = in[begin + t];
  __syncthreads();
  if (t < count) out[begin + t] = dynamic_words[count - 1 - t] + table[t % 16];
}

// The allocation holds n words, then n bytes, then n doubles.
__global__ void three_arrays(double* out, int n) {
  char* const bytes = reinterpret_cast<char*>(dynamic_words + n);
  double* const doubles = reinterpret_cast<double*>(dynamic_words + n + (n + 3) / 4 + (n + (n + 3) / 4) % 2);
  const int t = threadIdx.x;
  if (t < n) {
    dynamic_words[t] = t * 3;
    bytes[t] = static_cast<char>(t % 100);
    doubles[t] = t * 0.25;
  }
  __syncthreads();
  const int other = (t * 7 + 1) % n;
  if (t < n) out[t] = dynamic_words[other] + bytes[other] + doubles[other];
}

__global__ void last_word(uint32_t* out, int words) {
  if (threadIdx.x == 0) dynamic_words[words - 1] = 4711;
  if (threadIdx.x == 70) dynamic_words[0] = 42;
  __syncthreads();
  if (threadIdx.x == 100) out[0] = dynamic_words[words - 1] + dynamic_words[0];
}

__global__ void votes(const int* in, int* out) {
  const int value = in[blockIdx.x * blockDim.x + threadIdx.x];
  const int count = __syncthreads_count(value > 10);
  const int all = __syncthreads_and(value > 10);
  const int any = __syncthreads_or(value > 90);
  if (threadIdx.x == 3) {
    out[blockIdx.x * 3] = count;
    out[blockIdx.x * 3 + 1] = all != 0;
    out[blockIdx.x * 3 + 2] = any != 0;
  }
}

int main() {
  check::random_source random(12);
  const int n = 1003;
  std::vector<uint32_t> in(n), want(n);
  for (auto& x : in) x = random.bits();
  check::device_array<uint32_t> device_in(in), device_out(n);
  for (const int block : {33, 64, 250, 1024}) {
    reverse_blocks<<<check::blocks_for(n, block), block, block * sizeof(uint32_t)>>>(device_in.get(), device_out.get(),
                                                                                     n);
    CHECK_LAUNCH();
    for (int i = 0; i < n; ++i) {
      const int begin = i / block * block;
      const int count = std::min(block, n - begin);
      want[i] = in[begin + count - 1 - (i - begin)] + (i - begin) % 16 * ((i - begin) % 16);
    }
    CHECK_SAME("reversed blocks", device_out.download(), want);
  }

  const int m = 77;
  check::device_array<double> sums(m);
  three_arrays<<<1, 128, m * 4 + m + 8 + 8 + m * 8>>>(sums.get(), m);
  CHECK_LAUNCH();
  std::vector<double> want_sums(m);
  for (int t = 0; t < m; ++t) {
    const int other = (t * 7 + 1) % m;
    want_sums[t] = other * 3 + other % 100 + other * 0.25;
  }
  CHECK_SAME("three arrays", sums.download(), want_sums);

  const int most = 64 * 1024 / 4;
  last_word<<<3, 128, most * 4>>>(device_out.get(), most);
  CHECK_LAUNCH();
  CHECK(device_out.download()[0] == 4711 + 42, "64 KiB of LDS: %u", device_out.download()[0]);
  last_word<<<1, 128, most * 4 + 4>>>(device_out.get(), most + 1);
  CHECK(hipGetLastError() != hipSuccess, "a launch with more than 64 KiB of LDS was accepted");

  const int block = 130;
  std::vector<int> values(3 * block);
  for (int i = 0; i < 3 * block; ++i) values[i] = i < block ? 11 + i % 50 : static_cast<int>(random.below(60));
  values[2 * block + 129] = 99;
  std::vector<int> want_votes(9);
  for (int b = 0; b < 3; ++b) {
    for (int i = 0; i < block; ++i) {
      want_votes[b * 3] += values[b * block + i] > 10;
      want_votes[b * 3 + 2] |= values[b * block + i] > 90;
    }
    want_votes[b * 3 + 1] = want_votes[b * 3] == block;
  }
  check::device_array<int> device_values(values), device_votes(9);
  votes<<<3, block>>>(device_values.get(), device_votes.get());
  CHECK_LAUNCH();
  CHECK_SAME("votes", device_votes.download(), want_votes);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
