// Path finder: the cheapest way down a grid, a cell of the row below or one of its two neighbours a step, by dynamic
// programming: the cheapest cost of reaching every cell of the last row.
//
// Sizes:      1024 x 10, 8192 x 20, 65536 x 50 columns x rows
// Kernel:     descend  cost i32[rows][columns], from i32[columns] (a row's cheapest costs), to i32[columns] (those
//             `steps` rows further down); one launch takes up to `height` rows. A workgroup of 256 has 256 columns of
//             them in LDS, of which one at either end is no longer right with every row: a pyramid, whose top the
//             workgroup writes. One work-item per column of the foot.
// Divergence: the pyramid's narrowing (one-sided); columns with two neighbours above against the grid's first and last,
//             which have one (two-sided; unmarked, as the side of the few is over in a few instructions)
// Rounding:   none, whole numbers
#include <algorithm>

#include "program.h"

namespace {

constexpr uint32_t block = 256;
constexpr uint32_t height = 8;                 // rows a launch
constexpr uint32_t kept = block - 2 * height;  // columns that a workgroup writes, after any number of rows up to it
constexpr int32_t dearest = 10;                // costs of cells are below

__device__ __forceinline__ int32_t least(int32_t a, int32_t b) {
  return a < b ? a : b;
}

__global__ __launch_bounds__(block) void descend(const int32_t* cost, const int32_t* from, int32_t* to,
                                                 uint32_t columns, uint32_t first_row, uint32_t steps) {
  __shared__ int32_t above[block];
  const uint32_t t = threadIdx.x;
  // Below 0 in the first workgroup: more than any column then.
  const uint32_t column = blockIdx.x * kept + t - height;
  const bool in_grid = column < columns;
  if (in_grid) above[t] = from[column];
  __syncthreads();

  int32_t best = 0;
  const int32_t* row = cost + size_t{first_row} * columns;
#pragma unroll 1
  for (uint32_t step = 0; step < steps; ++step) {
    PWS_LOOP_BOUND(height);
    // What is wrong in LDS, because it depends on other workgroups' columns, grows by one from either end.
    const bool right = in_grid && t - (step + 1) < block - 2 * (step + 1);
    if (right) {
      best = above[t];
      if (column - 1 < columns - 2)
        best = least(best, least(above[t - 1], above[t + 1]));
      else
        best = least(best, above[column == 0 ? t + 1 : t - 1]);
      best += row[column];
    }
    __syncthreads();
    if (right) above[t] = best;
    __syncthreads();
    row += columns;
  }
  if (in_grid && t - height < kept) to[column] = above[t];
}

// Cheapest cost of reaching each cell of the last row, or, from the last row up, of going on from each of the first.
std::vector<int32_t> cheapest(const std::vector<int32_t>& cost, uint32_t columns, uint32_t rows, bool down) {
  const auto row = [&](uint32_t k) { return cost.data() + size_t{down ? k : rows - 1 - k} * columns; };
  std::vector<int32_t> best(row(0), row(0) + columns), next(columns);
  for (uint32_t r = 1; r < rows; ++r) {
    for (uint32_t c = 0; c < columns; ++c)
      next[c] =
          row(r)[c] + *std::min_element(best.begin() + (c == 0 ? 0 : c - 1), best.begin() + std::min(c + 2, columns));
    best.swap(next);
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t columns = o.pick(1024u, 8192u, 65536u), rows = o.pick(10u, 20u, 50u);
  std::printf("pathfinder (%s): %u columns, %u rows, seed %u\n", o.size_name(), columns, rows, o.seed);

  program::random_source random(o.seed);
  std::vector<int32_t> cost(size_t{columns} * rows);
  for (int32_t& c : cost) c = static_cast<int32_t>(random.below(dearest));

  program::device_array<int32_t> device_cost(cost), a(columns), b(columns);
  a.upload({cost.begin(), cost.begin() + columns});
  program::device_array<int32_t>*from = &a, *to = &b;
  for (uint32_t row = 1; row < rows; row += height) {
    descend<<<program::blocks_of(columns, kept), block>>>(device_cost.get(), from->get(), to->get(), columns, row,
                                                          std::min(height, rows - row));
    PROGRAM_LAUNCHED();
    std::swap(from, to);
  }

  const std::vector<int32_t> got = from->download(), up = cheapest(cost, columns, rows, false);
  program::verdict verdict;
  verdict.equal("cost", got, cheapest(cost, columns, rows, true));
  verdict.that("the cheapest path costs the same upwards",
               *std::min_element(got.begin(), got.end()) == *std::min_element(up.begin(), up.end()));
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
