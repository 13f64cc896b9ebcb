// Speckle-reducing anisotropic diffusion of an image (Yu and Acton 2002): each iteration smooths where the image varies
// as speckle does and keeps its edges.
//
// Sizes:      10x10 pixels, 4 iterations; 50x50, 10; 100x100, 20
// Kernels:    extract, compress  image f32[n]: exp(x / 255) and back; a work-item per element here and below, blocks of
//                                256, pixels row by row
//             prepare            sums, squares f32[n]: the image and its square
//             reduce             256 elements of both per workgroup in a tree in LDS; launched until one is left
//             srad1              differences f32[4 * n] to the neighbours (north, south, west, east; n each) and the
//                                diffusion coefficients f32[n]
//             srad2              image from differences and coefficients
//             north, south i32[rows] and west, east i32[columns] are numbers of neighbouring rows and columns; at the
//             border the pixel's own
// Divergence: bounds checks and the tree's idle work-items, one side only. The border has none because of the index
//             arrays, saturation is a minimum: nothing to split
// Rounding:   f32, not fused. An ulp of the image between extract and compress, 2^-23 of 1 to 2.7, is 2^-15 in the
//             result, which is 255 times its logarithm. An iteration rounds by half an ulp and smoothes what earlier
//             ones left; the result is compared within 2^-12, 8 ulps
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "program.h"

namespace {

constexpr uint32_t block = 256;
constexpr float lambda = 0.5f;

__global__ void extract(float* image, uint32_t n) {
  const uint32_t i = blockIdx.x * block + threadIdx.x;
  if (i < n) image[i] = expf(image[i] / 255);
}

__global__ void compress(float* image, uint32_t n) {
  const uint32_t i = blockIdx.x * block + threadIdx.x;
  if (i < n) image[i] = logf(image[i]) * 255;
}

__global__ void prepare(const float* image, float* sums, float* squares, uint32_t n) {
  const uint32_t i = blockIdx.x * block + threadIdx.x;
  if (i >= n) return;
  sums[i] = image[i];
  squares[i] = image[i] * image[i];
}

__global__ void reduce(const float* sums, const float* squares, float* block_sums, float* block_squares, uint32_t n) {
  __shared__ float sum[block], square[block];
  const uint32_t local = threadIdx.x, i = blockIdx.x * block + local;
  sum[local] = i < n ? sums[i] : 0;
  square[local] = i < n ? squares[i] : 0;
  __syncthreads();
#pragma unroll 1
  for (uint32_t half = block / 2; half > 0; half /= 2) {
    PWS_LOOP_BOUND(8);  // log2(block)
    if (local < half) {
      sum[local] += sum[local + half];
      square[local] += square[local + half];
    }
    __syncthreads();
  }
  if (local == 0) {
    block_sums[blockIdx.x] = sum[0];
    block_squares[blockIdx.x] = square[0];
  }
}

__global__ void srad1(const float* image, float* differences, float* coefficients, const int* north, const int* south,
                      const int* west, const int* east, int rows, int columns, float q0_squared) {
  const int n = rows * columns, i = static_cast<int>(blockIdx.x * block + threadIdx.x);
  if (i >= n) return;
  const int row = i / columns, column = i % columns;
  const float centre = image[i];
  const float to_north = image[north[row] * columns + column] - centre;
  const float to_south = image[south[row] * columns + column] - centre;
  const float to_west = image[row * columns + west[column]] - centre;
  const float to_east = image[row * columns + east[column]] - centre;
  // The instantaneous coefficient of variation, from gradient and Laplacian relative to the pixel.
  const float gradient =
      (to_north * to_north + to_south * to_south + to_west * to_west + to_east * to_east) / (centre * centre);
  const float laplacian = (to_north + to_south + to_west + to_east) / centre;
  const float scale = 1 + 0.25f * laplacian;
  const float q_squared = (0.5f * gradient - 0.0625f * laplacian * laplacian) / (scale * scale);
  // q_squared is not negative (Cauchy and Schwarz), so that the coefficient is above 0; it saturates at 1.
  const float excess = (q_squared - q0_squared) / (q0_squared * (1 + q0_squared));
  coefficients[i] = fminf(1 / (1 + excess), 1);
  differences[i] = to_north;
  differences[n + i] = to_south;
  differences[2 * n + i] = to_west;
  differences[3 * n + i] = to_east;
}

__global__ void srad2(float* image, const float* differences, const float* coefficients, const int* south,
                      const int* east, int rows, int columns) {
  const int n = rows * columns, i = static_cast<int>(blockIdx.x * block + threadIdx.x);
  if (i >= n) return;
  const int row = i / columns, column = i % columns;
  // Between two pixels the coefficient of the southern or eastern one counts, so that what one loses the other gains.
  const float own = coefficients[i];
  const float divergence = own * differences[i] + coefficients[south[row] * columns + column] * differences[n + i] +
                           own * differences[2 * n + i] +
                           coefficients[row * columns + east[column]] * differences[3 * n + i];
  image[i] += 0.25f * lambda * divergence;
}

struct moments {
  double mean, variance;
};

moments moments_of(double sum, double squares, double n) {
  return {sum / n, squares / n - (sum / n) * (sum / n)};
}

// Sum and sum of squares of the image, on the device.
class statistics {
 public:
  explicit statistics(uint32_t n) : n_(n) {
    for (uint32_t left = n;; left = program::blocks_of(left, block)) {
      levels_.emplace_back(std::make_unique<level>(left));
      if (left == 1) break;
    }
  }
  moments of(const program::device_array<float>& image) {
    prepare<<<program::blocks_of(n_, block), block>>>(image.get(), levels_[0]->sums.get(), levels_[0]->squares.get(),
                                                      n_);
    PROGRAM_LAUNCHED();
    for (size_t k = 1; k < levels_.size(); ++k) {
      const level &from = *levels_[k - 1], &to = *levels_[k];
      reduce<<<static_cast<uint32_t>(to.sums.size()), block>>>(from.sums.get(), from.squares.get(), to.sums.get(),
                                                               to.squares.get(),
                                                               static_cast<uint32_t>(from.sums.size()));
      PROGRAM_LAUNCHED();
    }
    return moments_of(levels_.back()->sums.download()[0], levels_.back()->squares.download()[0], n_);
  }

 private:
  struct level {
    explicit level(uint32_t n) : sums(n), squares(n) {}
    program::device_array<float> sums, squares;
  };
  uint32_t n_;
  std::vector<std::unique_ptr<level>> levels_;
};

double square(double x) {
  return x * x;
}

// One iteration in f64, pixels outside the image being as those at the border.
std::vector<double> diffuse(const std::vector<double>& image, int rows, int columns) {
  const auto index = [&](int row, int column) {
    return static_cast<size_t>(std::min(std::max(row, 0), rows - 1) * columns +
                               std::min(std::max(column, 0), columns - 1));
  };
  const double n = static_cast<double>(image.size());
  const moments all = moments_of(std::accumulate(image.begin(), image.end(), 0.0),
                                 std::inner_product(image.begin(), image.end(), image.begin(), 0.0), n);
  const double q0 = all.variance / square(all.mean);
  std::vector<double> coefficient(image.size()), result = image;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      const double x = image[index(r, c)];
      double gradient = 0, laplacian = 0;
      for (const size_t k : {index(r - 1, c), index(r + 1, c), index(r, c - 1), index(r, c + 1)}) {
        gradient += square((image[k] - x) / x);
        laplacian += (image[k] - x) / x;
      }
      const double q = (gradient / 2 - square(laplacian) / 16) / square(1 + laplacian / 4);
      coefficient[index(r, c)] = std::min(1.0, 1 / (1 + (q - q0) / (q0 * (1 + q0))));
    }
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c)
      for (const auto& [neighbour, from] : {std::pair{index(r - 1, c), index(r, c)},
                                            {index(r, c - 1), index(r, c)},
                                            {index(r + 1, c), index(r + 1, c)},
                                            {index(r, c + 1), index(r, c + 1)}})
        result[index(r, c)] += double{lambda} / 4 * coefficient[from] * (image[neighbour] - image[index(r, c)]);
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const int rows = o.pick(10, 50, 100), columns = rows, iterations = o.pick(4, 10, 20);
  std::printf("srad (%s): %dx%d pixels, %d iterations, seed %u\n", o.size_name(), rows, columns, iterations, o.seed);

  // A bright disk on a darker ground, both with speckle.
  program::random_source random(o.seed);
  const uint32_t n = static_cast<uint32_t>(rows * columns);
  std::vector<float> image(n);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      const bool inside = square(r - rows * 0.4) + square(c - columns * 0.5) < square(rows * 0.25);
      image[r * columns + c] = (inside ? 180.0f : 80.0f) * random.real(0.6f, 1.4f);
    }
  std::vector<int> north(rows), south(rows), west(columns), east(columns);
  for (int r = 0; r < rows; ++r) north[r] = std::max(r - 1, 0), south[r] = std::min(r + 1, rows - 1);
  for (int c = 0; c < columns; ++c) west[c] = std::max(c - 1, 0), east[c] = std::min(c + 1, columns - 1);

  program::device_array<float> device_image(image), device_differences(size_t{4} * n), device_coefficients(n);
  const program::device_array<int> device_north(north), device_south(south), device_west(west), device_east(east);
  statistics device_statistics(n);
  const uint32_t blocks = program::blocks_of(n, block);
  extract<<<blocks, block>>>(device_image.get(), n);
  PROGRAM_LAUNCHED();
  for (int k = 0; k < iterations; ++k) {
    const moments now = device_statistics.of(device_image);
    srad1<<<blocks, block>>>(device_image.get(), device_differences.get(), device_coefficients.get(),
                             device_north.get(), device_south.get(), device_west.get(), device_east.get(), rows,
                             columns, static_cast<float>(now.variance / square(now.mean)));
    PROGRAM_LAUNCHED();
    srad2<<<blocks, block>>>(device_image.get(), device_differences.get(), device_coefficients.get(),
                             device_south.get(), device_east.get(), rows, columns);
    PROGRAM_LAUNCHED();
  }
  const std::vector<float> diffused = device_image.download();
  compress<<<blocks, block>>>(device_image.get(), n);
  PROGRAM_LAUNCHED();

  std::vector<double> reference(image.begin(), image.end());
  for (double& x : reference) x = std::exp(x / 255);
  const double before = std::accumulate(reference.begin(), reference.end(), 0.0);
  for (int k = 0; k < iterations; ++k) reference = diffuse(reference, rows, columns);
  for (double& x : reference) x = std::log(x) * 255;

  program::verdict verdict;
  verdict.close("image", device_image.download(), std::vector<float>(reference.begin(), reference.end()), 0, 0x1p-12);
  const double after = std::accumulate(diffused.begin(), diffused.end(), 0.0);
  verdict.that("diffusion keeps the sum", std::fabs(after - before) <= 0x1p-21 * before);
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
