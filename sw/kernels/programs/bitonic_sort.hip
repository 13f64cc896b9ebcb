// Bitonic sort of 32-bit keys with an index each: runs of ascending and of descending entries in turn, twice as long
// from round to round. Short distances are exchanged in LDS, longer ones through global memory, a launch each.
//
// Sizes:      3000, 50000, 600000 keys, filled up to a power of two with entries that stay behind; a quarter of the
//             keys are one key, an eighth are one of 16 others. The index decides between the same keys, so that the
//             order is that of a stable sort
// Kernels:    sort_runs   entries: key, index u32[2] each, in and out; a workgroup of 256 sorts 512 entries in LDS,
//                         every second workgroup in descending order
//             exchange    entries, length of the runs, distance: one step of the network in global memory
//             merge_runs  entries, length of the runs: all steps with distances up to 256, in LDS. One work-item per
//                         pair of entries in all three
// Divergence: a pair is brought into ascending or into descending order (marked); in runs of more than 64 entries most
//             wavefronts have pairs of one order only. Whether a pair is exchanged (one-sided)
// Rounding:   none, whole numbers
#include <algorithm>

#include "program.h"

namespace {

constexpr uint32_t block = 256;
constexpr uint32_t group_entries = 2 * block;  // a work-item per pair

[[maybe_unused]] constexpr uint32_t log2_of(uint32_t power_of_two) {
  return power_of_two < 2 ? 0 : 1 + log2_of(power_of_two / 2);
}

struct entry {
  uint32_t key, index;
};

__host__ __device__ inline uint64_t order_of(const entry& e) {
  return uint64_t{e.key} << 32 | e.index;
}

// Exchanges the two if the first has to come later.
__device__ __forceinline__ void keep_ascending(entry& low, entry& high) {
  const entry a = low, b = high;
  if (order_of(a) > order_of(b)) {
    low = b;
    high = a;
  }
}

// The pair of a step: of the entries from start on, the item-th whose partner is behind it.
__device__ __forceinline__ void exchange_pair(entry* entries, uint32_t start, uint32_t item, uint32_t distance,
                                              uint32_t run) {
  const uint32_t first = 2 * item - (item & (distance - 1));
  entry& a = entries[first];
  entry& b = entries[first + distance];
  PWS_SPLIT();
  if (((start + first) & run) == 0) {
    keep_ascending(a, b);
  } else {
    keep_ascending(b, a);
  }
}

// All steps of a round from a distance within the workgroup's entries.
__device__ __forceinline__ void merge(entry* local, uint32_t run, uint32_t distance) {
#pragma unroll 1
  for (; distance > 0; distance /= 2) {
    PWS_LOOP_BOUND(log2_of(group_entries));
    exchange_pair(local, blockIdx.x * group_entries, threadIdx.x, distance, run);
    __syncthreads();
  }
}

__device__ __forceinline__ void load(entry* local, const entry* entries) {
  for (uint32_t k = 0; k < group_entries; k += block)
    local[k + threadIdx.x] = entries[blockIdx.x * group_entries + k + threadIdx.x];
  __syncthreads();
}

__device__ __forceinline__ void store(entry* entries, const entry* local) {
  for (uint32_t k = 0; k < group_entries; k += block)
    entries[blockIdx.x * group_entries + k + threadIdx.x] = local[k + threadIdx.x];
}

__global__ __launch_bounds__(block) void sort_runs(entry* entries) {
  __shared__ entry local[group_entries];
  load(local, entries);
#pragma unroll 1
  for (uint32_t run = 2; run <= group_entries; run *= 2) {
    PWS_LOOP_BOUND(log2_of(group_entries));
    merge(local, run, run / 2);
  }
  store(entries, local);
}

__global__ __launch_bounds__(block) void exchange(entry* entries, uint32_t run, uint32_t distance) {
  exchange_pair(entries, 0, blockIdx.x * block + threadIdx.x, distance, run);
}

__global__ __launch_bounds__(block) void merge_runs(entry* entries, uint32_t run) {
  __shared__ entry local[group_entries];
  load(local, entries);
  merge(local, run, group_entries / 2);
  store(entries, local);
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t n = o.pick(3000u, 50000u, 600000u);
  uint32_t places = group_entries;
  while (places < n) places *= 2;
  std::printf("bitonic_sort (%s): %u keys in %u places, seed %u\n", o.size_name(), n, places, o.seed);

  program::random_source random(o.seed);
  const uint32_t frequent = random.bits();
  std::vector<entry> entries(places);
  for (uint32_t k = 0; k < places; ++k) {
    const uint32_t kind = random.below(8);
    const uint32_t key = kind < 2 ? frequent : kind == 2 ? random.below(16) << 28 : random.bits();
    entries[k] = {k < n ? key : 0xffffffff, k};
  }
  std::vector<entry> expected(entries.begin(), entries.begin() + n);
  std::stable_sort(expected.begin(), expected.end(), [](const entry& a, const entry& b) { return a.key < b.key; });

  program::device_array<entry> device_entries(entries);
  const uint32_t groups = places / group_entries;
  sort_runs<<<groups, block>>>(device_entries.get());
  PROGRAM_LAUNCHED();
  for (uint32_t run = 2 * group_entries; run <= places; run *= 2) {
    for (uint32_t distance = run / 2; distance >= group_entries; distance /= 2) {
      exchange<<<groups, block>>>(device_entries.get(), run, distance);
      PROGRAM_LAUNCHED();
    }
    merge_runs<<<groups, block>>>(device_entries.get(), run);
    PROGRAM_LAUNCHED();
  }

  std::vector<uint32_t> keys, indices, expected_keys, expected_indices;
  const std::vector<entry> got = device_entries.download();
  for (uint32_t k = 0; k < n; ++k) {
    keys.push_back(got[k].key);
    indices.push_back(got[k].index);
    expected_keys.push_back(expected[k].key);
    expected_indices.push_back(expected[k].index);
  }
  uint32_t same = 0;
  for (uint32_t k = 1; k < n; ++k) same += keys[k] == keys[k - 1];
  std::printf("%u keys are the same as the one before\n", same);
  program::verdict verdict;
  verdict.equal("keys", keys, expected_keys);
  verdict.equal("indices", indices, expected_indices);
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
