// k-means clustering (Lloyd): points are assigned to the nearest centre and centres moved to the mean of their points,
// until no point changes or 8 times. All on the GPU; the host reads how many points changed.
//
// Sizes:      100, 1000, 10000 points of 34 features, 5 clusters
// Kernels:    transpose  points f32[n][34], features f32[34][n]; one work-item per point, blocks of 256
//             assign     features f32[34][n], centres f32[5][34], cluster u32[n] (in and out), changed u32 (added to);
//                        one work-item per point, blocks of 256
//             move       features, cluster as above, centres f32[5][34] (in and out); one block of 256 per feature
// Divergence: assign: a work-item leaves a distance's sum when it is above the least so far (a loop's exit), and takes
//             over a smaller one (one side, selects). No branch has work on both sides: nothing is marked
// Rounding:   each assignment and each move is checked by itself, so that roundings do not become other clusters. A
//             distance is a sum of 34 squares in f32: the assigned centre's may be above the least one by 2^-18. A
//             centre is the mean of f32 features in [0, 1), added n / 256 at a time and then in pairs: for n = 10000
//             below 52 roundings of 2^-24, tolerance 2^-18
#include <algorithm>

#include "program.h"

namespace {

constexpr uint32_t block = 256;
constexpr uint32_t feature_count = 34;
constexpr uint32_t cluster_count = 5;
constexpr uint32_t iterations = 8;
constexpr uint32_t features_between_checks = 2;
constexpr uint32_t no_cluster = cluster_count;

__global__ void transpose(const float* points, float* features, uint32_t n) {
  const uint32_t i = blockIdx.x * block + threadIdx.x;
  if (i >= n) return;
#pragma unroll 1
  for (uint32_t f = 0; f < feature_count; ++f) {
    PWS_LOOP_BOUND(feature_count);
    features[f * n + i] = points[i * feature_count + f];
  }
}

__global__ void assign(const float* features, const float* centres, uint32_t* cluster, uint32_t* changed, uint32_t n) {
  static_assert(feature_count % features_between_checks == 0);
  const uint32_t i = blockIdx.x * block + threadIdx.x;
  if (i >= n) return;
  float least = 3e38f;
  uint32_t nearest = 0;
#pragma unroll 1
  for (uint32_t c = 0; c < cluster_count; ++c) {
    PWS_LOOP_BOUND(cluster_count);
    const float* centre = centres + c * feature_count;
    float sum = 0;
#pragma unroll 1
    for (uint32_t f = 0; f < feature_count && sum < least; f += features_between_checks) {
      PWS_LOOP_BOUND(feature_count / features_between_checks);
#pragma unroll
      for (uint32_t k = f; k < f + features_between_checks; ++k) {
        const float difference = features[k * n + i] - centre[k];
        sum += difference * difference;
      }
    }
    if (sum < least) {
      least = sum;
      nearest = c;
    }
  }
  if (cluster[i] != nearest) {
    cluster[i] = nearest;
    atomicAdd(changed, 1u);
  }
}

// Every workgroup counts the clusters' points itself, which costs less than a launch of its own.
template <uint32_t n>
__global__ __launch_bounds__(block) void move(const float* features, const uint32_t* cluster, float* centres) {
  __shared__ float sums[cluster_count][block];
  __shared__ uint32_t counts[cluster_count][block];
  const uint32_t item = threadIdx.x;
  for (uint32_t c = 0; c < cluster_count; ++c) {
    sums[c][item] = 0;
    counts[c][item] = 0;
  }
  const float* feature = features + blockIdx.x * n;
#pragma unroll 1
  for (uint32_t i = item; i < n; i += block) {
    PWS_LOOP_BOUND((n + block - 1) / block);
    const uint32_t c = cluster[i];
    sums[c][item] += feature[i];
    ++counts[c][item];
  }
  __syncthreads();
#pragma unroll 1
  for (uint32_t half = block / 2; half > 0; half /= 2) {
    PWS_LOOP_BOUND(8);
    static_assert(block == 1 << 8);
    if (item < half) {
      for (uint32_t c = 0; c < cluster_count; ++c) {
        sums[c][item] += sums[c][item + half];
        counts[c][item] += counts[c][item + half];
      }
    }
    __syncthreads();
  }
  // A centre that lost all its points stays.
  if (item < cluster_count && counts[item][0] > 0)
    centres[item * feature_count + blockIdx.x] = sums[item][0] / static_cast<float>(counts[item][0]);
}

// Blobs that overlap: so wide that points change cluster for some iterations.
std::vector<float> random_points(uint32_t n, program::random_source& random) {
  float blob[cluster_count][feature_count], width[feature_count];
  for (uint32_t f = 0; f < feature_count; ++f) {
    width[f] = random.real(0.1f, 0.4f);
    for (uint32_t c = 0; c < cluster_count; ++c) blob[c][f] = random.real(0, 1 - width[f]);
  }
  std::vector<float> points;
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t c = random.below(cluster_count);
    for (uint32_t f = 0; f < feature_count; ++f) points.push_back(blob[c][f] + random.real(0, width[f]));
  }
  return points;
}

double squared_distance(const float* point, const float* centre) {
  double sum = 0;
  for (uint32_t f = 0; f < feature_count; ++f) sum += (double(point[f]) - centre[f]) * (double(point[f]) - centre[f]);
  return sum;
}

// What the host makes of the state before an iteration and the assignment after it.
struct expectation {
  bool nearest = true;         // every point's cluster is one that it is nearest to
  uint32_t changed = 0;        // points
  double cost = 0;             // of the assignment
  std::vector<float> centres;  // after the move
};

expectation expect(const std::vector<float>& points, const std::vector<float>& centres,
                   const std::vector<uint32_t>& before, const std::vector<uint32_t>& after) {
  expectation e;
  std::vector<double> sums(centres.size());
  std::vector<uint32_t> counts(cluster_count);
  for (size_t i = 0; i < after.size(); ++i) {
    e.changed += after[i] != before[i];
    if (after[i] >= cluster_count) {
      e.nearest = false;
      continue;
    }
    const float* point = &points[i * feature_count];
    double least = squared_distance(point, &centres[0]);
    for (uint32_t c = 1; c < cluster_count; ++c)
      least = std::min(least, squared_distance(point, &centres[c * feature_count]));
    const double own = squared_distance(point, &centres[after[i] * feature_count]);
    e.nearest = e.nearest && own <= least * (1 + 0x1p-18);
    e.cost += own;
    ++counts[after[i]];
    for (uint32_t f = 0; f < feature_count; ++f) sums[after[i] * feature_count + f] += point[f];
  }
  e.centres = centres;
  for (uint32_t c = 0; c < cluster_count; ++c)
    for (uint32_t f = 0; f < feature_count; ++f)
      if (counts[c] > 0) e.centres[c * feature_count + f] = static_cast<float>(sums[c * feature_count + f] / counts[c]);
  return e;
}

template <uint32_t n>
void run(const std::vector<float>& points, program::verdict& verdict) {
  std::vector<float> centres(points.begin(), points.begin() + cluster_count * feature_count);
  std::vector<uint32_t> cluster(n, no_cluster);
  program::device_array<float> device_points(points), features(points.size()), device_centres(centres);
  program::device_array<uint32_t> device_cluster(cluster), device_changed(1);
  const uint32_t blocks = program::blocks_of(n, block);
  transpose<<<blocks, block>>>(device_points.get(), features.get(), n);
  PROGRAM_HIP(hipGetLastError());

  double cost = HUGE_VAL;
  for (uint32_t iteration = 0; iteration < iterations; ++iteration) {
    device_changed.clear();
    assign<<<blocks, block>>>(features.get(), device_centres.get(), device_cluster.get(), device_changed.get(), n);
    PROGRAM_HIP(hipGetLastError());
    move<n><<<feature_count, block>>>(features.get(), device_cluster.get(), device_centres.get());
    PROGRAM_LAUNCHED();
    const std::vector<uint32_t> assigned = device_cluster.download(), changed = device_changed.download();
    const std::vector<float> moved = device_centres.download();

    const expectation e = expect(points, centres, cluster, assigned);
    std::printf("iteration %u: %u points changed, cost %.6g\n", iteration + 1, changed[0], e.cost);
    verdict.that("clusters are the nearest", e.nearest);
    verdict.that("the count of changes is right", changed[0] == e.changed);
    verdict.that("the cost did not rise", e.cost <= cost * (1 + 0x1p-18));
    verdict.close("centres", moved, e.centres, 0x1p-18);
    cost = e.cost;
    cluster = assigned;
    centres = moved;
    if (changed[0] == 0) break;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t n = o.pick(100u, 1000u, 10000u);
  std::printf("kmeans (%s): %u points, %u features, %u clusters, seed %u\n", o.size_name(), n, feature_count,
              cluster_count, o.seed);

  program::random_source random(o.seed);
  const std::vector<float> points = random_points(n, random);
  program::verdict verdict;
  switch (o.size) {
    case program::size::small:
      run<100>(points, verdict);
      break;
    case program::size::medium:
      run<1000>(points, verdict);
      break;
    case program::size::large:
      run<10000>(points, verdict);
      break;
  }
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
