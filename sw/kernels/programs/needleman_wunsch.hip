// Needleman-Wunsch: global alignment of two sequences by dynamic programming in tiles, with the alignment traced back.
//
//   score[i][j] = max(score[i-1][j-1] + substitution[a[i-1]][b[j-1]], score[i-1][j] - gap, score[i][j-1] - gap)
//
// Sizes:      sequences of 16, 64, 256 symbols
// Kernels:    upper_left, lower_right  the tiles of one anti-diagonal of tiles, a launch each: first those up to the
//             longest anti-diagonal, then the rest. Workgroup 32 per tile of 16x16 cells: the work-items 0..15 compute
//             an anti-diagonal of cells, the work-items 16..31 find the directions of the one before it.
//               a, b          u8[n], symbols 0..23; a runs down the rows
//               substitution  i32[24 * 24]
//               score         i32[(n + 1) * (n + 1)], row 0 and column 0 filled in
//               direction     u8[n * n], where a cell's score comes from: 0 diagonal, 1 up, 2 left; the lowest possible
// Divergence: on the work-item's number: loading the border above or left, computing cells or finding directions, in
//             which the anti-diagonal's length matters too, storing scores or directions; on a cell's direction
// Rounding:   none, integers
#include <algorithm>

#include "program.h"

namespace {

constexpr int tile = 16;
constexpr int symbols = 24;
constexpr int gap = 10;
constexpr uint32_t group = 2 * tile;

enum : uint8_t { diagonal, up, left };

struct tile_cells {
  // Row 0 and column 0 are the neighbours'; the odd pitch keeps an anti-diagonal's cells in different LDS banks.
  int score[tile + 1][tile + 1];
  int similarity[tile][tile];
  uint8_t direction[tile][tile];
};

static __device__ __forceinline__ void compute_cell(tile_cells& cells, int row, int column) {
  const int from_diagonal = cells.score[row][column] + cells.similarity[row][column];
  const int from_up = cells.score[row][column + 1] - gap;
  const int from_left = cells.score[row + 1][column] - gap;
  cells.score[row + 1][column + 1] = max(from_diagonal, max(from_up, from_left));
}

static __device__ __forceinline__ void find_direction(tile_cells& cells, int row, int column) {
  const int score = cells.score[row + 1][column + 1];
  if (score == cells.score[row][column] + cells.similarity[row][column]) {
    cells.direction[row][column] = diagonal;
  } else if (score == cells.score[row][column + 1] - gap) {
    cells.direction[row][column] = up;
  } else {
    cells.direction[row][column] = left;
  }
}

static __device__ __forceinline__ void align_tile(const uint8_t* a, const uint8_t* b, const int* substitution,
                                                  int* score, uint8_t* direction, int n, int tile_row,
                                                  int tile_column) {
  __shared__ tile_cells cells;
  const int local = static_cast<int>(threadIdx.x), column = local % tile, half = local / tile;
  const int row0 = tile_row * tile, column0 = tile_column * tile, pitch = n + 1;

  const int column_symbol = b[column0 + column];
#pragma unroll 1
  for (int step = 0; step < tile / 2; ++step) {
    PWS_LOOP_BOUND(tile / 2);
    const int row = 2 * step + half;
    cells.similarity[row][column] = substitution[a[row0 + row] * symbols + column_symbol];
  }
  PWS_SPLIT();
  if (half == 0) {
    cells.score[0][column + 1] = score[row0 * pitch + column0 + column + 1];
  } else {
    cells.score[column + 1][0] = score[(row0 + column + 1) * pitch + column0];
  }
  if (local == 0) cells.score[0][0] = score[row0 * pitch + column0];
  __syncthreads();

  // Cell (row, column) lies on anti-diagonal row + column. It is computed in that step, its direction found in the
  // next.
#pragma unroll 1
  for (int step = 0; step < tile; ++step) {
    PWS_LOOP_BOUND(tile);
    PWS_SPLIT();
    if (local <= step) {
      compute_cell(cells, step - column, column);
    } else if (local >= tile && column < step) {
      find_direction(cells, step - 1 - column, column);
    }
    __syncthreads();
  }
#pragma unroll 1
  for (int step = tile; step < 2 * tile; ++step) {
    PWS_LOOP_BOUND(tile);
    PWS_SPLIT();
    if (local >= step) {
      find_direction(cells, step - 1 - column, column);
    } else if (local < tile && column > step - tile) {
      compute_cell(cells, step - column, column);
    }
    __syncthreads();
  }

  PWS_SPLIT();
  if (half == 1) {
#pragma unroll 1
    for (int row = 0; row < tile; ++row) {
      PWS_LOOP_BOUND(tile);
      direction[(row0 + row) * n + column0 + column] = cells.direction[row][column];
    }
  } else {
#pragma unroll 1
    for (int row = 0; row < tile; ++row) {
      PWS_LOOP_BOUND(tile);
      score[(row0 + row + 1) * pitch + column0 + column + 1] = cells.score[row + 1][column + 1];
    }
  }
}

// `strip` is the tiles' row plus their column.
__global__ void upper_left(const uint8_t* a, const uint8_t* b, const int* substitution, int* score, uint8_t* direction,
                           int n, int strip) {
  const int tile_row = static_cast<int>(blockIdx.x);
  align_tile(a, b, substitution, score, direction, n, tile_row, strip - tile_row);
}

__global__ void lower_right(const uint8_t* a, const uint8_t* b, const int* substitution, int* score, uint8_t* direction,
                            int n, int strip) {
  const int tile_column = n / tile - 1 - static_cast<int>(blockIdx.x);
  align_tile(a, b, substitution, score, direction, n, strip - tile_column, tile_column);
}

// The alignment's score, summed up from its end along the directions; INT32_MIN if they do not lead to the start.
int traced_score(const std::vector<uint8_t>& direction, const std::vector<uint8_t>& a, const std::vector<uint8_t>& b,
                 const std::vector<int>& substitution) {
  const size_t n = a.size();
  size_t i = n, j = n;
  int sum = 0;
  while (i > 0 && j > 0) {
    switch (direction[(i - 1) * n + j - 1]) {
      case diagonal:
        sum += substitution[a[--i] * symbols + b[--j]];
        break;
      case up:
        --i, sum -= gap;
        break;
      case left:
        --j, sum -= gap;
        break;
      default:
        return INT32_MIN;
    }
  }
  return sum - gap * static_cast<int>(i + j);
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const int n = o.pick(16, 64, 256);
  std::printf("needleman_wunsch (%s): sequences of %d symbols, seed %u\n", o.size_name(), n, o.seed);

  // As BLOSUM tables are: symmetric, equal symbols score high, most others negative.
  program::random_source random(o.seed);
  std::vector<int> substitution(symbols * symbols);
  for (int s = 0; s < symbols; ++s)
    for (int t = 0; t <= s; ++t)
      substitution[s * symbols + t] = substitution[t * symbols + s] =
          s == t ? 4 + static_cast<int>(random.below(8)) : static_cast<int>(random.below(7)) - 4;
  // b is a with symbols changed, lost and inserted, so that the alignment leaves the diagonal and comes back.
  std::vector<uint8_t> a(n), b;
  for (uint8_t& symbol : a) symbol = static_cast<uint8_t>(random.below(symbols));
  for (size_t k = 0; k < a.size(); ++k) {
    const uint32_t change = random.below(10);
    if (change == 0) continue;
    b.push_back(change == 1 ? static_cast<uint8_t>(random.below(symbols)) : a[k]);
    if (change == 2) b.push_back(static_cast<uint8_t>(random.below(symbols)));
  }
  while (b.size() < a.size()) b.push_back(static_cast<uint8_t>(random.below(symbols)));
  b.resize(a.size());

  const size_t pitch = n + 1;
  std::vector<int> expected(pitch * pitch);
  std::vector<uint8_t> expected_direction(static_cast<size_t>(n) * n);
  for (size_t k = 0; k < pitch; ++k) expected[k] = expected[k * pitch] = -gap * static_cast<int>(k);
  const std::vector<int> borders = expected;
  for (size_t i = 1; i < pitch; ++i)
    for (size_t j = 1; j < pitch; ++j) {
      const int from[] = {expected[(i - 1) * pitch + j - 1] + substitution[a[i - 1] * symbols + b[j - 1]],
                          expected[(i - 1) * pitch + j] - gap, expected[i * pitch + j - 1] - gap};
      const int* best = std::max_element(from, from + 3);  // the first of equal ones
      expected[i * pitch + j] = *best;
      expected_direction[(i - 1) * n + j - 1] = static_cast<uint8_t>(best - from);
    }

  program::device_array<uint8_t> device_a(a), device_b(b), device_direction(expected_direction.size());
  program::device_array<int> device_substitution(substitution), device_score(borders);
  const int tiles = n / tile;
  for (int strip = 0; strip < tiles; ++strip) {
    upper_left<<<strip + 1, group>>>(device_a.get(), device_b.get(), device_substitution.get(), device_score.get(),
                                     device_direction.get(), n, strip);
    PROGRAM_LAUNCHED();
  }
  for (int strip = tiles; strip < 2 * tiles - 1; ++strip) {
    lower_right<<<2 * tiles - 1 - strip, group>>>(device_a.get(), device_b.get(), device_substitution.get(),
                                                  device_score.get(), device_direction.get(), n, strip);
    PROGRAM_LAUNCHED();
  }

  const std::vector<int> got = device_score.download();
  const std::vector<uint8_t> got_direction = device_direction.download();
  program::verdict verdict;
  verdict.equal("score", got, expected);
  verdict.equal("direction", got_direction, expected_direction);
  verdict.that("the traced alignment has the last cell's score",
               traced_score(got_direction, a, b, substitution) == expected.back());
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
