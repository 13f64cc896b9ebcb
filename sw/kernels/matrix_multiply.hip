// c = a * b for square row-major matrices, in 16x16 tiles that pass through LDS.
//
// Arguments: a, b  f32[n * n] inputs
//            c     f32[n * n] output
//            n     rows and columns
// Shapes:    workgroup 16x16, grid n x n rounded up to multiples of 16; x is the column, y the row of c.
//            matrix_multiply takes any n; matrix_multiply_tiled needs a multiple of 16 and has no bounds checks.
// Rounding:  every element is summed in order of increasing k from +0, product and sum rounded separately.
// Exercises: static LDS (2 KiB), barriers over four wavefronts, 2-D ids, a loop with a uniform trip count; in the
//            general form also partly active wavefronts whose inactive work-items still reach the barriers.
#include <hip/hip_runtime.h>

constexpr unsigned tile = 16;
constexpr unsigned group_size = tile * tile;

static __device__ float tile_product(const float (&left)[tile][tile], const float (&right)[tile][tile], float sum) {
#pragma clang fp contract(off)
#pragma unroll
  for (unsigned k = 0; k < tile; ++k) sum = sum + left[threadIdx.y][k] * right[k][threadIdx.x];
  return sum;
}

extern "C" __global__ __launch_bounds__(group_size) void matrix_multiply(const float* a, const float* b, float* c,
                                                                         unsigned n) {
  __shared__ float left[tile][tile];
  __shared__ float right[tile][tile];
  const unsigned column = blockIdx.x * tile + threadIdx.x;
  const unsigned row = blockIdx.y * tile + threadIdx.y;
  float sum = 0.0f;
  for (unsigned first = 0; first < n; first += tile) {
    const unsigned a_column = first + threadIdx.x;
    const unsigned b_row = first + threadIdx.y;
    left[threadIdx.y][threadIdx.x] = row < n && a_column < n ? a[row * n + a_column] : 0.0f;
    right[threadIdx.y][threadIdx.x] = b_row < n && column < n ? b[b_row * n + column] : 0.0f;
    __syncthreads();
    sum = tile_product(left, right, sum);
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}

extern "C" __global__ __launch_bounds__(group_size) void matrix_multiply_tiled(const float* a, const float* b, float* c,
                                                                               unsigned n) {
  __shared__ float left[tile][tile];
  __shared__ float right[tile][tile];
  const unsigned column = blockIdx.x * tile + threadIdx.x;
  const unsigned row = blockIdx.y * tile + threadIdx.y;
  float sum = 0.0f;
  for (unsigned first = 0; first < n; first += tile) {
    left[threadIdx.y][threadIdx.x] = a[row * n + first + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + column];
    __syncthreads();
    sum = tile_product(left, right, sum);
    __syncthreads();
  }
  c[row * n + column] = sum;
}
// SPDX-License-Identifier: Apache-2.0
