// Global alignment of two sequences (Needleman-Wunsch) in 16x16 tiles; inside a tile the anti-diagonals follow each
// other with a barrier between them.
//
//   score[i][j] = max(score[i-1][j-1] + substitution[a[i-1]][b[j-1]], score[i-1][j] - gap, score[i][j-1] - gap)
//
// needleman_wunsch computes the tiles of one anti-diagonal of tiles; a launch per anti-diagonal gives the whole matrix,
// and one launch is enough for n <= 16.
//   score         i32[(n + 1) * (n + 1)] row-major; row 0, column 0 and the tiles above and left must be filled in
//   a, b          u8[n], symbols 0..3: a runs down the rows, b along the columns
//   substitution  i32[16], row-major by symbol of a
//   n             length of both sequences, any
//   gap           penalty, subtracted
//   diagonal      tile row + tile column
//   first_row     tile row of workgroup 0; workgroup w takes tile row first_row + w
// Grid: 16 work-items per tile of the anti-diagonal, workgroup 16.
//
// needleman_wunsch_batch aligns independent pairs of sequences of length 16, one pair per workgroup of 16.
//   a, b          u8[16 * pairs]
//   substitution  i32[16]
//   last_row      i32[16 * pairs] output: score[16][1..16] of each pair
//   gap           penalty; borders are -gap * index
// Grid: 16 * pairs work-items, workgroup 16.
//
// Exercises: LDS with odd row pitch, many barriers, lane activity that grows and shrinks by one lane per step,
//            wavefronts
// with 48 lanes off, integer max, byte loads.
#include <hip/hip_runtime.h>

#include <cstdint>

constexpr int tile = 16;

// Fills cells [1..16][1..16] of the tile from its row 0 and column 0. Work-item `local` owns column local + 1.
static __device__ void sweep(int (&cell)[tile + 1][tile + 1], const uint8_t (&row_symbol)[tile], uint32_t column_symbol,
                             const int* substitution, int gap, int local) {
  for (int step = 0; step < 2 * tile - 1; ++step) {
    const int row = step - local;
    if (row >= 0 && row < tile) {
      // The masks change no symbol; they keep every access in the table whatever the data, so that its time is bounded.
      const uint32_t pair = (row_symbol[row] & 3u) * 4 + (column_symbol & 3u);
      const int diagonal = cell[row][local] + substitution[pair];
      const int up = cell[row][local + 1] - gap;
      const int left = cell[row + 1][local] - gap;
      cell[row + 1][local + 1] = max(diagonal, max(up, left));
    }
    __syncthreads();
  }
}

extern "C" __global__ void needleman_wunsch(int* score, const uint8_t* a, const uint8_t* b, const int* substitution,
                                            uint32_t n, int gap, uint32_t diagonal, uint32_t first_row) {
  __shared__ int cell[tile + 1][tile + 1];
  __shared__ uint8_t row_symbol[tile];
  const uint32_t local = threadIdx.x;
  const uint32_t tile_row = first_row + blockIdx.x;
  const uint32_t row0 = tile_row * tile;
  const uint32_t column0 = (diagonal - tile_row) * tile;
  const uint32_t pitch = n + 1;
  const uint32_t column = column0 + local;
  // Cells beyond the matrix are computed from symbol 0 and border 0 and never stored; no cell inside depends on them.
  row_symbol[local] = row0 + local < n ? a[row0 + local] : 0;
  const uint32_t column_symbol = column < n ? b[column] : 0;
  cell[0][local + 1] = column < n ? score[row0 * pitch + column + 1] : 0;
  cell[local + 1][0] = row0 + local < n ? score[(row0 + local + 1) * pitch + column0] : 0;
  if (local == 0) cell[0][0] = score[row0 * pitch + column0];
  __syncthreads();
  sweep(cell, row_symbol, column_symbol, substitution, gap, static_cast<int>(local));
  if (column < n) {
    for (uint32_t row = 0; row < tile && row0 + row < n; ++row) {
      score[(row0 + row + 1) * pitch + column + 1] = cell[row + 1][local + 1];
    }
  }
}

extern "C" __global__ void needleman_wunsch_batch(const uint8_t* a, const uint8_t* b, const int* substitution,
                                                  int* last_row, int gap) {
  __shared__ int cell[tile + 1][tile + 1];
  __shared__ uint8_t row_symbol[tile];
  const int local = static_cast<int>(threadIdx.x);
  const uint32_t i = blockIdx.x * tile + threadIdx.x;
  row_symbol[local] = a[i];
  cell[0][local + 1] = -gap * (local + 1);
  cell[local + 1][0] = -gap * (local + 1);
  if (local == 0) cell[0][0] = 0;
  __syncthreads();
  sweep(cell, row_symbol, b[i], substitution, gap, local);
  last_row[i] = cell[tile][local + 1];
}
// SPDX-License-Identifier: Apache-2.0
