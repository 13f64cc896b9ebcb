// SPDX-License-Identifier: Apache-2.0
// Motion search of a video encoder: sums of absolute differences between each 4 x 4 block of a frame and the blocks of
// the frame before at every displacement of a search window, and from them those of 8 x 8 and 16 x 16 blocks. Behind
// the frame's border its outermost pixels go on.
//
// Sizes:      32 x 32, 96 x 64, 176 x 144 pixels; displacements of up to 4, 4, 8 pixels in each direction
// Kernels:    small  current, before u8[height][width]; sums u32[blocks][displacements]; a workgroup of 64 per 4 x 4
//                    block, whose work-items take displacements 64 apart
//             join   from u32[4 blocks][displacements] of half the edge, to u32[blocks][displacements], in the same way. Twice
// Divergence: the block at a displacement is inside the frame, where a row is read at once, or reaches over its border,
//             where pixels are looked up one by one (marked)
// Rounding:   integers, equal bit for bit
#include <algorithm>

#include "program.h"

namespace {

constexpr uint32_t block = 64;
constexpr int edge = 4;

__device__ __forceinline__ uint32_t difference(uint32_t a, uint32_t b) {
  return max(a, b) - min(a, b);
}

template <int range>
__global__ __launch_bounds__(block) void small(const uint8_t* current, const uint8_t* before, uint32_t* sums, int width,
                                               int height) {
  constexpr int side = 2 * range + 1, displacements = side * side;
  const int x = static_cast<int>(blockIdx.x) * edge, y = static_cast<int>(blockIdx.y) * edge;
  uint32_t* of_block = sums + (blockIdx.y * gridDim.x + blockIdx.x) * displacements;
#pragma unroll 1
  for (int d = static_cast<int>(threadIdx.x); d < displacements; d += block) {
    PWS_LOOP_BOUND((displacements + block - 1) / block);
    const int left = x + d % side - range, top = y + d / side - range;
    uint32_t sum = 0;
    PWS_SPLIT();
    if (left >= 0 && top >= 0 && left + edge <= width && top + edge <= height) {
#pragma unroll
      for (int j = 0; j < edge; ++j) {
        uint32_t pixels;
        __builtin_memcpy(&pixels, before + (top + j) * width + left, edge);
#pragma unroll
        for (int i = 0; i < edge; ++i) sum += difference(current[(y + j) * width + x + i], (pixels >> (8 * i)) & 0xff);
      }
    } else {
#pragma unroll 1
      for (int k = 0; k < edge * edge; ++k) {
        PWS_LOOP_BOUND(edge * edge);
        const int i = k % edge, j = k / edge;
        const int from_x = min(max(left + i, 0), width - 1), from_y = min(max(top + j, 0), height - 1);
        sum += difference(current[(y + j) * width + x + i], before[from_y * width + from_x]);
      }
    }
    of_block[d] = sum;
  }
}

template <int range>
__global__ __launch_bounds__(block) void join(const uint32_t* from, uint32_t* to) {
  constexpr uint32_t side = 2 * range + 1, displacements = side * side;
  const uint32_t across = 2 * gridDim.x, first = 2 * blockIdx.y * across + 2 * blockIdx.x;
  uint32_t* of_block = to + (blockIdx.y * gridDim.x + blockIdx.x) * displacements;
#pragma unroll 1
  for (uint32_t d = threadIdx.x; d < displacements; d += block) {
    PWS_LOOP_BOUND((displacements + block - 1) / block);
    const uint32_t upper = from[first * displacements + d] + from[(first + 1) * displacements + d];
    of_block[d] = upper + from[(first + across) * displacements + d] + from[(first + across + 1) * displacements + d];
  }
}

struct frames {
  int width, height;
  std::vector<uint8_t> current, before;
};

// A frame of soft stripes, and the same a few pixels further, both with noise.
frames random_frames(program::random_source& random, int width, int height) {
  frames f{width, height, {}, {}};
  const uint32_t dx = random.below(4), dy = random.below(4);
  for (uint32_t y = 0; y < static_cast<uint32_t>(height); ++y) {
    for (uint32_t x = 0; x < static_cast<uint32_t>(width); ++x) {
      f.before.push_back(static_cast<uint8_t>((x * x / 7 + y * 13) % 224 + random.below(16)));
      f.current.push_back(static_cast<uint8_t>(((x + dx) * (x + dx) / 7 + (y + dy) * 13) % 224 + random.below(16)));
    }
  }
  return f;
}

// Pixel by pixel, for blocks of any edge.
std::vector<uint32_t> reference(const frames& f, int block_edge, int range) {
  std::vector<uint32_t> sums;
  for (int y = 0; y < f.height; y += block_edge)
    for (int x = 0; x < f.width; x += block_edge)
      for (int dy = -range; dy <= range; ++dy)
        for (int dx = -range; dx <= range; ++dx) {
          uint32_t sum = 0;
          for (int j = y; j < y + block_edge; ++j)
            for (int i = x; i < x + block_edge; ++i) {
              const int from_x = std::clamp(i + dx, 0, f.width - 1), from_y = std::clamp(j + dy, 0, f.height - 1);
              sum += static_cast<uint32_t>(std::abs(f.current[j * f.width + i] - f.before[from_y * f.width + from_x]));
            }
          sums.push_back(sum);
        }
  return sums;
}

template <int range>
int run(const frames& f) {
  constexpr size_t displacements = (2 * range + 1) * (2 * range + 1);
  const dim3 blocks(f.width / edge, f.height / edge);
  program::device_array<uint8_t> current(f.current), before(f.before);
  program::device_array<uint32_t> sums_4(blocks.x * blocks.y * displacements), sums_8(sums_4.size() / 4);
  program::device_array<uint32_t> sums_16(sums_4.size() / 16);
  small<range><<<blocks, block>>>(current.get(), before.get(), sums_4.get(), f.width, f.height);
  PROGRAM_HIP(hipGetLastError());
  join<range><<<dim3(blocks.x / 2, blocks.y / 2), block>>>(sums_4.get(), sums_8.get());
  PROGRAM_HIP(hipGetLastError());
  join<range><<<dim3(blocks.x / 4, blocks.y / 4), block>>>(sums_8.get(), sums_16.get());
  PROGRAM_LAUNCHED();

  program::verdict verdict;
  verdict.equal("4 x 4", sums_4.download(), reference(f, edge, range));
  verdict.equal("8 x 8", sums_8.download(), reference(f, 2 * edge, range));
  verdict.equal("16 x 16", sums_16.download(), reference(f, 4 * edge, range));
  return verdict.finish();
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const int width = o.pick(32, 96, 176), height = o.pick(32, 64, 144), range = o.pick(4, 4, 8);
  std::printf("block_matching (%s): %d x %d pixels, displacements up to %d, seed %u\n", o.size_name(), width, height,
              range, o.seed);
  program::random_source random(o.seed);
  const frames f = random_frames(random, width, height);
  return o.size == program::size::large ? run<8>(f) : run<4>(f);
}
