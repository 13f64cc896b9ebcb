// LU decomposition without pivoting, in place, as in SPLASH-2's LU with contiguous blocks: each block of a matrix has
// an owner among the work-items, scattered over both directions. In each step all work-items walk over the blocks that
// are to be changed, and each changes those that it owns. So the work-items of a warp part by who owns the block.
//
// Sizes:      2 matrices of 32 unknowns, 16 of 64, 64 of 96
// Kernel:     factorise  matrices f32[matrices][blocks][blocks][4][4]: blocks of 4 x 4 side by side; `blocks` in each
//                        direction. A workgroup of 128 work-items, 8 x 16 owners, for each matrix
// Divergence: owner of the block or not; a step's diagonal block has one owner, which all others wait for
// Rounding:   f32, fused or not. The residual has Higham's bound, for every order of operations
#include <cmath>

#include "program.h"
#include "residual.h"

namespace {

constexpr int side = 4;  // of a block
constexpr uint32_t rows_of_owners = 8, columns_of_owners = 16, work_items = rows_of_owners * columns_of_owners;
constexpr uint32_t most_blocks = 24;

struct block {
  float at[side][side];
};

__device__ __forceinline__ uint32_t owner_of(uint32_t row, uint32_t column) {
  return row % rows_of_owners * columns_of_owners + column % columns_of_owners;
}

// a = l u, both in its place; l has a unit diagonal.
__device__ __forceinline__ void factorise_block(block& a) {
  block b = a;
#pragma unroll
  for (int k = 0; k < side; ++k)
#pragma unroll
    for (int i = k + 1; i < side; ++i) {
      b.at[i][k] /= b.at[k][k];
#pragma unroll
      for (int j = k + 1; j < side; ++j) b.at[i][j] -= b.at[i][k] * b.at[k][j];
    }
  a = b;
}

// x u = a, x in a's place.
__device__ __forceinline__ void divide_by_upper(block& a, const block& diagonal) {
  const block u = diagonal;
  block x = a;
#pragma unroll
  for (int k = 0; k < side; ++k)
#pragma unroll
    for (int i = 0; i < side; ++i) {
      x.at[i][k] /= u.at[k][k];
#pragma unroll
      for (int j = k + 1; j < side; ++j) x.at[i][j] -= x.at[i][k] * u.at[k][j];
    }
  a = x;
}

// l x = a, x in a's place.
__device__ __forceinline__ void divide_by_lower(block& a, const block& diagonal) {
  const block l = diagonal;
  block x = a;
#pragma unroll
  for (int k = 0; k < side; ++k)
#pragma unroll
    for (int i = k + 1; i < side; ++i)
#pragma unroll
      for (int j = 0; j < side; ++j) x.at[i][j] -= l.at[i][k] * x.at[k][j];
  a = x;
}

__device__ __forceinline__ void subtract_product(block& a, const block& left, const block& right) {
  const block l = left, u = right;
  block rest = a;
#pragma unroll
  for (int k = 0; k < side; ++k)
#pragma unroll
    for (int i = 0; i < side; ++i)
#pragma unroll
      for (int j = 0; j < side; ++j) rest.at[i][j] -= l.at[i][k] * u.at[k][j];
  a = rest;
}

__global__ __launch_bounds__(work_items) void factorise(block* matrices, uint32_t blocks) {
  block* const a = matrices + blockIdx.x * blocks * blocks;
  const uint32_t own = threadIdx.x;
#pragma unroll 1
  for (uint32_t k = 0; k < blocks; ++k) {
    PWS_LOOP_BOUND(most_blocks);
    block* const diagonal = a + k * blocks + k;
    if (owner_of(k, k) == own) factorise_block(*diagonal);
    __syncthreads();
#pragma unroll 1
    for (uint32_t i = k + 1; i < blocks; ++i) {
      PWS_LOOP_BOUND(most_blocks - 1);
      if (owner_of(i, k) == own) divide_by_upper(a[i * blocks + k], *diagonal);
    }
#pragma unroll 1
    for (uint32_t j = k + 1; j < blocks; ++j) {
      PWS_LOOP_BOUND(most_blocks - 1);
      if (owner_of(k, j) == own) divide_by_lower(a[k * blocks + j], *diagonal);
    }
    __syncthreads();
#pragma unroll 1
    for (uint32_t i = k + 1; i < blocks; ++i) {
      PWS_LOOP_BOUND(most_blocks - 1);
#pragma unroll 1
      for (uint32_t j = k + 1; j < blocks; ++j) {
        PWS_LOOP_BOUND(most_blocks - 1);
        if (owner_of(i, j) == own) subtract_product(a[i * blocks + j], a[i * blocks + k], a[k * blocks + j]);
      }
    }
    __syncthreads();
  }
}

// Where an element of an n x n matrix is among its blocks.
size_t place_of(size_t i, size_t j, size_t n) {
  return (i / side * (n / side) + j / side) * side * side + i % side * side + j % side;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t matrices = o.pick(2u, 16u, 64u), blocks = o.pick(8u, 16u, 24u), n = side * blocks;
  std::printf("lu_owned_blocks (%s): %u matrices of %u unknowns, seed %u\n", o.size_name(), matrices, n, o.seed);

  // Without pivoting the diagonal has to dominate.
  program::random_source random(o.seed);
  const size_t each = size_t{n} * n;
  std::vector<float> a(matrices * each);
  for (size_t m = 0; m < matrices; ++m)
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; j < n; ++j)
        a[m * each + place_of(i, j, n)] = i == j ? random.real(1.5f, 2) * static_cast<float>(n) : random.real(-1, 1);

  program::device_array<float> device_a(a);
  factorise<<<matrices, work_items>>>(reinterpret_cast<block*>(device_a.get()), blocks);
  PROGRAM_LAUNCHED();

  const std::vector<float> got = device_a.download();
  size_t small = 0;
  for (size_t m = 0; m < matrices; ++m) {
    const auto rows = [&](const std::vector<float>& all) {
      std::vector<float> one(each);
      for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) one[i * n + j] = all[m * each + place_of(i, j, n)];
      return one;
    };
    small += program::residual_is_small(rows(got), rows(a), n);
  }
  std::printf("%zu of %u matrices have a small residual\n", small, matrices);
  program::verdict verdict;
  verdict.that("|l u - a| <= gamma |l| |u|", small == matrices);
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
