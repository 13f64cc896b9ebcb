// Hybrid sort: a bucket sort by pivots that an histogram of the keys is cut into, then a merge sort of every bucket.
// The order within a bucket is left to the atomics between the two; what comes out does not depend on it.
//
// Sizes:      16, 128, 1024 finite f32 keys into 4, 8, 32 buckets
// Kernels:    histogram    keys f32[n], counts u32[64] over equal intervals of the keys' range; blocks of 128
//             count        keys f32[n], pivots f32[buckets - 1] ascending, bucket and place u32[n] of a key,
//                          counts u32[buckets]; blocks of 128
//             scatter      keys, bucket, place, counts as above, out f32[n], starts u32[buckets + 1]; blocks of 128
//             merge_sort   keys, out f32[n], starts u32[buckets + 1]; one block of 64 per bucket, all of it in LDS
// Divergence: merge_sort: which of two runs the next key comes from (marked), runs of different lengths, fewer
//             work-items from pass to pass; the binary search of count compiles to selects
// Rounding:   none in the result: keys are only compared and moved
#include <algorithm>
#include <limits>

#include "program.h"

namespace {

constexpr uint32_t block = 128;
constexpr uint32_t intervals = 64;
constexpr uint32_t wavefront = 64;
constexpr uint32_t first_run = 4;  // keys that a work-item sorts in registers

[[maybe_unused]] constexpr uint32_t log2_of(uint32_t power_of_two) {
  return power_of_two < 2 ? 0 : 1 + log2_of(power_of_two / 2);
}

__global__ void histogram(const float* keys, uint32_t* counts, uint32_t n, float low, float per_unit) {
  __shared__ uint32_t local[intervals];
  if (threadIdx.x < intervals) local[threadIdx.x] = 0;
  __syncthreads();
  const uint32_t i = blockIdx.x * block + threadIdx.x;
  if (i < n) {
    const uint32_t interval = static_cast<uint32_t>((keys[i] - low) * per_unit);
    atomicAdd(&local[min(interval, intervals - 1)], 1u);
  }
  __syncthreads();
  if (threadIdx.x < intervals && local[threadIdx.x] != 0) atomicAdd(&counts[threadIdx.x], local[threadIdx.x]);
}

// The bucket is the number of pivots that are not above the key.
template <uint32_t buckets>
__global__ void count(const float* keys, const float* pivots, uint32_t* bucket, uint32_t* place, uint32_t* counts,
                      uint32_t n) {
  const uint32_t i = blockIdx.x * block + threadIdx.x;
  if (i >= n) return;
  const float key = keys[i];
  uint32_t below = 0;
#pragma unroll 1
  for (uint32_t jump = buckets / 2; jump > 0; jump /= 2) {
    PWS_LOOP_BOUND(log2_of(buckets));
    if (pivots[below + jump - 1] <= key) below += jump;
  }
  bucket[i] = below;
  place[i] = atomicAdd(&counts[below], 1u);
}

template <uint32_t buckets>
__global__ void scatter(const float* keys, const uint32_t* bucket, const uint32_t* place, const uint32_t* counts,
                        float* out, uint32_t* starts, uint32_t n) {
  __shared__ uint32_t start[buckets + 1];
  // So few buckets that every workgroup adds them up itself.
  if (threadIdx.x <= buckets) {
    uint32_t sum = 0;
#pragma unroll 1
    for (uint32_t b = 0; b < threadIdx.x; ++b) {
      PWS_LOOP_BOUND(buckets);
      sum += counts[b];
    }
    start[threadIdx.x] = sum;
    if (blockIdx.x == 0) starts[threadIdx.x] = sum;
  }
  __syncthreads();
  const uint32_t i = blockIdx.x * block + threadIdx.x;
  if (i < n) out[start[bucket[i]] + place[i]] = keys[i];
}

__device__ __forceinline__ void order(float& a, float& b) {
  const float low = fminf(a, b), high = fmaxf(a, b);
  a = low;
  b = high;
}

// Merges pairs of ascending runs of so many keys from one half of the LDS to the other, a work-item per pair, and goes
// on with runs twice as long. Every length is code of its own, so that its loop has its own bound. The result's half.
template <uint32_t capacity, uint32_t length>
__device__ __forceinline__ uint32_t merge_passes(float (&keys)[2][capacity], uint32_t half, uint32_t n) {
  if constexpr (length < capacity) {
    if (length >= n) return half;  // the same for the whole workgroup
    const float infinity = std::numeric_limits<float>::infinity();
    const uint32_t pairs = (n + 2 * length - 1) / (2 * length);
#pragma unroll 1
    for (uint32_t pair = threadIdx.x; pair < pairs; pair += wavefront) {
      PWS_LOOP_BOUND((capacity / (2 * length) + wavefront - 1) / wavefront);
      const uint32_t begin = pair * 2 * length;
      const uint32_t middle = min(begin + length, n), end = min(begin + 2 * length, n);
      const float* from = keys[half];
      float* to = keys[1 - half];
      uint32_t a = begin, b = middle;
      float left = from[a], right = b < end ? from[b] : infinity;
#pragma unroll 1
      for (uint32_t k = begin; k < end; ++k) {
        PWS_LOOP_BOUND(2 * length);
        PWS_SPLIT();
        if (left <= right) {
          to[k] = left;
          ++a;
          left = a < middle ? from[a] : infinity;
        } else {
          to[k] = right;
          ++b;
          right = b < end ? from[b] : infinity;
        }
      }
    }
    __syncthreads();
    return merge_passes<capacity, 2 * length>(keys, 1 - half, n);
  } else {
    return half;
  }
}

// A bucket may hold all keys, so the LDS has room for them.
template <uint32_t capacity>
__global__ void merge_sort(const float* unsorted, float* out, const uint32_t* starts) {
  __shared__ float keys[2][capacity];
  const uint32_t start = starts[blockIdx.x], n = starts[blockIdx.x + 1] - start;
#pragma unroll 1
  for (uint32_t i = first_run * threadIdx.x; i < n; i += first_run * wavefront) {
    PWS_LOOP_BOUND((capacity + first_run * wavefront - 1) / (first_run * wavefront));
    float run[first_run];
    for (uint32_t k = 0; k < first_run; ++k)
      run[k] = i + k < n ? unsorted[start + i + k] : std::numeric_limits<float>::infinity();
    order(run[0], run[1]);
    order(run[2], run[3]);
    order(run[0], run[2]);
    order(run[1], run[3]);
    order(run[1], run[2]);
    for (uint32_t k = 0; k < first_run; ++k)
      if (i + k < n) keys[0][i + k] = run[k];
  }
  __syncthreads();
  const uint32_t half = merge_passes<capacity, first_run>(keys, 0, n);
#pragma unroll 1
  for (uint32_t i = threadIdx.x; i < n; i += wavefront) {
    PWS_LOOP_BOUND((capacity + wavefront - 1) / wavefront);
    out[start + i] = keys[half][i];
  }
}

// Cuts the histogram into parts of about as many keys, evenly within an interval.
std::vector<float> pivots_of(const std::vector<uint32_t>& counts, uint32_t n, uint32_t buckets, float low, float high) {
  std::vector<float> pivots;
  const double width = (double(high) - low) / intervals;
  uint32_t interval = 0;
  double before = 0;
  for (uint32_t b = 1; b < buckets; ++b) {
    const double wanted = double(n) * b / buckets;
    while (interval + 1 < intervals && before + counts[interval] < wanted) before += counts[interval++];
    const double part = counts[interval] == 0 ? 0 : std::min(1.0, (wanted - before) / counts[interval]);
    pivots.push_back(static_cast<float>(low + width * (interval + part)));
  }
  return pivots;
}

template <uint32_t n, uint32_t buckets>
void run(const std::vector<float>& keys, program::verdict& verdict) {
  const float low = *std::min_element(keys.begin(), keys.end());
  const float high = *std::max_element(keys.begin(), keys.end());
  const uint32_t blocks = program::blocks_of(n, block);
  program::device_array<float> unsorted(keys), scattered(n), sorted(n);
  program::device_array<uint32_t> interval_counts(intervals), bucket(n), place(n), counts(buckets), starts(buckets + 1);
  interval_counts.clear();
  counts.clear();
  const float per_unit = high > low ? static_cast<float>(intervals / (double(high) - low)) : 0;
  histogram<<<blocks, block>>>(unsorted.get(), interval_counts.get(), n, low, per_unit);
  PROGRAM_LAUNCHED();
  const std::vector<uint32_t> in_interval = interval_counts.download();
  uint32_t total = 0;
  for (const uint32_t c : in_interval) total += c;
  verdict.that("the histogram counts every key", total == n);

  const std::vector<float> pivots = pivots_of(in_interval, n, buckets, low, high);
  program::device_array<float> device_pivots(pivots);
  count<buckets><<<blocks, block>>>(unsorted.get(), device_pivots.get(), bucket.get(), place.get(), counts.get(), n);
  PROGRAM_HIP(hipGetLastError());
  scatter<buckets>
      <<<blocks, block>>>(unsorted.get(), bucket.get(), place.get(), counts.get(), scattered.get(), starts.get(), n);
  PROGRAM_HIP(hipGetLastError());
  merge_sort<n><<<buckets, wavefront>>>(scattered.get(), sorted.get(), starts.get());
  PROGRAM_LAUNCHED();

  std::vector<uint32_t> bucket_of_key(n), keys_before(buckets + 1, 0);
  for (uint32_t i = 0; i < n; ++i)
    for (const float pivot : pivots) bucket_of_key[i] += pivot <= keys[i];
  for (const uint32_t b : bucket_of_key)
    for (uint32_t later = b + 1; later <= buckets; ++later) ++keys_before[later];
  std::vector<float> expected = keys;
  std::sort(expected.begin(), expected.end());
  verdict.equal("bucket", bucket.download(), bucket_of_key);
  verdict.equal("bucket starts", starts.download(), keys_before);
  verdict.equal("sorted", sorted.download(), expected);
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t n = o.pick(16u, 128u, 1024u);
  std::printf("hybrid_sort (%s): %u keys, seed %u\n", o.size_name(), n, o.seed);

  // Denser towards zero, so that equal intervals would not make equal buckets; a few keys occur twice. No key is
  // negative zero, which is equal to zero and yet another key.
  program::random_source random(o.seed);
  std::vector<float> keys(n);
  for (uint32_t i = 0; i < n; ++i) {
    const float x = random.real(-1, 1);
    keys[i] = i > 0 && random.below(16) == 0 ? keys[random.below(i)] : 1000 * x * x * x + 0.0f;
  }

  program::verdict verdict;
  switch (o.size) {
    case program::size::small:
      run<16, 4>(keys, verdict);
      break;
    case program::size::medium:
      run<128, 8>(keys, verdict);
      break;
    case program::size::large:
      run<1024, 32>(keys, verdict);
      break;
  }
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
