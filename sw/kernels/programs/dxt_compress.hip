// DXT1 (BC1) texture compression: every block of 4x4 pixels becomes two end colours of 5, 6 and 5 bits and for each
// pixel two bits that choose among four colours, the ends and two between them. The ends start as corners of the
// block's bounding box, on the diagonal that its colours follow, and are moved inwards as long as steps go; the pair
// with the least error is kept.
//
// Sizes:      130x90, 410x290, 1302x902 pixels; the last column and row of blocks are not full
// Kernel:     compress  pixels u32[height][width] (red, green, blue from the lowest byte), width, height; encoded
//                       u32[blocks][2] by rows of blocks: ends (first in the lower half), choices from the first pixel
//                       in the lowest bits; error u32[blocks]: squared, over all pixels and channels. A work-item per
//                       pixel of a block, workgroups of 64 for four blocks
// Divergence: ifs without else only: trees in LDS whose work-items switch off, the nearest of the colours so far, a
//             pair of ends better than those before, one work-item of a block that writes. Nothing is marked
// Rounding:   integers, equal bit for bit. At the border pixels repeat; they count as often as they are there
#include <algorithm>
#include <array>

#include "program.h"

namespace {

constexpr uint32_t pixels_per_block = 16;
constexpr uint32_t blocks_per_group = 4;
constexpr uint32_t group = pixels_per_block * blocks_per_group;
constexpr int32_t steps = 8;   // pairs of ends that are tried
constexpr int32_t inset = 32;  // a step is this part of the box
constexpr uint32_t channels = 3;

__device__ int32_t channel_of(uint32_t pixel, uint32_t channel) {
  return pixel >> 8 * channel & 255;
}

__device__ int32_t square(int32_t x) {
  return x * x;
}

// An end's channel as the format keeps it, in 5 or 6 bits, and as a decoder widens it again.
__device__ int32_t narrowed(int32_t value, uint32_t channel) {
  const int32_t most = channel == 1 ? 63 : 31;
  return (value * most + 127) / 255;
}
__device__ int32_t widened(int32_t value, uint32_t channel) {
  return channel == 1 ? value << 2 | value >> 4 : value << 3 | value >> 2;
}

// The values of a block's 16 work-items become their sum, minimum or maximum, in the first of them.
template <typename Combine>
__device__ int32_t reduced(int32_t* values, uint32_t item, int32_t own, Combine combine) {
  const uint32_t pixel = item % pixels_per_block;
  values[item] = own;
  __syncthreads();
#pragma unroll 1
  for (uint32_t half = pixels_per_block / 2; half > 0; half /= 2) {
    PWS_LOOP_BOUND(4);
    if (pixel < half) values[item] = combine(values[item], values[item + half]);
    __syncthreads();
  }
  const int32_t result = values[item - pixel];
  __syncthreads();
  return result;
}

__device__ int32_t sum_of(int32_t* values, uint32_t item, int32_t own) {
  return reduced(values, item, own, [](int32_t a, int32_t b) { return a + b; });
}

struct ends {
  int32_t channel[2][channels];  // as the format keeps them

  __device__ uint32_t colour(uint32_t end) const {
    return channel[end][0] << 11 | channel[end][1] << 5 | channel[end][2];
  }
};

// The box's corners a step inwards, the one with the larger number first as the format asks for four colours.
__device__ ends ends_of(const int32_t (&low)[channels], const int32_t (&high)[channels], uint32_t falling,
                        int32_t step) {
  ends e;
  for (uint32_t c = 0; c < channels; ++c) {
    const int32_t in = (high[c] - low[c]) * step / inset;
    const int32_t upper = narrowed(high[c] - in, c), lower = narrowed(low[c] + in, c);
    const bool swapped = (falling >> c & 1) != 0;
    e.channel[0][c] = swapped ? lower : upper;
    e.channel[1][c] = swapped ? upper : lower;
  }
  if (e.colour(0) < e.colour(1)) {
    for (uint32_t c = 0; c < channels; ++c) {
      const int32_t other = e.channel[0][c];
      e.channel[0][c] = e.channel[1][c];
      e.channel[1][c] = other;
    }
  }
  return e;
}

// The nearest of the four colours: its number in the lowest two bits, the squared error above.
__device__ uint32_t nearest(uint32_t pixel, const ends& e) {
  uint32_t best = 0xffffffff;
#pragma unroll 1
  for (uint32_t k = 0; k < 4; ++k) {
    PWS_LOOP_BOUND(4);
    // Colours 0 and 1 are the ends, 2 and 3 are a third and two thirds from the first to the second.
    const int32_t second = k < 2 ? 3 * int32_t(k) : int32_t(k) - 1;
    int32_t error = 0;
    for (uint32_t c = 0; c < channels; ++c) {
      const int32_t from = widened(e.channel[0][c], c), to = widened(e.channel[1][c], c);
      error += square(channel_of(pixel, c) - ((3 - second) * from + second * to) / 3);
    }
    const uint32_t candidate = static_cast<uint32_t>(error) << 2 | k;
    if (candidate < best) best = candidate;
  }
  return best;
}

__global__ __launch_bounds__(group) void compress(const uint32_t* pixels, uint32_t width, uint32_t height,
                                                  uint32_t* encoded, uint32_t* error) {
  __shared__ int32_t values[group];
  __shared__ uint32_t choices[blocks_per_group];
  const uint32_t item = threadIdx.x, local = item / pixels_per_block, pixel = item % pixels_per_block;
  const uint32_t across = (width + 3) / 4, count = across * ((height + 3) / 4);
  const uint32_t index = blockIdx.x * blocks_per_group + local;
  // Work-items of blocks behind the last one take part in the barriers with the last block's pixels.
  const uint32_t block = min(index, count - 1);
  const uint32_t x = min(block % across * 4 + pixel % 4, width - 1);
  const uint32_t y = min(block / across * 4 + pixel / 4, height - 1);
  const uint32_t own = pixels[y * width + x];

  int32_t low[channels], high[channels], centred[channels];
  for (uint32_t c = 0; c < channels; ++c) {
    const int32_t value = channel_of(own, c);
    low[c] = reduced(values, item, value, [](int32_t a, int32_t b) { return min(a, b); });
    high[c] = reduced(values, item, value, [](int32_t a, int32_t b) { return max(a, b); });
    centred[c] = 2 * value - low[c] - high[c];
  }
  // Red and blue may fall where green rises.
  uint32_t falling = 0;
  if (sum_of(values, item, centred[0] * centred[1]) < 0) falling |= 1;
  if (sum_of(values, item, centred[2] * centred[1]) < 0) falling |= 4;

  int32_t least = INT32_MAX;
  uint32_t colours = 0, choice = 0;
#pragma unroll 1
  for (int32_t step = 0; step < steps; ++step) {
    PWS_LOOP_BOUND(steps);
    const ends e = ends_of(low, high, falling, step);
    const uint32_t found = nearest(own, e);
    const int32_t total = sum_of(values, item, static_cast<int32_t>(found >> 2));
    if (total < least) {
      least = total;
      colours = e.colour(0) | e.colour(1) << 16;
      choice = found & 3;
    }
  }
  const int32_t all_choices = sum_of(values, item, static_cast<int32_t>(choice << 2 * pixel));
  if (pixel == 0 && index < count) {
    encoded[2 * index] = colours;
    encoded[2 * index + 1] = static_cast<uint32_t>(all_choices);
    error[index] = static_cast<uint32_t>(least);
  }
}

struct image {
  uint32_t width, height;
  std::vector<uint32_t> pixels;
};

// Patches of 24x24 pixels, each a slope between two colours with some noise; one in eight has one colour only.
image random_image(program::random_source& random, uint32_t width, uint32_t height) {
  constexpr uint32_t patch = 24;
  const uint32_t across = (width + patch - 1) / patch;
  std::vector<std::array<uint32_t, 2 * channels>> corner(across * ((height + patch - 1) / patch));
  for (auto& c : corner) {
    for (uint32_t& value : c) value = random.below(256);
    if (random.below(8) == 0) std::copy_n(c.begin(), channels, c.begin() + channels);
  }
  image i{width, height, {}};
  for (uint32_t y = 0; y < height; ++y)
    for (uint32_t x = 0; x < width; ++x) {
      const auto& c = corner[y / patch * across + x / patch];
      const uint32_t at = x % patch + y % patch, end = 2 * patch - 2;
      const bool flat = std::equal(c.begin(), c.begin() + channels, c.begin() + channels);
      uint32_t pixel = 0;
      for (uint32_t k = 0; k < channels; ++k) {
        const uint32_t value = (c[k] * (end - at) + c[k + channels] * at) / end;
        pixel |= std::min(value + (flat ? 0 : random.below(24)), 255u) << 8 * k;
      }
      i.pixels.push_back(pixel);
    }
  return i;
}

using colour = std::array<int, channels>;

colour block_pixel(const image& i, uint32_t block, uint32_t k) {
  const uint32_t across = (i.width + 3) / 4;
  const uint32_t x = std::min(block % across * 4 + k % 4, i.width - 1);
  const uint32_t y = std::min(block / across * 4 + k / 4, i.height - 1);
  const uint32_t pixel = i.pixels[y * i.width + x];
  return {int(pixel & 255), int(pixel >> 8 & 255), int(pixel >> 16 & 255)};
}

// What a decoder makes of two ends.
std::array<colour, 4> palette(uint32_t ends) {
  std::array<colour, 4> p;
  for (uint32_t k = 0; k < 2; ++k) {
    const int end = int(ends >> 16 * k & 0xffff), red = end >> 11, green = end >> 5 & 63, blue = end & 31;
    p[k] = {red * 8 + red / 4, green * 4 + green / 16, blue * 8 + blue / 4};
  }
  for (uint32_t c = 0; c < channels; ++c) {
    p[2][c] = (2 * p[0][c] + p[1][c]) / 3;
    p[3][c] = (p[0][c] + 2 * p[1][c]) / 3;
  }
  return p;
}

uint32_t difference(const colour& a, const colour& b) {
  uint32_t sum = 0;
  for (uint32_t c = 0; c < channels; ++c) sum += uint32_t((a[c] - b[c]) * (a[c] - b[c]));
  return sum;
}

struct encoding {
  uint32_t ends = 0, choices = 0, error = UINT32_MAX;
};

encoding encode(const std::array<colour, pixels_per_block>& block) {
  colour low = block[0], high = block[0];
  for (const colour& pixel : block)
    for (uint32_t c = 0; c < channels; ++c) {
      low[c] = std::min(low[c], pixel[c]);
      high[c] = std::max(high[c], pixel[c]);
    }
  int against_green[channels] = {};
  for (const colour& pixel : block)
    for (const uint32_t c : {0u, 2u})
      against_green[c] += (2 * pixel[c] - low[c] - high[c]) * (2 * pixel[1] - low[1] - high[1]);
  encoding best;
  for (int step = 0; step < steps; ++step) {
    uint32_t end[2] = {0, 0};
    for (uint32_t c = 0; c < channels; ++c) {
      const int in = (high[c] - low[c]) * step / inset, bits = c == 1 ? 6 : 5, most = (1 << bits) - 1;
      uint32_t first = uint32_t(((high[c] - in) * most + 127) / 255),
               second = uint32_t(((low[c] + in) * most + 127) / 255);
      if (against_green[c] < 0) std::swap(first, second);
      end[0] = end[0] << bits | first;
      end[1] = end[1] << bits | second;
    }
    encoding e{std::max(end[0], end[1]) | std::min(end[0], end[1]) << 16, 0, 0};
    const std::array<colour, 4> colours = palette(e.ends);
    for (uint32_t k = 0; k < pixels_per_block; ++k) {
      uint32_t nearest = 0;
      for (uint32_t j = 1; j < 4; ++j)
        if (difference(block[k], colours[j]) < difference(block[k], colours[nearest])) nearest = j;
      e.choices |= nearest << 2 * k;
      e.error += difference(block[k], colours[nearest]);
    }
    if (e.error < best.error) best = e;
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t width = o.pick(130u, 410u, 1302u), height = o.pick(90u, 290u, 902u);
  program::random_source random(o.seed);
  const image i = random_image(random, width, height);
  const uint32_t blocks = (width + 3) / 4 * ((height + 3) / 4);
  std::printf("dxt_compress (%s): %ux%u pixels, %u blocks, seed %u\n", o.size_name(), width, height, blocks, o.seed);

  program::device_array<uint32_t> pixels(i.pixels), device_encoded(2 * blocks), device_error(blocks);
  compress<<<program::blocks_of(blocks, blocks_per_group), group>>>(pixels.get(), width, height, device_encoded.get(),
                                                                    device_error.get());
  PROGRAM_LAUNCHED();
  const std::vector<uint32_t> encoded = device_encoded.download();

  std::vector<uint32_t> expected_encoded, expected_error, decoded_error(blocks);
  for (uint32_t b = 0; b < blocks; ++b) {
    std::array<colour, pixels_per_block> block;
    for (uint32_t k = 0; k < pixels_per_block; ++k) block[k] = block_pixel(i, b, k);
    const encoding e = encode(block);
    expected_encoded.insert(expected_encoded.end(), {e.ends, e.choices});
    expected_error.push_back(e.error);
    const std::array<colour, 4> colours = palette(encoded[2 * b]);
    for (uint32_t k = 0; k < pixels_per_block; ++k)
      decoded_error[b] += difference(block[k], colours[encoded[2 * b + 1] >> 2 * k & 3]);
  }
  program::verdict verdict;
  verdict.equal("encoded", encoded, expected_encoded);
  verdict.equal("error", device_error.download(), expected_error);
  verdict.equal("error of the decoded image", decoded_error, expected_error);
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
