// SPDX-License-Identifier: Apache-2.0
// Sparse matrix times vector, with the matrix in jagged diagonals: rows in descending order of their lengths, first the
// first element of each row, then the second ones, and so on, so that neighbours read neighbouring elements.
//
// Sizes:      500, 5000, 50000 rows; 1 to 48 elements a row, most of them few
// Kernel:     multiply  diagonal u32[48 + 1]: where each begins, those that there are not at the end; column u32[],
//                       value f32[]; length u32[n] and row u32[n], by position; x f32[n]; y f32[n]. A work-item per
//                       row, blocks of 64
// Divergence: rows of a wavefront are of nearly the same length, so that few work-items leave the loop before others;
//             those behind the last row leave at once
// Rounding:   f32, fused or not, against double: values and x are in [-1, 1), so that a sum of 48 terms stays below 48
//             and 96 roundings of at most 2^-19 make 2^-12 absolute
#include <algorithm>
#include <numeric>

#include "program.h"

namespace {

constexpr uint32_t block = 64;
constexpr uint32_t max_length = 48;

__global__ void multiply(const uint32_t* diagonal, const uint32_t* column, const float* value, const uint32_t* length,
                         const uint32_t* row, const float* x, float* y, uint32_t n) {
  const uint32_t position = blockIdx.x * block + threadIdx.x;
  if (position >= n) return;
  const uint32_t elements = length[position];
  float sum = 0;
#pragma unroll 1
  for (uint32_t k = 0; k < elements; ++k) {
    PWS_LOOP_BOUND(max_length);
    const uint32_t at = diagonal[k] + position;
    sum += value[at] * x[column[at]];
  }
  y[row[position]] = sum;
}

struct element {
  uint32_t column;
  float value;
};
using rows = std::vector<std::vector<element>>;

// Near the diagonal and anywhere; one row in sixteen is long.
rows random_matrix(program::random_source& random, uint32_t n) {
  rows matrix(n);
  for (uint32_t r = 0; r < n; ++r) {
    const uint32_t length = random.below(16) == 0 ? 16 + random.below(max_length - 15) : 1 + random.below(12);
    for (uint32_t k = 0; k < length; ++k) {
      const uint32_t column = random.below(2) != 0 ? random.below(n) : (r + random.below(32)) % n;
      matrix[r].push_back({column, random.real(-1, 1)});
    }
  }
  return matrix;
}

struct jagged {
  std::vector<uint32_t> diagonal, column, length, row;
  std::vector<float> value;
};

jagged jagged_of(const rows& matrix) {
  jagged j;
  j.row.resize(matrix.size());
  std::iota(j.row.begin(), j.row.end(), 0u);
  std::stable_sort(j.row.begin(), j.row.end(),
                   [&](uint32_t a, uint32_t b) { return matrix[a].size() > matrix[b].size(); });
  for (const uint32_t r : j.row) j.length.push_back(static_cast<uint32_t>(matrix[r].size()));
  for (uint32_t k = 0; k <= max_length; ++k) {
    j.diagonal.push_back(static_cast<uint32_t>(j.column.size()));
    for (const uint32_t r : j.row) {
      if (matrix[r].size() <= k) break;
      j.column.push_back(matrix[r][k].column);
      j.value.push_back(matrix[r][k].value);
    }
  }
  return j;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t n = o.pick(500u, 5000u, 50000u);
  program::random_source random(o.seed);
  const rows matrix = random_matrix(random, n);
  const jagged j = jagged_of(matrix);
  std::printf("sparse_matrix_vector (%s): %u rows, %zu elements, seed %u\n", o.size_name(), n, j.value.size(), o.seed);

  std::vector<float> x;
  for (uint32_t k = 0; k < n; ++k) x.push_back(random.real(-1, 1));
  program::device_array<uint32_t> diagonal(j.diagonal), column(j.column), length(j.length), row(j.row);
  program::device_array<float> value(j.value), device_x(x), y(n);
  multiply<<<program::blocks_of(n, block), block>>>(diagonal.get(), column.get(), value.get(), length.get(), row.get(),
                                                    device_x.get(), y.get(), n);
  PROGRAM_LAUNCHED();

  std::vector<float> want;
  for (const auto& elements : matrix) {
    double sum = 0;
    for (const element& e : elements) sum += double(e.value) * x[e.column];
    want.push_back(static_cast<float>(sum));
  }
  program::verdict verdict;
  verdict.close("y", y.download(), want, 0, 0x1p-12);
  return verdict.finish();
}
