// SPDX-License-Identifier: Apache-2.0
// Magnetic resonance samples off the grid, put onto it: each sample spreads over the grid points within its window,
// weighted by the distance in each direction. Samples are sorted into tiles of the grid first, so that a point finds
// its samples in its own tile and the up to eight around it.
//
// Sizes:      300, 3000, 20000 samples; 32 x 32, 64 x 64, 128 x 128 points; tiles of 8 x 8 points
// Kernels:    binning  samples float4[n]: position, real and imaginary part; tile u32[n], in_tile u32[n]: the sample's
//                      place among those of its tile; counts u32[tiles], added to; a work-item per sample, blocks of 64
//             scan     counts u32[tiles], first u32[tiles + 1]: sums of those before; one block of 256
//             reorder  samples, tile, in_tile, first as above; sorted float4[n]
//             gridding sorted, first as above; grid float2[height][width]; a workgroup of 64 per tile, a work-item per
//                      point
// Divergence: a sample is within a point's window or not (one side); in one it is weighted by a parabola near the
//             point, and by another one further away (marked). Loops of a tile's samples are the same for all of its
//             points. `scan` adds up in a tree whose work-items switch off
// Rounding:   f32, fused or not, against double: a weight is at most 1 and wrong by less than 2^-20, also where the
//             parabolas meet or end, and values are in [-1, 1). Of 64 samples at most in reach of a point, a sum is
//             wrong by less than 64 * (2^-20 + 64 * 2^-24) < 2^-11; the order of samples in a tile is left to atomics
#include <algorithm>

#include "program.h"

namespace {

constexpr uint32_t block = 64, scan_block = 256;
constexpr uint32_t tile_edge = 8;
constexpr uint32_t samples_of_tile = 192;  // at most
constexpr float reach = 3;

__global__ void binning(const float4* samples, uint32_t* tile, uint32_t* in_tile, uint32_t* counts, uint32_t n,
                        uint32_t tiles) {
  const uint32_t i = blockIdx.x * block + threadIdx.x;
  if (i >= n) return;
  const uint32_t x = static_cast<uint32_t>(samples[i].x) / tile_edge,
                 y = static_cast<uint32_t>(samples[i].y) / tile_edge;
  tile[i] = y * tiles + x;
  in_tile[i] = atomicAdd(&counts[y * tiles + x], 1u);
}

// Sums of pairs, of pairs of pairs and so on, and back (Blelloch).
__global__ __launch_bounds__(scan_block) void scan(const uint32_t* counts, uint32_t* first, uint32_t tiles) {
  __shared__ uint32_t sums[scan_block];
  const uint32_t item = threadIdx.x;
  sums[item] = item < tiles ? counts[item] : 0;
#pragma unroll 1
  for (uint32_t step = 1; step < scan_block; step *= 2) {
    PWS_LOOP_BOUND(8);
    __syncthreads();
    if (const uint32_t at = (item + 1) * 2 * step - 1; at < scan_block) sums[at] += sums[at - step];
  }
  __syncthreads();
  if (item == 0) {
    first[tiles] = sums[scan_block - 1];
    sums[scan_block - 1] = 0;
  }
#pragma unroll 1
  for (uint32_t step = scan_block / 2; step > 0; step /= 2) {
    PWS_LOOP_BOUND(8);
    __syncthreads();
    if (const uint32_t at = (item + 1) * 2 * step - 1; at < scan_block) {
      const uint32_t before = sums[at];
      sums[at] += sums[at - step];
      sums[at - step] = before;
    }
  }
  __syncthreads();
  if (item < tiles) first[item] = sums[item];
}

__global__ void reorder(const float4* samples, const uint32_t* tile, const uint32_t* in_tile, const uint32_t* first,
                        float4* sorted, uint32_t n) {
  const uint32_t i = blockIdx.x * block + threadIdx.x;
  if (i < n) sorted[first[tile[i]] + in_tile[i]] = samples[i];
}

// A bell of two parabolas: of width 3, continuous, with a continuous slope.
template <typename real>
__host__ __device__ __forceinline__ real bell(real distance) {
  const real d = distance * real(1 / 3.0);
  const real near = 1 - 2 * d * d, far = 2 * (1 - d) * (1 - d);
  return d < real(0.5) ? near : far;
}

__global__ __launch_bounds__(block) void gridding(const float4* sorted, const uint32_t* first, float2* grid,
                                                  uint32_t tiles) {
  const uint32_t x = blockIdx.x * tile_edge + threadIdx.x % tile_edge;
  const uint32_t y = blockIdx.y * tile_edge + threadIdx.x / tile_edge;
  const float px = x, py = y;
  float real = 0, imaginary = 0;
#pragma unroll 1
  for (uint32_t j = blockIdx.y - min(blockIdx.y, 1u); j <= min(blockIdx.y + 1, tiles - 1); ++j) {
    PWS_LOOP_BOUND(3);
#pragma unroll 1
    for (uint32_t i = blockIdx.x - min(blockIdx.x, 1u); i <= min(blockIdx.x + 1, tiles - 1); ++i) {
      PWS_LOOP_BOUND(3);
#pragma unroll 1
      for (uint32_t k = first[j * tiles + i]; k < first[j * tiles + i + 1]; ++k) {
        PWS_LOOP_BOUND(samples_of_tile);
        const float4 sample = sorted[k];
        const float dx = fabsf(sample.x - px), dy = fabsf(sample.y - py);
        if (dx < reach && dy < reach) {
          const float across = bell(dx);
          float weight;
          PWS_SPLIT();
          if (dy < reach / 2) {
            weight = across * (1 - 2 * (dy / reach) * (dy / reach));
          } else {
            weight = across * 2 * (1 - dy / reach) * (1 - dy / reach);
          }
          real += weight * sample.z;
          imaginary += weight * sample.w;
        }
      }
    }
  }
  grid[y * tiles * tile_edge + x] = make_float2(real, imaginary);
}

// On spirals, whose arms are denser in the middle, as scanners take them.
std::vector<float4> random_samples(program::random_source& random, uint32_t n, float width) {
  std::vector<float4> samples;
  for (uint32_t i = 0; i < n; ++i) {
    const double share = (i + 0.5) / n, angle = share * n * 0.1 + random.real(0, 0.05f);
    const double radius = (0.2 + 0.8 * std::sqrt(share)) * (width / 2 - 1);
    float4 s;
    s.x = static_cast<float>(width / 2 + radius * std::cos(angle));
    s.y = static_cast<float>(width / 2 + radius * std::sin(angle));
    s.z = random.real(-1, 1);
    s.w = random.real(-1, 1);
    samples.push_back(s);
  }
  return samples;
}

// Sample by sample; real and imaginary parts in turn.
std::vector<float> reference(const std::vector<float4>& samples, uint32_t width) {
  std::vector<double> grid(size_t{2} * width * width);
  for (const float4& s : samples)
    for (uint32_t y = 0; y < width; ++y)
      for (uint32_t x = 0; x < width; ++x) {
        const double dx = std::fabs(double(s.x) - x), dy = std::fabs(double(s.y) - y);
        if (dx >= double(reach) || dy >= double(reach)) continue;
        const double weight = bell(dx) * bell(dy);
        grid[2 * (size_t{y} * width + x)] += weight * s.z;
        grid[2 * (size_t{y} * width + x) + 1] += weight * s.w;
      }
  return {grid.begin(), grid.end()};
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t n = o.pick(300u, 3000u, 20000u), tiles = o.pick(4u, 8u, 16u), width = tiles * tile_edge;
  std::printf("mri_gridding (%s): %u samples, %u x %u points, seed %u\n", o.size_name(), n, width, width, o.seed);

  program::random_source random(o.seed);
  const std::vector<float4> samples = random_samples(random, n, static_cast<float>(width));
  program::device_array<float4> device_samples(samples), sorted(n);
  program::device_array<uint32_t> tile(n), in_tile(n), counts(tiles * tiles), first(tiles * tiles + 1);
  program::device_array<float2> grid(size_t{width} * width);
  counts.clear();
  const uint32_t blocks = program::blocks_of(n, block);
  binning<<<blocks, block>>>(device_samples.get(), tile.get(), in_tile.get(), counts.get(), n, tiles);
  PROGRAM_HIP(hipGetLastError());
  scan<<<1, scan_block>>>(counts.get(), first.get(), tiles * tiles);
  PROGRAM_HIP(hipGetLastError());
  reorder<<<blocks, block>>>(device_samples.get(), tile.get(), in_tile.get(), first.get(), sorted.get(), n);
  PROGRAM_HIP(hipGetLastError());
  gridding<<<dim3(tiles, tiles), block>>>(sorted.get(), first.get(), grid.get(), tiles);
  PROGRAM_LAUNCHED();

  program::verdict verdict;
  const std::vector<uint32_t> samples_in = counts.download();
  verdict.that("no tile has more samples than the loop's mark allows",
               *std::max_element(samples_in.begin(), samples_in.end()) <= samples_of_tile);
  std::vector<float> got;
  for (const float2 value : grid.download()) {
    got.push_back(value.x);
    got.push_back(value.y);
  }
  verdict.close("grid, real and imaginary parts", got, reference(samples, width), 0, 0x1p-11);
  return verdict.finish();
}
