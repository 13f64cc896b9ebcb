// LU decomposition without pivoting, in place and in blocks: a = l u, where l has a unit diagonal. A step takes the
// tile on the diagonal, then the tiles right of it and below it, then everything that is right of and below those.
//
// Sizes:      64, 128, 256 unknowns
// Kernels:    a f32[n * n] row-major, n a multiple of 16; offset is the row and column at which the step's tile begins
//             diagonal   the tile itself; one workgroup of 16, a work-item per row and column
//             perimeter  workgroup k the k-th tile to the right and the k-th below; 32 work-items: 0..15 are columns of
//                        the tile to the right, 16..31 rows of the tile below
//             internal   a tile per workgroup of 16x16, a work-item per element
// Divergence: perimeter on the work-item's number, one half for each tile: loading, solving, storing. diagonal has rows
//             and columns that are finished, which is one side only; internal none
// Rounding:   f32, not fused. The residual has Higham's bound, for every order of summation. l and u themselves are
//             compared within 2^-20, relative and absolute: an element is rounded at its own magnitude at most n / 16 +
//             15 times, which would be 2^-19 if all went the same way; what it is computed from differs by less, since
//             the diagonal, n and more, is what l is divided by
#include <cmath>

#include "program.h"
#include "residual.h"

namespace {

constexpr int tile = 16;
constexpr int pitch = tile + 1;  // in LDS: rows as well as columns are in different banks

__global__ void diagonal(float* a, int n, int offset) {
  __shared__ float block[tile][pitch];
  const int local = static_cast<int>(threadIdx.x);
  float* const corner = a + offset * n + offset;
#pragma unroll 1
  for (int row = 0; row < tile; ++row) {
    PWS_LOOP_BOUND(tile);
    block[row][local] = corner[row * n + local];
  }
  __syncthreads();
#pragma unroll 1
  for (int i = 0; i < tile - 1; ++i) {
    PWS_LOOP_BOUND(tile - 1);
    if (local > i) {  // column i of l, of which a work-item has its row
      float sum = block[local][i];
#pragma unroll 1
      for (int j = 0; j < i; ++j) {
        PWS_LOOP_BOUND(tile - 2);
        sum -= block[local][j] * block[j][i];
      }
      block[local][i] = sum / block[i][i];
    }
    __syncthreads();
    if (local > i) {  // row i + 1 of u, of which a work-item has its column
      float sum = block[i + 1][local];
#pragma unroll 1
      for (int j = 0; j <= i; ++j) {
        PWS_LOOP_BOUND(tile - 1);
        sum -= block[i + 1][j] * block[j][local];
      }
      block[i + 1][local] = sum;
    }
    __syncthreads();
  }
#pragma unroll 1
  for (int row = 1; row < tile; ++row) {  // row 0 of u is a's
    PWS_LOOP_BOUND(tile - 1);
    corner[row * n + local] = block[row][local];
  }
}

__global__ void perimeter(float* a, int n, int offset) {
  __shared__ float block[tile][pitch], right[tile][pitch], below[tile][pitch];
  const int index = static_cast<int>(threadIdx.x) % tile, half = static_cast<int>(threadIdx.x) / tile;
  const int distance = (static_cast<int>(blockIdx.x) + 1) * tile;
  float* const corner = a + offset * n + offset;
  float* const right_corner = corner + distance;
  float* const below_corner = corner + distance * n;

  // Each half loads half of the diagonal tile and the whole of its own, row by row.
  PWS_SPLIT();
  if (half == 0) {
#pragma unroll 1
    for (int row = 0; row < tile / 2; ++row) {
      PWS_LOOP_BOUND(tile / 2);
      block[row][index] = corner[row * n + index];
    }
#pragma unroll 1
    for (int row = 0; row < tile; ++row) {
      PWS_LOOP_BOUND(tile);
      right[row][index] = right_corner[row * n + index];
    }
  } else {
#pragma unroll 1
    for (int row = tile / 2; row < tile; ++row) {
      PWS_LOOP_BOUND(tile / 2);
      block[row][index] = corner[row * n + index];
    }
#pragma unroll 1
    for (int row = 0; row < tile; ++row) {
      PWS_LOOP_BOUND(tile);
      below[row][index] = below_corner[row * n + index];
    }
  }
  __syncthreads();

  PWS_SPLIT();
  if (half == 1) {  // x u = a, a work-item per row of x
#pragma unroll 1
    for (int i = 0; i < tile; ++i) {
      PWS_LOOP_BOUND(tile);
      float sum = below[index][i];
#pragma unroll 1
      for (int j = 0; j < i; ++j) {
        PWS_LOOP_BOUND(tile - 1);
        sum -= below[index][j] * block[j][i];
      }
      below[index][i] = sum / block[i][i];
    }
  } else {  // l x = a, a work-item per column of x
#pragma unroll 1
    for (int i = 1; i < tile; ++i) {
      PWS_LOOP_BOUND(tile - 1);
      float sum = right[i][index];
#pragma unroll 1
      for (int j = 0; j < i; ++j) {
        PWS_LOOP_BOUND(tile - 1);
        sum -= block[i][j] * right[j][index];
      }
      right[i][index] = sum;
    }
  }
  __syncthreads();

  PWS_SPLIT();
  if ((threadIdx.x & tile) == 0) {
#pragma unroll 1
    for (int row = 1; row < tile; ++row) {
      PWS_LOOP_BOUND(tile - 1);
      right_corner[row * n + index] = right[row][index];
    }
  } else {
#pragma unroll 1
    for (int row = 0; row < tile; ++row) {
      PWS_LOOP_BOUND(tile);
      below_corner[row * n + index] = below[row][index];
    }
  }
}

__global__ void internal(float* a, int n, int offset) {
  __shared__ float l[tile][pitch], u[tile][pitch];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int row = offset + (static_cast<int>(blockIdx.y) + 1) * tile + y;
  const int column = offset + (static_cast<int>(blockIdx.x) + 1) * tile + x;
  l[y][x] = a[row * n + offset + x];
  u[y][x] = a[(offset + y) * n + column];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int k = 0; k < tile; ++k) sum += l[y][k] * u[k][x];
  a[row * n + column] -= sum;
}

// The textbook's: eliminate column after column. In f64.
std::vector<double> eliminate(std::vector<double> a, size_t n) {
  for (size_t k = 0; k < n; ++k)
    for (size_t i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] /= a[k * n + k];
      for (size_t j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
    }
  return a;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const int n = o.pick(64, 128, 256);
  std::printf("lu_decomposition (%s): %d unknowns, seed %u\n", o.size_name(), n, o.seed);

  // Without pivoting the diagonal has to dominate.
  program::random_source random(o.seed);
  std::vector<float> a(static_cast<size_t>(n) * n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      a[i * n + j] = i == j ? random.real(1.5f, 2) * static_cast<float>(n) : random.real(-1, 1);

  program::device_array<float> device_a(a);
  for (int offset = 0; offset < n; offset += tile) {
    diagonal<<<1, tile>>>(device_a.get(), n, offset);
    PROGRAM_LAUNCHED();
    const uint32_t rest = static_cast<uint32_t>((n - offset) / tile - 1);
    if (rest == 0) break;
    perimeter<<<rest, 2 * tile>>>(device_a.get(), n, offset);
    PROGRAM_LAUNCHED();
    internal<<<dim3(rest, rest), dim3(tile, tile)>>>(device_a.get(), n, offset);
    PROGRAM_LAUNCHED();
  }

  const std::vector<float> got = device_a.download();
  const std::vector<double> reference = eliminate(std::vector<double>(a.begin(), a.end()), static_cast<size_t>(n));
  program::verdict verdict;
  verdict.close("l and u", got, std::vector<float>(reference.begin(), reference.end()), 0x1p-20, 0x1p-20);
  verdict.that("|l u - a| <= gamma |l| |u|", program::residual_is_small(got, a, static_cast<size_t>(n)));
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
