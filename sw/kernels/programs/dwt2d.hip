// Two-dimensional discrete wavelet transform of a colour image, forward: the 5/3 filter of reversible JPEG 2000 by
// integer lifting, several levels, the image mirrored at its borders. Three planes after a reversible colour transform.
//
// Sizes:      4x4, 16x16, 192x192 pixels; 2, 3, 3 levels
// Kernels:    planes   rgb u8[pixels][3] -> luma and two colour differences i32[3][pixels]; a work-item per pixel,
//                      blocks of 256
//             forward  one level: source i32 (upper left width x height of each plane) -> result i32, with the halves'
//                      low-low part into its own array, the next level's source; 16 x 16 work-items per tile of 32 x 32
//                      and plane (grid z). Rows of an array are those of the image at every level.
// Divergence: forward: a sample is in the image or has to be mirrored into it, which takes two divisions: the split.
//             The lifting steps run over the tile without regard to its rows, so the last round of each has idle
//             work-items.
// Rounding:   integers, equal bit for bit
#include <algorithm>

#include "program.h"

namespace {

constexpr uint32_t block = 256;
constexpr int32_t group = 16;
constexpr int32_t group_size = group * group;
constexpr int32_t tile = 2 * group;
// A low-pass value depends on the samples from two before to two behind it, a high-pass value on one less.
constexpr int32_t before = 2, covered = before + tile + 1;
constexpr int32_t high_passes = group + 1;  // the one before the tile, too

template <int32_t items>
struct rounds {
  static constexpr uint32_t most = static_cast<uint32_t>((items + group_size - 1) / group_size);
};

__global__ void planes(const uint8_t* rgb, int32_t* plane, uint32_t pixels) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pixels) return;
  const int32_t red = rgb[3 * i] - 128, green = rgb[3 * i + 1] - 128, blue = rgb[3 * i + 2] - 128;
  plane[i] = (red + 2 * green + blue) >> 2;
  plane[pixels + i] = blue - green;
  plane[2 * pixels + i] = red - green;
}

// i of a line of n >= 2 samples that is mirrored at its first and last one, again and again.
__device__ __forceinline__ int32_t mirrored(int32_t i, int32_t n) {
  const int32_t period = 2 * (n - 1);
  const int32_t there = (i < 0 ? -i : i) % period;
  return there < n ? there : period - there;
}

__global__ void forward(const int32_t* source, int32_t* low_low, int32_t* result, int32_t width, int32_t height,
                        int32_t pitch, uint32_t plane_size) {
  __shared__ int32_t sample[covered][covered];
  const int32_t item = static_cast<int32_t>(threadIdx.y * group + threadIdx.x);
  const int32_t left = static_cast<int32_t>(blockIdx.x) * tile - before;
  const int32_t top = static_cast<int32_t>(blockIdx.y) * tile - before;
  source += blockIdx.z * plane_size;
  low_low += blockIdx.z * plane_size;
  result += blockIdx.z * plane_size;

#pragma unroll 1
  for (int32_t k = item; k < covered * covered; k += group_size) {
    PWS_LOOP_BOUND(rounds<covered * covered>::most);
    const int32_t x = left + k % covered, y = top + k / covered;
    // One condition, not two: a branch for each would leave none with two sides.
    PWS_SPLIT();
    if ((static_cast<uint32_t>(x) < static_cast<uint32_t>(width)) &
        (static_cast<uint32_t>(y) < static_cast<uint32_t>(height))) {
      sample[k / covered][k % covered] = source[y * pitch + x];
    } else {
      sample[k / covered][k % covered] = source[mirrored(y, height) * pitch + mirrored(x, width)];
    }
  }
  __syncthreads();

  // Rows: odd samples become what their neighbours do not predict, then even ones a local mean.
#pragma unroll 1
  for (int32_t k = item; k < covered * high_passes; k += group_size) {
    PWS_LOOP_BOUND(rounds<covered * high_passes>::most);
    int32_t* at = &sample[k / high_passes][2 * (k % high_passes) + 1];
    *at -= (at[-1] + at[1]) >> 1;
  }
  __syncthreads();
#pragma unroll 1
  for (int32_t k = item; k < covered * group; k += group_size) {
    PWS_LOOP_BOUND(rounds<covered * group>::most);
    int32_t* at = &sample[k / group][before + 2 * (k % group)];
    *at += (at[-1] + at[1] + 2) >> 2;
  }
  __syncthreads();

  // Columns of the tile, the same.
#pragma unroll 1
  for (int32_t k = item; k < tile * high_passes; k += group_size) {
    PWS_LOOP_BOUND(rounds<tile * high_passes>::most);
    int32_t* at = &sample[2 * (k / tile) + 1][before + k % tile];
    *at -= (at[-covered] + at[covered]) >> 1;
  }
  __syncthreads();
#pragma unroll 1
  for (int32_t k = item; k < tile * group; k += group_size) {
    PWS_LOOP_BOUND(rounds<tile * group>::most);
    int32_t* at = &sample[before + 2 * (k / tile)][before + k % tile];
    *at += (at[-covered] + at[covered] + 2) >> 2;
  }
  __syncthreads();

  const int32_t pair_x = static_cast<int32_t>(blockIdx.x * group + threadIdx.x);
  const int32_t pair_y = static_cast<int32_t>(blockIdx.y * group + threadIdx.y);
  if (2 * pair_x < width && 2 * pair_y < height) {
    const int32_t* at = &sample[before + 2 * threadIdx.y][before + 2 * threadIdx.x];
    const int32_t half_width = width / 2, half_height = height / 2;
    low_low[pair_y * pitch + pair_x] = at[0];
    result[pair_y * pitch + half_width + pair_x] = at[1];
    result[(half_height + pair_y) * pitch + pair_x] = at[covered];
    result[(half_height + pair_y) * pitch + half_width + pair_x] = at[covered + 1];
  }
}

int32_t floor_half(int32_t x) {
  return (x - (x & 1)) / 2;
}
int32_t floor_quarter(int32_t x) {
  return floor_half(floor_half(x));
}

// One line of 5/3, from the definition on an endless mirrored signal: high-pass values behind low-pass ones.
std::vector<int32_t> filtered(const std::vector<int32_t>& line) {
  const int32_t n = static_cast<int32_t>(line.size());
  const auto x = [&](int32_t i) {
    while (i < 0 || i >= n) i = i < 0 ? -i : 2 * (n - 1) - i;
    return line[static_cast<size_t>(i)];
  };
  const auto high = [&](int32_t k) { return x(2 * k + 1) - floor_half(x(2 * k) + x(2 * k + 2)); };
  std::vector<int32_t> out;
  for (int32_t k = 0; k < n / 2; ++k) out.push_back(x(2 * k) + floor_quarter(high(k - 1) + high(k) + 2));
  for (int32_t k = 0; k < n / 2; ++k) out.push_back(high(k));
  return out;
}

// And back.
std::vector<int32_t> restored(const std::vector<int32_t>& line) {
  const size_t half = line.size() / 2;
  std::vector<int32_t> out(line.size());
  for (size_t k = 0; k < half; ++k)
    out[2 * k] = line[k] - floor_quarter(line[half + (k == 0 ? 0 : k - 1)] + line[half + k] + 2);
  for (size_t k = 0; k < half; ++k)
    out[2 * k + 1] = line[half + k] + floor_half(out[2 * k] + out[k + 1 == half ? 2 * k : 2 * k + 2]);
  return out;
}

struct image {
  uint32_t width, height;
  std::vector<int32_t> value;  // three planes

  template <typename Change>
  void change_rows(uint32_t plane, uint32_t part_width, uint32_t part_height, Change change) {
    for (uint32_t y = 0; y < part_height; ++y) {
      const auto row = value.begin() + (size_t{plane} * height + y) * width;
      const std::vector<int32_t> changed = change(std::vector<int32_t>(row, row + part_width));
      std::copy(changed.begin(), changed.end(), row);
    }
  }
  template <typename Change>
  void change_columns(uint32_t plane, uint32_t part_width, uint32_t part_height, Change change) {
    for (uint32_t x = 0; x < part_width; ++x) {
      std::vector<int32_t> column(part_height);
      const auto at = [&](uint32_t y) -> int32_t& { return value[(size_t{plane} * height + y) * width + x]; };
      for (uint32_t y = 0; y < part_height; ++y) column[y] = at(y);
      column = change(column);
      for (uint32_t y = 0; y < part_height; ++y) at(y) = column[y];
    }
  }
};

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t side = o.pick(4u, 16u, 192u), levels = o.pick(2u, 3u, 3u), pixels = side * side;
  std::printf("dwt2d (%s): %ux%u pixels, %u levels, seed %u\n", o.size_name(), side, side, levels, o.seed);

  // A gradient with noise and a few flat rectangles: smooth parts, edges and detail as pictures have them.
  program::random_source random(o.seed);
  std::vector<uint8_t> rgb(3 * pixels);
  for (uint32_t i = 0; i < pixels; ++i)
    for (uint32_t colour = 0; colour < 3; ++colour)
      rgb[3 * i + colour] =
          static_cast<uint8_t>((colour == 1 ? i % side : i / side) * 200 / side + random.below(colour == 2 ? 56 : 8));
  for (uint32_t rectangle = 0; rectangle < 4; ++rectangle) {
    const uint32_t x0 = random.below(side), y0 = random.below(side), size = 1 + side / 4;
    const uint32_t fill = random.bits();
    for (uint32_t y = y0; y < std::min(y0 + size, side); ++y)
      for (uint32_t x = x0; x < std::min(x0 + size, side); ++x)
        for (uint32_t colour = 0; colour < 3; ++colour)
          rgb[3 * (y * side + x) + colour] = static_cast<uint8_t>(fill >> (8 * colour));
  }

  program::device_array<uint8_t> device_rgb(rgb);
  program::device_array<int32_t> source(3 * pixels), next(3 * pixels), result(3 * pixels);
  planes<<<program::blocks_of(pixels, block), block>>>(device_rgb.get(), source.get(), pixels);
  PROGRAM_LAUNCHED();
  int32_t *from = source.get(), *to = next.get();
  for (uint32_t level = 0; level < levels; ++level) {
    const uint32_t part = side >> level, tiles = program::blocks_of(part, tile);
    forward<<<dim3(tiles, tiles, 3), dim3(group, group)>>>(from, level + 1 == levels ? result.get() : to, result.get(),
                                                           static_cast<int32_t>(part), static_cast<int32_t>(part),
                                                           static_cast<int32_t>(side), pixels);
    PROGRAM_LAUNCHED();
    std::swap(from, to);
  }
  image got{side, side, result.download()};

  image expected{side, side, std::vector<int32_t>(3 * pixels)};
  for (uint32_t i = 0; i < pixels; ++i) {
    const int32_t red = rgb[3 * i], green = rgb[3 * i + 1], blue = rgb[3 * i + 2];
    expected.value[i] = floor_quarter(red + 2 * green + blue) - 128;
    expected.value[pixels + i] = blue - green;
    expected.value[2 * pixels + i] = red - green;
  }
  for (uint32_t plane = 0; plane < 3; ++plane)
    for (uint32_t level = 0; level < levels; ++level) {
      expected.change_rows(plane, side >> level, side >> level, filtered);
      expected.change_columns(plane, side >> level, side >> level, filtered);
    }
  program::verdict verdict;
  verdict.equal("coefficients", got.value, expected.value);

  for (uint32_t plane = 0; plane < 3; ++plane)
    for (uint32_t level = levels; level-- > 0;) {
      got.change_columns(plane, side >> level, side >> level, restored);
      got.change_rows(plane, side >> level, side >> level, restored);
    }
  std::vector<uint8_t> again(3 * pixels);
  for (uint32_t i = 0; i < pixels; ++i) {
    const int32_t blue_less_green = got.value[pixels + i], red_less_green = got.value[2 * pixels + i];
    const int32_t green = got.value[i] + 128 - floor_quarter(blue_less_green + red_less_green);
    again[3 * i] = static_cast<uint8_t>(green + red_less_green);
    again[3 * i + 1] = static_cast<uint8_t>(green);
    again[3 * i + 2] = static_cast<uint8_t>(green + blue_less_green);
  }
  verdict.equal("image restored", again, rgb);
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
