// Gaussian elimination of a dense, diagonally dominant system without pivoting. For every column one kernel computes
// the multipliers of the rows below and a second one updates these rows and their right-hand sides; the host
// substitutes back.
//
// Sizes:      16, 64, 256 unknowns
// Kernels:    multipliers  matrix f32[n][n], multiplier f32[n][n] (column t written); a work-item per row below row t,
//                          blocks of 64
//             update       matrix f32[n][n], right f32[n], multiplier f32[n][n]; a work-item per row below row t
//                          and column from t on, the right-hand side as the column behind the last; blocks of 16 x 16
// Divergence: update: in a row the work-item behind the last column updates the right-hand side, the others the matrix
//             (marked); bounds checks
// Rounding:   division in f32, correctly rounded; the update may be fused or not. The rows stay dominated by their
//             diagonals, the entries of either part of the matrix stay near their first magnitude, and each of the
//             fewer than n updates of an entry adds a rounding of 2^-24 of that: tolerance n * 2^-23, relative for the
//             diagonal, of the largest entry for the others
#include <algorithm>

#include "program.h"

namespace {

constexpr uint32_t row_block = 64;
constexpr uint32_t tile = 16;

__global__ void multipliers(const float* matrix, float* multiplier, uint32_t n, uint32_t t) {
  const uint32_t row = t + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  multiplier[row * n + t] = matrix[row * n + t] / matrix[t * n + t];
}

__global__ void update(float* matrix, float* right, const float* multiplier, uint32_t n, uint32_t t) {
  const uint32_t column = t + blockIdx.x * tile + threadIdx.x;
  const uint32_t row = t + 1 + blockIdx.y * tile + threadIdx.y;
  if (row >= n || column > n) return;
  const float factor = multiplier[row * n + t];
  PWS_SPLIT();
  if (column < n) {
    matrix[row * n + column] -= factor * matrix[t * n + column];
  } else {
    right[row] -= factor * right[t];
  }
}

struct linear_system {
  uint32_t n;
  std::vector<float> matrix, right;
};

// Off-diagonal entries in [-1, 1); the diagonal twice the sum of their magnitudes.
linear_system random_system(uint32_t n, program::random_source& random) {
  linear_system s{n, std::vector<float>(size_t{n} * n), std::vector<float>(n)};
  for (uint32_t row = 0; row < n; ++row) {
    float sum = 0;
    for (uint32_t column = 0; column < n; ++column) {
      if (column == row) continue;
      s.matrix[row * n + column] = random.real(-1, 1);
      sum += std::fabs(s.matrix[row * n + column]);
    }
    s.matrix[row * n + row] = random.bits() % 2 ? 2 * sum : -2 * sum;
    s.right[row] = random.real(-100, 100);
  }
  return s;
}

struct eliminated {
  std::vector<float> upper, lower, right;  // lower: the multipliers, zero elsewhere
};

// Crout's order: every entry of the factors at once, in double, by a dot product instead of repeated updates.
eliminated reference(const linear_system& s) {
  const uint32_t n = s.n;
  std::vector<double> upper(size_t{n} * n), lower(size_t{n} * n), right(n);
  for (uint32_t k = 0; k < n; ++k) {
    for (uint32_t column = k; column < n; ++column) {
      double sum = s.matrix[k * n + column];
      for (uint32_t m = 0; m < k; ++m) sum -= lower[k * n + m] * upper[m * n + column];
      upper[k * n + column] = sum;
    }
    for (uint32_t row = k + 1; row < n; ++row) {
      double sum = s.matrix[row * n + k];
      for (uint32_t m = 0; m < k; ++m) sum -= lower[row * n + m] * upper[m * n + k];
      lower[row * n + k] = sum / upper[k * n + k];
    }
    double sum = s.right[k];
    for (uint32_t m = 0; m < k; ++m) sum -= lower[k * n + m] * right[m];
    right[k] = sum;
  }
  return {{upper.begin(), upper.end()}, {lower.begin(), lower.end()}, {right.begin(), right.end()}};
}

std::vector<float> back_substitution(uint32_t n, const std::vector<float>& upper, const std::vector<float>& right) {
  std::vector<float> x(n);
  for (uint32_t row = n; row-- > 0;) {
    double sum = right[row];
    for (uint32_t column = row + 1; column < n; ++column) sum -= double(upper[row * n + column]) * x[column];
    x[row] = static_cast<float>(sum / upper[row * n + row]);
  }
  return x;
}

// The largest |A x - b| of a row over that row's sum of |A| |x| + |b|.
double relative_residual(const linear_system& s, const std::vector<float>& x) {
  double worst = 0;
  for (uint32_t row = 0; row < s.n; ++row) {
    double sum = -s.right[row], scale = std::fabs(s.right[row]);
    for (uint32_t column = 0; column < s.n; ++column) {
      const double term = double(s.matrix[row * s.n + column]) * x[column];
      sum += term;
      scale += std::fabs(term);
    }
    worst = std::max(worst, std::fabs(sum) / scale);
  }
  return worst;
}

float largest(const std::vector<float>& values) {
  float most = 0;
  for (const float v : values) most = std::max(most, std::fabs(v));
  return most;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t n = o.pick(16u, 64u, 256u);
  std::printf("gaussian (%s): %u unknowns, seed %u\n", o.size_name(), n, o.seed);

  program::random_source random(o.seed);
  const linear_system system = random_system(n, random);

  program::device_array<float> matrix(system.matrix), right(system.right), multiplier(size_t{n} * n);
  multiplier.clear();
  for (uint32_t t = 0; t + 1 < n; ++t) {
    const uint32_t rows = n - t - 1;
    multipliers<<<program::blocks_of(rows, row_block), row_block>>>(matrix.get(), multiplier.get(), n, t);
    PROGRAM_HIP(hipGetLastError());
    const dim3 grid(program::blocks_of(n - t + 1, tile), program::blocks_of(rows, tile));
    update<<<grid, dim3(tile, tile)>>>(matrix.get(), right.get(), multiplier.get(), n, t);
    PROGRAM_HIP(hipGetLastError());
  }
  PROGRAM_HIP(hipDeviceSynchronize());

  // Below the diagonal an exact elimination leaves zeros; the device what rounding left of them.
  const std::vector<float> got_matrix = matrix.download(), got_right = right.download();
  const eliminated expected = reference(system);
  const double rounding = n * 0x1p-23;
  program::verdict verdict;
  verdict.close("eliminated matrix", got_matrix, expected.upper, rounding, rounding);
  verdict.close("multipliers", multiplier.download(), expected.lower, rounding, 0x1p-22);
  verdict.close("right-hand side", got_right, expected.right, rounding, rounding * largest(system.right));
  const std::vector<float> solution = back_substitution(n, got_matrix, got_right);
  const std::vector<float> want = back_substitution(n, expected.upper, expected.right);
  verdict.close("solution", solution, want, rounding, rounding * largest(want));
  verdict.that("residual within rounding", relative_residual(system, solution) < rounding);
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
