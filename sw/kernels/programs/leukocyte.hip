// Leukocytes: cells darker than what is around them in a microscope's image, found by their gradient inverse
// coefficient of variation (GICOV): of the gradient across a circle around a pixel, the mean squared over the variance,
// for the best of several radii; then the dilation of the scores: a pixel whose score equals it is a cell's centre.
//
// Sizes:      images of 32 x 32, 96 x 96, 256 x 256 pixels
// Kernels:    gradients  image f32[height][width], dx, dy f32[height][width]
//             gicov      dx, dy; score f32[height][width], out, and its radius u32[height][width]
//             dilate     score, widest f32[height][width]: the largest score of a disc
//             All with one work-item per pixel, blocks of 16 x 16
// Divergence: pixels whose neighbourhood is inside the image against those at its border, where each sample has to be
//             checked (two-sided, marked, once in each kernel); whether a radius is the best so far (one-sided)
// Rounding:   gradients are exact (halves of whole numbers), dilation too. A score's mean and variance come of 48
//             samples in f32, each right to some 48 x 2^-24 = 3e-6 of the samples' size: 1e-5 relative, and 1e-5
//             absolute for means near 0
#include <algorithm>

#include "program.h"

namespace {

constexpr uint32_t tile = 16;
constexpr int32_t circles = 7, smallest = 3, samples = 48;  // radii 3 ... 9
constexpr int32_t reach = 4;                                // radius of the dilation's disc
constexpr float found = 4;  // a cell's score: its rim's mean gradient is twice the deviation

struct circle_point {
  float cosine, sine;
  int32_t dx[circles], dy[circles];
};
static __constant__ circle_point circle[samples];  // static: hipMemcpyToSymbol finds those of namespaces only then

template <int32_t width, int32_t height>
__device__ __forceinline__ uint32_t clamped(int32_t x, int32_t y) {
  const int32_t column = min(max(x, 0), width - 1), row = min(max(y, 0), height - 1);
  return static_cast<uint32_t>(row * width + column);
}
// Pixels from here to the image's border: one comparison tells whether a neighbourhood is inside, which is one branch.
template <int32_t width, int32_t height>
__device__ __forceinline__ int32_t to_border(int32_t x, int32_t y) {
  return min(min(x, width - 1 - x), min(y, height - 1 - y));
}

template <int32_t width, int32_t height>
__global__ void gradients(const float* image, float* dx, float* dy) {
  const int32_t x = static_cast<int32_t>(blockIdx.x * tile + threadIdx.x),
                y = static_cast<int32_t>(blockIdx.y * tile + threadIdx.y);
  if (x >= width || y >= height) return;
  const int32_t here = y * width + x;
  float across, along;
  PWS_SPLIT();
  if (to_border<width, height>(x, y) >= 1) {
    across = image[here + 1] - image[here - 1];
    along = image[here + width] - image[here - width];
  } else {
    across = image[clamped<width, height>(x + 1, y)] - image[clamped<width, height>(x - 1, y)];
    along = image[clamped<width, height>(x, y + 1)] - image[clamped<width, height>(x, y - 1)];
  }
  dx[here] = 0.5f * across;
  dy[here] = 0.5f * along;
}

// Mean squared over variance of the gradient outwards, at the samples that `place` finds.
template <typename Place>
__device__ __forceinline__ float variation(const float* dx, const float* dy, int32_t c, Place place) {
  float mean = 0, squares = 0;
#pragma unroll 1
  for (int32_t n = 0; n < samples; ++n) {
    PWS_LOOP_BOUND(samples);
    const uint32_t at = place(circle[n].dx[c], circle[n].dy[c]);
    const float outwards = dx[at] * circle[n].cosine + dy[at] * circle[n].sine;
    const float apart = outwards - mean;
    mean += apart / static_cast<float>(n + 1);
    squares += apart * (outwards - mean);
  }
  return mean * mean / (squares * (1.f / (samples - 1)));
}

template <int32_t width, int32_t height>
__global__ void gicov(const float* dx, const float* dy, float* score, uint32_t* radius) {
  const int32_t x = static_cast<int32_t>(blockIdx.x * tile + threadIdx.x),
                y = static_cast<int32_t>(blockIdx.y * tile + threadIdx.y);
  if (x >= width || y >= height) return;
  const int32_t here = y * width + x;
  float best = -1;
  int32_t best_circle = 0;
#pragma unroll 1
  for (int32_t c = 0; c < circles; ++c) {
    PWS_LOOP_BOUND(circles);
    float now;
    PWS_SPLIT();
    if (to_border<width, height>(x, y) >= smallest + c)
      now = variation(dx, dy, c,
                      [=](int32_t right, int32_t down) { return static_cast<uint32_t>(here + down * width + right); });
    else
      now = variation(dx, dy, c,
                      [=](int32_t right, int32_t down) { return clamped<width, height>(x + right, y + down); });
    if (now > best) {
      best = now;
      best_circle = c;
    }
  }
  score[here] = best;
  radius[here] = static_cast<uint32_t>(smallest + best_circle);
}

template <int32_t width, int32_t height>
__global__ void dilate(const float* score, float* widest) {
  const int32_t x = static_cast<int32_t>(blockIdx.x * tile + threadIdx.x),
                y = static_cast<int32_t>(blockIdx.y * tile + threadIdx.y);
  if (x >= width || y >= height) return;
  const int32_t here = y * width + x;
  float most = score[here];
  PWS_SPLIT();
  if (to_border<width, height>(x, y) >= reach) {
#pragma unroll 1
    for (int32_t down = -reach; down <= reach; ++down) {
      PWS_LOOP_BOUND(2 * reach + 1);
      const float* row = score + here + down * width;
#pragma unroll
      for (int32_t right = -reach; right <= reach; ++right)
        if (right * right + down * down <= reach * reach) most = fmaxf(most, row[right]);
    }
  } else {
#pragma unroll 1
    for (int32_t down = max(-reach, -y); down <= min(reach, height - 1 - y); ++down) {
      PWS_LOOP_BOUND(2 * reach + 1);
      const float* row = score + here + down * width;
#pragma unroll 1
      for (int32_t right = max(-reach, -x); right <= min(reach, width - 1 - x); ++right) {
        PWS_LOOP_BOUND(2 * reach + 1);
        if (right * right + down * down <= reach * reach) most = fmaxf(most, row[right]);
      }
    }
  }
  widest[here] = most;
}

struct cell {
  int32_t x, y, radius;
};

// Cells on a grid, moved at random by so little that none touches another or the border.
std::vector<cell> cells_of(int32_t width, int32_t height, program::random_source& random) {
  constexpr int32_t apart = 32;
  std::vector<cell> cells;
  for (int32_t y = apart / 2; y < height; y += apart)
    for (int32_t x = apart / 2; x < width; x += apart) {
      const auto moved = [&] { return static_cast<int32_t>(random.below(7)) - 3; };
      const int32_t to_x = x + moved(), to_y = y + moved();
      cells.push_back({to_x, to_y, smallest + 1 + static_cast<int32_t>(random.below(circles - 2))});
    }
  return cells;
}

// By definition, from all samples: their mean first.
double gicov_at(const std::vector<float>& dx, const std::vector<float>& dy, int32_t width, int32_t height,
                const std::vector<circle_point>& points, int32_t x, int32_t y, int32_t c) {
  std::vector<double> outwards;
  for (const circle_point& p : points) {
    const int32_t at = std::clamp(y + p.dy[c], 0, height - 1) * width + std::clamp(x + p.dx[c], 0, width - 1);
    outwards.push_back(double(dx[at]) * double(p.cosine) + double(dy[at]) * double(p.sine));
  }
  double mean = 0, variance = 0;
  for (const double o : outwards) mean += o / samples;
  for (const double o : outwards) variance += (o - mean) * (o - mean) / (samples - 1);
  return mean * mean / variance;
}

template <int32_t width, int32_t height>
int run(const program::options& o) {
  program::random_source random(o.seed);
  const std::vector<cell> cells = cells_of(width, height, random);
  std::printf("leukocyte (%s): %d x %d pixels, %zu cells, seed %u\n", o.size_name(), width, height, cells.size(),
              o.seed);

  std::vector<float> image(size_t{width} * height);
  for (int32_t y = 0; y < height; ++y)
    for (int32_t x = 0; x < width; ++x) {
      float value = 150;
      for (const cell& c : cells)
        value -= 60 * std::clamp(float(c.radius + 2) / 2 - std::hypot(float(x - c.x), float(y - c.y)) / 2, 0.f, 1.f);
      image[y * width + x] = std::round(value) + static_cast<float>(random.below(9)) - 4;
    }
  std::vector<circle_point> points(samples);
  for (int32_t n = 0; n < samples; ++n) {
    const double angle = 2 * 3.14159265358979323846 * n / samples, cosine = std::cos(angle), sine = std::sin(angle);
    points[n].cosine = static_cast<float>(cosine);
    points[n].sine = static_cast<float>(sine);
    for (int32_t c = 0; c < circles; ++c) {
      points[n].dx[c] = static_cast<int32_t>(std::lround((smallest + c) * cosine));
      points[n].dy[c] = static_cast<int32_t>(std::lround((smallest + c) * sine));
    }
  }

  program::device_array<float> device_image(image), dx(image.size()), dy(image.size()), score(image.size()),
      widest(image.size());
  program::device_array<uint32_t> radius(image.size());
  PROGRAM_HIP(hipMemcpyToSymbol(HIP_SYMBOL(circle), points.data(), sizeof(circle_point) * points.size()));
  const dim3 grid(program::blocks_of(width, tile), program::blocks_of(height, tile)), block(tile, tile);
  gradients<width, height><<<grid, block>>>(device_image.get(), dx.get(), dy.get());
  PROGRAM_LAUNCHED();
  gicov<width, height><<<grid, block>>>(dx.get(), dy.get(), score.get(), radius.get());
  PROGRAM_LAUNCHED();
  dilate<width, height><<<grid, block>>>(score.get(), widest.get());
  PROGRAM_LAUNCHED();

  const std::vector<float> got_score = score.download(), got_widest = widest.download();
  const std::vector<uint32_t> got_radius = radius.download();
  std::vector<float> want_dx(image.size()), want_dy(image.size()), want_score(image.size()), at_radius(image.size()),
      want_widest(image.size());
  const auto pixel = [](int32_t x, int32_t y) {
    return std::clamp(y, 0, height - 1) * width + std::clamp(x, 0, width - 1);
  };
  for (int32_t y = 0; y < height; ++y)
    for (int32_t x = 0; x < width; ++x) {
      want_dx[pixel(x, y)] = (image[pixel(x + 1, y)] - image[pixel(x - 1, y)]) / 2;
      want_dy[pixel(x, y)] = (image[pixel(x, y + 1)] - image[pixel(x, y - 1)]) / 2;
    }
  for (int32_t y = 0; y < height; ++y)
    for (int32_t x = 0; x < width; ++x) {
      const int32_t here = pixel(x, y);
      for (int32_t c = 0; c < circles; ++c) {
        const auto s = static_cast<float>(gicov_at(want_dx, want_dy, width, height, points, x, y, c));
        want_score[here] = std::max(want_score[here], s);
        if (got_radius[here] == static_cast<uint32_t>(smallest + c)) at_radius[here] = s;
      }
      for (int32_t ny = std::max(y - reach, 0); ny <= std::min(y + reach, height - 1); ++ny)
        for (int32_t nx = std::max(x - reach, 0); nx <= std::min(x + reach, width - 1); ++nx)
          if ((nx - x) * (nx - x) + (ny - y) * (ny - y) <= reach * reach)
            want_widest[here] = std::max(want_widest[here], got_score[pixel(nx, ny)]);
    }
  size_t detected = 0;
  std::vector<bool> seen(cells.size());
  bool only_cells = true;
  for (int32_t y = 0; y < height; ++y)
    for (int32_t x = 0; x < width; ++x) {
      const int32_t here = pixel(x, y);
      if (got_score[here] < found || got_score[here] != got_widest[here]) continue;
      ++detected;
      const auto c = std::find_if(cells.begin(), cells.end(),
                                  [&](const cell& k) { return std::abs(k.x - x) <= 2 && std::abs(k.y - y) <= 2; });
      only_cells = only_cells && c != cells.end();
      if (c != cells.end()) seen[c - cells.begin()] = true;
    }

  program::verdict verdict;
  verdict.equal("dx", dx.download(), want_dx);
  verdict.equal("dy", dy.download(), want_dy);
  verdict.close("score", got_score, want_score, 1e-5, 1e-5);
  verdict.close("score of the chosen radius", at_radius, want_score, 1e-5, 1e-5);
  verdict.equal("dilated", got_widest, want_widest);
  std::printf("detected: %zu\n", detected);
  verdict.that("every cell is found", std::find(seen.begin(), seen.end(), false) == seen.end());
  verdict.that("nothing else is", only_cells);
  return verdict.finish();
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  return o.size == program::size::small    ? run<32, 32>(o)
         : o.size == program::size::medium ? run<96, 96>(o)
                                           : run<256, 256>(o);
}
// SPDX-License-Identifier: Apache-2.0
