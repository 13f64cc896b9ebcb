// Quicksort of 32-bit keys. As long as segments are long, every launch cuts each of them in two at a pivot halfway
// between its least and its greatest key, several workgroups a segment; short segments are sorted by a bitonic network,
// one workgroup each. The order within a half is left to the atomics; what comes out does not depend on it.
//
// Sizes:      8000, 50000, 300000 u32 keys; about a quarter of them are the same
// Kernels:    partition   from, to u32[n]; chunks: segment, begin, end u32[3] each; segments: begin, end, pivot, below,
//                         above, most_below, least_above u32[7] each, the last four of which it computes; a workgroup
//                         of 256 per chunk of up to 1024 keys of a segment, which it collects in LDS
//             sort_short  keys, sorted u32[n]; ranges: begin, end, least, most u32[4] each, of 2 to 256 keys; a
//                         workgroup of 128 per range, all of it in LDS
// Divergence: partition: a key is below the pivot or not (marked): it goes to the front or to the back of the chunk's
//             LDS, and counts for the greatest key below or for the least of the others; the copy out of LDS compiles
//             to selects. sort_short: which pairs are exchanged (one-sided). Ends of chunks and ranges
// Rounding:   none, whole numbers
#include <algorithm>

#include "program.h"

namespace {

constexpr uint32_t block = 256;
constexpr uint32_t keys_per_item = 4;
constexpr uint32_t chunk_keys = block * keys_per_item;
constexpr uint32_t short_block = 128;
constexpr uint32_t short_keys = 2 * short_block;  // a work-item per pair
constexpr uint32_t greatest = 0xffffffff;

[[maybe_unused]] constexpr uint32_t log2_of(uint32_t power_of_two) {
  return power_of_two < 2 ? 0 : 1 + log2_of(power_of_two / 2);
}

// A part of the keys that a launch cuts in two. Both halves have keys, as the least key is below the pivot and the
// greatest is not.
struct segment {
  uint32_t begin, end, pivot;
  uint32_t below, above;             // keys so far
  uint32_t most_below, least_above;  // of these
};

struct chunk {
  uint32_t segment, begin, end;
};

// Keys that stay together from here on, and the least and the greatest of them.
struct range {
  uint32_t begin, end, least, most;
};

__global__ __launch_bounds__(block) void partition(const uint32_t* from, uint32_t* to, const chunk* chunks,
                                                   segment* segments) {
  __shared__ uint32_t collected[chunk_keys];
  __shared__ uint32_t below, above, most_below, least_above, below_start, above_start;
  const chunk own = chunks[blockIdx.x];
  segment& whole = segments[own.segment];
  const uint32_t pivot = whole.pivot;
  if (threadIdx.x == 0) {
    below = above = most_below = 0;
    least_above = greatest;
  }
  __syncthreads();
#pragma unroll 1
  for (uint32_t k = own.begin + threadIdx.x; k < own.end; k += block) {
    PWS_LOOP_BOUND(keys_per_item);
    const uint32_t key = from[k];
    PWS_SPLIT();
    if (key < pivot) {
      collected[atomicAdd(&below, 1u)] = key;
      atomicMax(&most_below, key);
    } else {
      collected[chunk_keys - 1 - atomicAdd(&above, 1u)] = key;
      atomicMin(&least_above, key);
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    below_start = whole.begin + atomicAdd(&whole.below, below);
    above_start = whole.end - above - atomicAdd(&whole.above, above);
    atomicMax(&whole.most_below, most_below);
    atomicMin(&whole.least_above, least_above);
  }
  __syncthreads();
#pragma unroll 1
  for (uint32_t k = threadIdx.x; k < own.end - own.begin; k += block) {
    PWS_LOOP_BOUND(keys_per_item);
    const bool low = k < below;
    const uint32_t key = collected[low ? k : chunk_keys - above + (k - below)];
    to[low ? below_start + k : above_start + (k - below)] = key;
  }
}

// Runs of ascending and of descending keys in turn, twice as long from round to round. Beyond the range's keys are
// greatest ones, up to a power of two.
__global__ __launch_bounds__(short_block) void sort_short(const uint32_t* keys, uint32_t* sorted, const range* ranges) {
  __shared__ uint32_t local[short_keys];
  const uint32_t begin = ranges[blockIdx.x].begin, count = ranges[blockIdx.x].end - begin;
#pragma unroll 1
  for (uint32_t k = threadIdx.x; k < short_keys; k += short_block) {
    PWS_LOOP_BOUND(short_keys / short_block);
    local[k] = k < count ? keys[begin + k] : greatest;
  }
#pragma unroll 1
  for (uint32_t run = 2; run < 2 * count; run *= 2) {
    PWS_LOOP_BOUND(log2_of(short_keys));
#pragma unroll 1
    for (uint32_t distance = run / 2; distance > 0; distance /= 2) {
      PWS_LOOP_BOUND(log2_of(short_keys));
      __syncthreads();
      const uint32_t first = 2 * threadIdx.x - (threadIdx.x & (distance - 1)), second = first + distance;
      const uint32_t a = local[first], b = local[second];
      const bool ascending = (first & run) == 0;
      if ((b < a) == ascending) {
        local[first] = b;
        local[second] = a;
      }
    }
  }
  __syncthreads();
#pragma unroll 1
  for (uint32_t k = threadIdx.x; k < count; k += short_block) {
    PWS_LOOP_BOUND(short_keys / short_block);
    sorted[begin + k] = local[k];
  }
}

// Sorts the short ranges and copies those whose keys are all the same; what it returns has to be cut.
std::vector<range> settle(const std::vector<range>& ranges, const uint32_t* keys, uint32_t* sorted) {
  std::vector<range> long_ones, short_ones;
  for (const range& r : ranges) {
    const uint32_t count = r.end - r.begin;
    if (r.least == r.most)
      PROGRAM_HIP(hipMemcpy(sorted + r.begin, keys + r.begin, count * sizeof(uint32_t), hipMemcpyDeviceToDevice));
    else
      (count <= short_keys ? short_ones : long_ones).push_back(r);
  }
  if (!short_ones.empty()) {
    program::device_array<range> device_ranges(short_ones);
    sort_short<<<static_cast<uint32_t>(short_ones.size()), short_block>>>(keys, sorted, device_ranges.get());
    PROGRAM_LAUNCHED();
  }
  return long_ones;
}

// One launch of partition: the segments with what it has counted.
std::vector<segment> cut(const std::vector<range>& ranges, const uint32_t* from, uint32_t* to) {
  std::vector<segment> segments;
  std::vector<chunk> chunks;
  for (const range& r : ranges) {
    const uint32_t number = static_cast<uint32_t>(segments.size());
    segments.push_back({r.begin, r.end, r.least + (r.most - r.least) / 2 + 1, 0, 0, 0, greatest});
    for (uint32_t begin = r.begin; begin < r.end; begin += chunk_keys)
      chunks.push_back({number, begin, std::min(begin + chunk_keys, r.end)});
  }
  program::device_array<segment> device_segments(segments);
  program::device_array<chunk> device_chunks(chunks);
  partition<<<static_cast<uint32_t>(chunks.size()), block>>>(from, to, device_chunks.get(), device_segments.get());
  PROGRAM_LAUNCHED();
  return device_segments.download();
}

// A segment's keys are those that stand at its places in the sorted array, so everything about its halves can be read
// there.
bool is_right(const segment& s, const std::vector<uint32_t>& sorted) {
  const auto begin = sorted.begin() + s.begin, end = sorted.begin() + s.end;
  const auto middle = std::lower_bound(begin, end, s.pivot);
  return middle != begin && middle != end && s.below == static_cast<uint32_t>(middle - begin) &&
         s.above == static_cast<uint32_t>(end - middle) && s.most_below == middle[-1] && s.least_above == *middle;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t n = o.pick(8000u, 50000u, 300000u);
  std::printf("quick_sort (%s): %u keys, seed %u\n", o.size_name(), n, o.seed);

  // Denser towards zero, so that halves of a range of keys do not have the same number of them.
  program::random_source random(o.seed);
  const uint32_t frequent = random.bits();
  std::vector<uint32_t> keys(n);
  for (uint32_t& key : keys) {
    const uint32_t x = random.bits();
    key = random.below(4) == 0 ? frequent : static_cast<uint32_t>((uint64_t{x} * random.bits()) >> 32);
  }
  std::vector<uint32_t> expected = keys;
  std::sort(expected.begin(), expected.end());

  program::device_array<uint32_t> first(keys), second(n), sorted(n);
  uint32_t *from = first.get(), *to = second.get();
  sorted.clear();
  uint32_t cuts = 0;
  bool all_right = true;
  std::vector<range> ranges = settle({{0, n, expected.front(), expected.back()}}, from, sorted.get());
  while (!ranges.empty() && all_right) {
    const std::vector<segment> segments = cut(ranges, from, to);
    std::vector<range> halves;
    for (size_t k = 0; k < segments.size(); ++k) {
      const segment& s = segments[k];
      all_right = all_right && is_right(s, expected);
      halves.push_back({s.begin, s.begin + s.below, ranges[k].least, s.most_below});
      halves.push_back({s.begin + s.below, s.end, s.least_above, ranges[k].most});
    }
    cuts += static_cast<uint32_t>(segments.size());
    std::swap(from, to);
    if (all_right) ranges = settle(halves, from, sorted.get());
  }

  std::printf("%u segments cut\n", cuts);
  program::verdict verdict;
  verdict.that("the halves of every cut are the right ones", all_right);
  verdict.equal("sorted", sorted.download(), expected);
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
