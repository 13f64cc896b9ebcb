// Nearest neighbours: the distance of every record (latitude, longitude) to a target on the GPU, the ten nearest of
// them chosen on the host.
//
// Sizes:      100, 1000, 10000 records
// Kernel:     distances: latitude, longitude f32[n] in degrees, distance f32[n]; a work-item per record, blocks of 256
// Divergence: the bounds check only
// Rounding:   squares and sum in f32, not fused; square root within 1 ulp
#include <algorithm>
#include <numeric>

#include "program.h"

namespace {

constexpr uint32_t block = 256;
constexpr size_t wanted = 10;

__global__ void distances(const float* latitude, const float* longitude, float* distance, uint32_t n,
                          float target_latitude, float target_longitude) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float north = latitude[i] - target_latitude, east = longitude[i] - target_longitude;
  distance[i] = sqrtf(north * north + east * east);
}

// Numbers of the nearest records, nearest first; the lower number of equal ones.
std::vector<uint32_t> nearest(const std::vector<float>& distance) {
  std::vector<uint32_t> order(distance.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return distance[a] < distance[b]; });
  order.resize(std::min(wanted, order.size()));
  return order;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t n = o.pick(100u, 1000u, 10000u);
  std::printf("nearest_neighbour (%s): %u records, seed %u\n", o.size_name(), n, o.seed);

  program::random_source random(o.seed);
  std::vector<float> latitude(n), longitude(n);
  for (uint32_t i = 0; i < n; ++i) {
    latitude[i] = random.real(7, 70);
    longitude[i] = random.real(0, 360);
  }
  const float target_latitude = random.real(7, 70), target_longitude = random.real(0, 360);

  program::device_array<float> device_latitude(latitude), device_longitude(longitude), device_distance(n);
  distances<<<program::blocks_of(n, block), block>>>(device_latitude.get(), device_longitude.get(),
                                                     device_distance.get(), n, target_latitude, target_longitude);
  PROGRAM_LAUNCHED();

  std::vector<float> expected(n);
  for (uint32_t i = 0; i < n; ++i) {
    const float north = latitude[i] - target_latitude, east = longitude[i] - target_longitude;
    expected[i] = std::sqrt(north * north + east * east);
  }
  const std::vector<float> got = device_distance.download();
  program::verdict verdict;
  verdict.close("distance", got, expected, 0x1p-22);
  verdict.equal("nearest", nearest(got), nearest(expected));
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
