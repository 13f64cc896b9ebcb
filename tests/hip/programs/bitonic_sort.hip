// Bitonic sort of keys with values, one launch per step (55 for 1024 elements), the whole sort in LDS for small blocks;
// equal keys, sorted, reversed and padded input.
#include <algorithm>

#include "check.h"

__global__ void step(uint32_t* keys, uint32_t* values, unsigned j, unsigned k, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned other = i ^ j;
  if (i >= n || other <= i) return;
  const bool ascending = (i & k) == 0;
  if ((keys[i] > keys[other]) == ascending) {
    const uint32_t key = keys[i];
    keys[i] = keys[other];
    keys[other] = key;
    const uint32_t value = values[i];
    values[i] = values[other];
    values[other] = value;
  }
}

// Each block sorts its own blockDim.x elements.
__global__ void sort_blocks(float* data) {
  extern __shared__ float part[];
  const unsigned t = threadIdx.x;
  part[t] = data[blockIdx.x * blockDim.x + t];
  for (unsigned k = 2; k <= blockDim.x; k *= 2) {
    for (unsigned j = k / 2; j > 0; j /= 2) {
      __syncthreads();
      const unsigned other = t ^ j;
      if (other > t && (part[t] > part[other]) == ((t & k) == 0)) {
        const float x = part[t];
        part[t] = part[other];
        part[other] = x;
      }
    }
  }
  __syncthreads();
  data[blockIdx.x * blockDim.x + t] = part[t];
}

static void sort_pairs(std::vector<uint32_t> keys) {
  const size_t given = keys.size();
  unsigned n = 1;
  while (n < given) n *= 2;
  keys.resize(n, 0xffffffffu);
  std::vector<uint32_t> values(n);
  for (unsigned i = 0; i < n; ++i) values[i] = i;
  check::device_array<uint32_t> device_keys(keys), device_values(values);
  for (unsigned k = 2; k <= n; k *= 2) {
    for (unsigned j = k / 2; j > 0; j /= 2) {
      step<<<check::blocks_for(n, 256), 256>>>(device_keys.get(), device_values.get(), j, k, n);
    }
  }
  CHECK_LAUNCH();
  const auto got = device_keys.download();
  const auto got_values = device_values.download();
  auto want = keys;
  std::sort(want.begin(), want.end());
  CHECK_SAME("keys", got, want);
  std::vector<bool> seen(n);
  for (unsigned i = 0; i < n; ++i) {
    const uint32_t from = got_values[i];
    CHECK(from < n && !seen[from] && keys[from] == got[i], "value %u of key [%u] is wrong", from, i);
    seen[from] = true;
  }
}

int main() {
  check::random_source random(38);
  std::vector<uint32_t> keys(777);
  for (auto& key : keys) key = random.bits();
  sort_pairs(keys);
  for (auto& key : keys) key %= 7;
  sort_pairs(keys);
  std::sort(keys.begin(), keys.end(), [](uint32_t a, uint32_t b) { return a > b; });
  sort_pairs(keys);
  sort_pairs({5});

  std::vector<float> data(4 * 128);
  for (auto& x : data) x = random.real(-10, 10);
  data[3] = -0.5f;
  data[300] = std::numeric_limits<float>::infinity();
  check::device_array<float> device(data);
  sort_blocks<<<4, 128, 128 * sizeof(float)>>>(device.get());
  CHECK_LAUNCH();
  for (int b = 0; b < 4; ++b) std::sort(data.begin() + b * 128, data.begin() + (b + 1) * 128);
  CHECK_SAME("blocks", device.download(), data);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
