// SPDX-License-Identifier: Apache-2.0
// Angular correlation of points on a sphere: how many pairs are how far apart. Counts by the angle's cosine, in bins
// that grow with the angle, of the pairs within the data, within a random set, and of one from each.
//
// Sizes:      128, 512, 2048 points in each set; 20 bins
// Kernel:     correlate  left, right float4[n]; limits f32[19], descending cosines; counts u32[20], added to; self:
// left
//                        and right are the same set, of which each pair counts once. A work-item per point of left,
//                        blocks of 128; the points of right come through LDS, 128 at a time
// Divergence: within one set a work-item's loop begins behind its own point. The bin is found by halving (selects)
// Rounding:   none: coordinates are whole multiples of 2^-11, so that a product is one of 2^-22, and the sum of three
// of
//             them, below 4, has at most 24 bits. Counts are equal bit for bit
#include <algorithm>

#include "program.h"

namespace {

constexpr uint32_t block = 128;
constexpr uint32_t bin_count = 20;
constexpr uint32_t halvings = 5;

__global__ __launch_bounds__(block) void correlate(const float4* left, const float4* right, const float* limits,
                                                   uint32_t* counts, uint32_t n, bool self) {
  __shared__ float4 tile[block];
  __shared__ uint32_t histogram[bin_count];
  const uint32_t item = threadIdx.x, i = blockIdx.x * block + item;
  if (item < bin_count) histogram[item] = 0;
  const float4 a = left[i];
#pragma unroll 1
  for (uint32_t base = self ? blockIdx.x * block : 0; base < n; base += block) {
    PWS_LOOP_BOUND(16);
    __syncthreads();
    tile[item] = right[base + item];
    __syncthreads();
    const uint32_t from = self && base < i + 1 ? i + 1 - base : 0;
#pragma unroll 1
    for (uint32_t k = from; k < block; ++k) {
      PWS_LOOP_BOUND(block);
      const float cosine = a.x * tile[k].x + a.y * tile[k].y + a.z * tile[k].z;
      uint32_t low = 0, high = bin_count - 1;  // the bin is in [low, high]
#pragma unroll 1
      while (low < high) {
        PWS_LOOP_BOUND(halvings);
        const uint32_t middle = (low + high) / 2;
        if (cosine >= limits[middle]) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      atomicAdd(&histogram[low], 1u);
    }
  }
  __syncthreads();
  if (item < bin_count && histogram[item] > 0) atomicAdd(&counts[item], histogram[item]);
}

// In steps of 2^-11, and with a length of nearly 1.
std::vector<float4> random_points(program::random_source& random, uint32_t n) {
  std::vector<float4> points;
  while (points.size() < n) {
    const float x = random.real(-1, 1), y = random.real(-1, 1), z = random.real(-1, 1);
    const float square = x * x + y * y + z * z;
    if (square > 1 || square < 0.01f) continue;
    const float scale = 2048 / std::sqrt(square);
    float4 p;
    p.x = std::nearbyint(x * scale) / 2048;
    p.y = std::nearbyint(y * scale) / 2048;
    p.z = std::nearbyint(z * scale) / 2048;
    p.w = 0;
    points.push_back(p);
  }
  return points;
}

std::vector<uint32_t> reference(const std::vector<float4>& left, const std::vector<float4>& right,
                                const std::vector<float>& limits, bool self) {
  std::vector<uint32_t> counts(bin_count);
  for (size_t i = 0; i < left.size(); ++i) {
    for (size_t k = self ? i + 1 : 0; k < right.size(); ++k) {
      const double cosine =
          double(left[i].x) * right[k].x + double(left[i].y) * right[k].y + double(left[i].z) * right[k].z;
      size_t bin = 0;
      while (bin < limits.size() && cosine < limits[bin]) ++bin;
      ++counts[bin];
    }
  }
  return counts;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t n = o.pick(128u, 512u, 2048u);
  std::printf("angular_correlation (%s): %u points in each set, %u bins, seed %u\n", o.size_name(), n, bin_count,
              o.seed);

  program::random_source random(o.seed);
  const std::vector<float4> data = random_points(random, n), at_random = random_points(random, n);
  std::vector<float> limits;  // of angles up to 3, each 1.25 times the one before
  for (uint32_t k = 0; k < bin_count - 1; ++k)
    limits.push_back(static_cast<float>(std::cos(3 / std::pow(1.25, bin_count - 2 - k))));

  program::device_array<float4> device_data(data), device_random(at_random);
  program::device_array<float> device_limits(limits);
  program::verdict verdict;
  const auto compare = [&](const char* name, const std::vector<float4>& left, const program::device_array<float4>& l,
                           const std::vector<float4>& right, const program::device_array<float4>& r, bool self) {
    program::device_array<uint32_t> counts(bin_count);
    counts.clear();
    correlate<<<n / block, block>>>(l.get(), r.get(), device_limits.get(), counts.get(), n, self);
    PROGRAM_LAUNCHED();
    verdict.equal(name, counts.download(), reference(left, right, limits, self));
  };
  compare("data", data, device_data, data, device_data, true);
  compare("random", at_random, device_random, at_random, device_random, true);
  compare("data and random", data, device_data, at_random, device_random, false);
  return verdict.finish();
}
