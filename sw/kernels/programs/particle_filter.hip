// Particle filter that follows a bright disk through a noisy video. In each frame every particle moves as the disk does
// but for noise, is weighed by how much the pixels around it look like the disk, and particles are drawn anew by
// weight.
//
// Positions are in 1/256 pixel, weights 2^16 at most, all in integers: sums do not depend on their order.
//
// Sizes:      16x16 pixels, 5 frames, 100 particles; 64x64, 9, 1000; 512x512, 9, 16000
// Kernels:    a work-item per particle, blocks of 128
//             likelihood  moves the particles x, y i32[particles] with random states u32[particles], sums the pixels of
//                         the disk's points less the middle between disk and background into likelihoods
//                         i32[particles]; their maximum into best i32
//             normalize   weights u32[particles] are the exponential of likelihood less maximum, the best one's 2^16;
//                         cumulative u32[particles] sums them up within the block; totals of the blocks: weight u32,
//                         weight times x, y i64[2]
//             scan        one workgroup: the weight before each block u32[blocks], the step between two draws, the sums
//                         of weight, weight times x, weight times y i64[3]
//             resample    draw i is the particle at which the cumulative weight exceeds i steps and an offset: searched
//                         block by block, then within the block
// Divergence: likelihood on the position: particles of which the whole disk is within the frame, and the others, which
//             have to look at each point; resample in the number of steps of its search, one side only; scan and
//             trees in LDS one side only
// Rounding:   none, integers
#include <algorithm>
#include <cmath>

#include "program.h"

namespace {

constexpr uint32_t block = 128;
constexpr int disk_level = 228, background_level = 100, middle_level = (disk_level + background_level) / 2;
constexpr int one = 256;  // pixel
// The disk's motion per frame, in pixels.
constexpr int motion_x = 1, motion_y = -2;
// A weight halves when the pixels' mean falls by 8: 64 steps of the table, 8 per level.
constexpr int steps_per_level = 8, steps_per_half = 64;

struct point {
  int x, y;
};

constexpr int points_of_disk(int radius) {
  int points = 0;
  for (int y = -radius; y <= radius; ++y)
    for (int x = -radius; x <= radius; ++x) points += x * x + y * y <= radius * radius;
  return points;
}

// xorshift32, and of it a sum of four bytes, which is close enough to normal: mean 0, deviation 148.
static __host__ __device__ __forceinline__ int noise(uint32_t& state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  const uint32_t sum = (state & 255) + (state >> 8 & 255) + (state >> 16 & 255) + (state >> 24);
  return static_cast<int>(sum) - 510;
}

template <int radius, uint32_t particles>
__global__ void likelihood(int* x, int* y, uint32_t* states, const uint8_t* frame, const point* disk, int* likelihoods,
                           int* best, int edge, int spread) {
  constexpr int points = points_of_disk(radius);
  __shared__ int most[block];
  const uint32_t local = threadIdx.x, i = blockIdx.x * block + local;
  int sum = INT32_MIN;
  if (i < particles) {
    uint32_t state = states[i];
    const int new_x = x[i] + motion_x * one + noise(state) * spread;
    const int new_y = y[i] + motion_y * one + noise(state) * spread;
    x[i] = new_x;
    y[i] = new_y;
    states[i] = state;

    const int column = (new_x + one / 2) >> 8, row = (new_y + one / 2) >> 8;
    const uint32_t inner = static_cast<uint32_t>(edge - 2 * radius);
    sum = 0;
    PWS_SPLIT();
    if ((static_cast<uint32_t>(column - radius) < inner) & (static_cast<uint32_t>(row - radius) < inner)) {
      const uint8_t* const centre = frame + row * edge + column;
#pragma unroll 1
      for (int k = 0; k < points; ++k) {
        PWS_LOOP_BOUND(points);
        sum += centre[disk[k].y * edge + disk[k].x] - middle_level;
      }
    } else {
#pragma unroll 1
      for (int k = 0; k < points; ++k) {
        PWS_LOOP_BOUND(points);
        const int at_x = column + disk[k].x, at_y = row + disk[k].y;
        int level = background_level;
        if (at_x >= 0 && at_x < edge && at_y >= 0 && at_y < edge) level = frame[at_y * edge + at_x];
        sum += level - middle_level;
      }
    }
    likelihoods[i] = sum;
  }
  most[local] = sum;
  __syncthreads();
#pragma unroll 1
  for (uint32_t half = block / 2; half > 0; half /= 2) {
    PWS_LOOP_BOUND(7);  // log2(block)
    if (local < half) most[local] = max(most[local], most[local + half]);
    __syncthreads();
  }
  if (local == 0) atomicMax(best, most[0]);
}

template <int radius, uint32_t particles>
__global__ void normalize(const int* x, const int* y, const int* likelihoods, const int* best,
                          const uint32_t* exponential, uint32_t* weights, uint32_t* cumulative, uint32_t* block_weight,
                          int64_t* block_moment) {
  constexpr uint32_t points = points_of_disk(radius);
  __shared__ uint32_t weight_up_to[block];
  __shared__ int64_t moment_x[block], moment_y[block];
  const uint32_t local = threadIdx.x, i = blockIdx.x * block + local;
  uint32_t weight = 0;
  int64_t at_x = 0, at_y = 0;
  if (i < particles) {
    // At most 255 levels, so that the shift is by 31 at most.
    const uint32_t steps = static_cast<uint32_t>(*best - likelihoods[i]) * steps_per_level / points;
    weight = exponential[steps % steps_per_half] >> (steps / steps_per_half);
    weights[i] = weight;
    at_x = x[i];
    at_y = y[i];
  }
  weight_up_to[local] = weight;
  moment_x[local] = weight * at_x;
  moment_y[local] = weight * at_y;
  __syncthreads();
#pragma unroll 1
  for (uint32_t distance = 1; distance < block; distance *= 2) {
    PWS_LOOP_BOUND(7);
    const uint32_t before = local >= distance ? weight_up_to[local - distance] : 0;
    __syncthreads();
    weight_up_to[local] += before;
    __syncthreads();
  }
#pragma unroll 1
  for (uint32_t half = block / 2; half > 0; half /= 2) {
    PWS_LOOP_BOUND(7);
    if (local < half) {
      moment_x[local] += moment_x[local + half];
      moment_y[local] += moment_y[local + half];
    }
    __syncthreads();
  }
  if (i < particles) cumulative[i] = weight_up_to[local];
  if (local == 0) {
    block_weight[blockIdx.x] = weight_up_to[block - 1];
    block_moment[2 * blockIdx.x] = moment_x[0];
    block_moment[2 * blockIdx.x + 1] = moment_y[0];
  }
}

template <uint32_t particles>
__global__ void scan(const uint32_t* block_weight, const int64_t* block_moment, uint32_t* block_start, uint32_t* step,
                     int64_t* sums) {
  constexpr uint32_t blocks = (particles + block - 1) / block;
  static_assert(blocks <= block);
  __shared__ uint32_t weight_up_to[block];
  __shared__ int64_t moment_x[block], moment_y[block];
  const uint32_t local = threadIdx.x;
  const uint32_t own = local < blocks ? block_weight[local] : 0;
  weight_up_to[local] = own;
  moment_x[local] = local < blocks ? block_moment[2 * local] : 0;
  moment_y[local] = local < blocks ? block_moment[2 * local + 1] : 0;
  __syncthreads();
#pragma unroll 1
  for (uint32_t distance = 1; distance < block; distance *= 2) {
    PWS_LOOP_BOUND(7);
    const uint32_t before = local >= distance ? weight_up_to[local - distance] : 0;
    __syncthreads();
    weight_up_to[local] += before;
    __syncthreads();
  }
#pragma unroll 1
  for (uint32_t half = block / 2; half > 0; half /= 2) {
    PWS_LOOP_BOUND(7);
    if (local < half) {
      moment_x[local] += moment_x[local + half];
      moment_y[local] += moment_y[local + half];
    }
    __syncthreads();
  }
  if (local < blocks) block_start[local] = weight_up_to[local] - own;
  if (local == 0) {
    const uint32_t total = weight_up_to[block - 1];
    *step = total / particles;
    sums[0] = total;
    sums[1] = moment_x[0];
    sums[2] = moment_y[0];
  }
}

// `fraction` of a step, in 1/65536, is the offset.
template <uint32_t particles>
__global__ void resample(const int* x, const int* y, const uint32_t* cumulative, const uint32_t* block_start,
                         const uint32_t* step, int* drawn_x, int* drawn_y, uint32_t fraction) {
  constexpr uint32_t blocks = (particles + block - 1) / block;
  const uint32_t i = blockIdx.x * block + threadIdx.x;
  if (i >= particles) return;
  const uint32_t offset = static_cast<uint32_t>(uint64_t{*step} * fraction >> 16);
  const uint32_t wanted = i * *step + offset;
  uint32_t of_block = 0;
  if constexpr (blocks > 1) {
    // All of them: the same for all work-items, and a scalar load each.
#pragma unroll 1
    for (uint32_t k = 1; k < blocks; ++k) {
      PWS_LOOP_BOUND(blocks - 1);
      of_block += block_start[k] <= wanted ? 1 : 0;
    }
  }
  const uint32_t left = wanted - block_start[of_block], first = of_block * block;
  // Some sum is above what is wanted: that is less than the total, which the best particle alone makes positive.
  uint32_t index = first;
#pragma unroll 1
  while (cumulative[index] <= left) {
    PWS_LOOP_BOUND(block - 1);  // the block's last sum is above
    ++index;
  }
  drawn_x[i] = x[index];
  drawn_y[i] = y[index];
}

struct video {
  uint32_t edge, frames;
  int start_x, start_y;
  std::vector<uint8_t> pixels;
};

struct state {
  std::vector<int> x, y;
  std::vector<uint32_t> weights;
  std::vector<int64_t> sums;  // three for each frame but the first
};

struct problem {
  video film;
  std::vector<point> disk;
  std::vector<uint32_t> random_states, fractions, exponential;
  int spread;
};

template <int radius, uint32_t particles>
state on_device(const problem& p) {
  constexpr uint32_t blocks = (particles + block - 1) / block;
  const size_t frame_size = size_t{p.film.edge} * p.film.edge;
  const program::device_array<uint8_t> pixels(p.film.pixels);
  const program::device_array<point> disk(p.disk);
  const program::device_array<uint32_t> states(p.random_states), exponential(p.exponential);
  program::device_array<int> x(std::vector<int>(particles, p.film.start_x * one));
  program::device_array<int> y(std::vector<int>(particles, p.film.start_y * one));
  program::device_array<int> drawn_x(particles), drawn_y(particles), likelihoods(particles), best(1);
  program::device_array<uint32_t> weights(particles), cumulative(particles), block_weight(blocks), block_start(blocks);
  program::device_array<uint32_t> step(1);
  program::device_array<int64_t> block_moment(2 * blocks), sums(3);
  state result;
  int *from_x = x.get(), *from_y = y.get(), *to_x = drawn_x.get(), *to_y = drawn_y.get();
  for (uint32_t k = 1; k < p.film.frames; ++k) {
    best.upload({INT32_MIN});
    likelihood<radius, particles><<<blocks, block>>>(from_x, from_y, states.get(), pixels.get() + k * frame_size,
                                                     disk.get(), likelihoods.get(), best.get(),
                                                     static_cast<int>(p.film.edge), p.spread);
    PROGRAM_LAUNCHED();
    normalize<radius, particles><<<blocks, block>>>(from_x, from_y, likelihoods.get(), best.get(), exponential.get(),
                                                    weights.get(), cumulative.get(), block_weight.get(),
                                                    block_moment.get());
    PROGRAM_LAUNCHED();
    scan<particles><<<1, block>>>(block_weight.get(), block_moment.get(), block_start.get(), step.get(), sums.get());
    PROGRAM_LAUNCHED();
    resample<particles><<<blocks, block>>>(from_x, from_y, cumulative.get(), block_start.get(), step.get(), to_x, to_y,
                                           p.fractions[k]);
    PROGRAM_LAUNCHED();
    for (const int64_t sum : sums.download()) result.sums.push_back(sum);
    std::swap(from_x, to_x);
    std::swap(from_y, to_y);
  }
  const bool swapped = from_x != x.get();
  result.x = swapped ? drawn_x.download() : x.download();
  result.y = swapped ? drawn_y.download() : y.download();
  result.weights = weights.download();
  return result;
}

// With one cumulative sum over all particles.
state on_host(const problem& p, size_t particles) {
  state s;
  s.x.assign(particles, p.film.start_x * one);
  s.y.assign(particles, p.film.start_y * one);
  const int edge = static_cast<int>(p.film.edge), points = static_cast<int>(p.disk.size());
  std::vector<uint32_t> random = p.random_states;
  for (uint32_t k = 1; k < p.film.frames; ++k) {
    const auto pixel = [&](int column, int row) -> int {
      if (column < 0 || row < 0 || column >= edge || row >= edge) return background_level;
      return p.film.pixels[(static_cast<size_t>(k) * edge + row) * edge + column];
    };
    std::vector<int> brightness(particles);
    for (size_t i = 0; i < particles; ++i) {
      s.x[i] += motion_x * one + noise(random[i]) * p.spread;
      s.y[i] += motion_y * one + noise(random[i]) * p.spread;
      const int column = static_cast<int>(std::floor(s.x[i] / double{one} + 0.5));
      const int row = static_cast<int>(std::floor(s.y[i] / double{one} + 0.5));
      for (const point d : p.disk) brightness[i] += pixel(column + d.x, row + d.y);
    }
    const int most = *std::max_element(brightness.begin(), brightness.end());
    std::vector<uint64_t> up_to(particles);
    s.weights.resize(particles);
    int64_t total = 0, moment_x = 0, moment_y = 0;
    for (size_t i = 0; i < particles; ++i) {
      const int steps = (most - brightness[i]) * steps_per_level / points;
      s.weights[i] = p.exponential[steps % steps_per_half] >> (steps / steps_per_half);
      total += s.weights[i];
      moment_x += int64_t{s.weights[i]} * s.x[i];
      moment_y += int64_t{s.weights[i]} * s.y[i];
      up_to[i] = static_cast<uint64_t>(total);
    }
    s.sums.insert(s.sums.end(), {total, moment_x, moment_y});
    std::vector<int> drawn_x, drawn_y;
    const uint64_t step = static_cast<uint64_t>(total) / particles;
    for (size_t i = 0; i < particles; ++i) {
      const uint64_t wanted = i * step + (step * p.fractions[k] >> 16);
      const size_t index = std::upper_bound(up_to.begin(), up_to.end(), wanted) - up_to.begin();
      drawn_x.push_back(s.x[index]);
      drawn_y.push_back(s.y[index]);
    }
    s.x = drawn_x;
    s.y = drawn_y;
  }
  return s;
}

// The disk starts at the left border and is close to the upper one in the last frame.
video record(uint32_t edge, uint32_t frames, int radius, program::random_source& random) {
  video film{edge, frames, radius, 2 * static_cast<int>(frames) + radius - 2, {}};
  for (int k = 0; k < static_cast<int>(frames); ++k)
    for (int row = 0; row < static_cast<int>(edge); ++row)
      for (int column = 0; column < static_cast<int>(edge); ++column) {
        const int x = column - film.start_x - k * motion_x, y = row - film.start_y - k * motion_y;
        const int level = x * x + y * y <= radius * radius ? disk_level : background_level;
        film.pixels.push_back(static_cast<uint8_t>(std::min(255, level + static_cast<int>(random.below(61)) - 30)));
      }
  return film;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t edge = o.pick(16u, 64u, 512u), frames = o.pick(5u, 9u, 9u), particles = o.pick(100u, 1000u, 16000u);
  const int radius = o.pick(2, 4, 5);
  std::printf("particle_filter (%s): %ux%u pixels, %u frames, %u particles, seed %u\n", o.size_name(), edge, edge,
              frames, particles, o.seed);

  program::random_source random(o.seed);
  problem p;
  p.film = record(edge, frames, radius, random);
  for (int y = -radius; y <= radius; ++y)
    for (int x = -radius; x <= radius; ++x)
      if (x * x + y * y <= radius * radius) p.disk.push_back({x, y});
  for (uint32_t i = 0; i < particles; ++i) p.random_states.push_back(random.bits() | 1);
  for (uint32_t k = 0; k < frames; ++k) p.fractions.push_back(random.below(65536));
  for (int k = 0; k < steps_per_half; ++k)
    p.exponential.push_back(static_cast<uint32_t>(std::lround(65536 * std::exp2(-k / double{steps_per_half}))));
  p.spread = o.pick(2, 4, 4);

  const auto run = o.pick(on_device<2, 100>, on_device<4, 1000>, on_device<5, 16000>);
  const state got = run(p), want = on_host(p, particles);
  program::verdict verdict;
  verdict.equal("weight and moments", got.sums, want.sums);
  verdict.equal("weight", got.weights, want.weights);
  verdict.equal("x", got.x, want.x);
  verdict.equal("y", got.y, want.y);
  const size_t last = got.sums.size() - 3;
  const double scale = 1 / (double(got.sums[last]) * one);
  const double x = got.sums[last + 1] * scale, y = got.sums[last + 2] * scale;
  const int moves = static_cast<int>(frames) - 1;
  const double away = std::hypot(x - (p.film.start_x + moves * motion_x), y - (p.film.start_y + moves * motion_y));
  verdict.that("the disk is not lost", away <= radius);
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
