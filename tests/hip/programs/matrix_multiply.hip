// timing: yes
// Tiled matrix multiplication with LDS, dimensions that are no multiples of the tile, float and int; two barriers per
// tile.
#include "check.h"

constexpr int tile = 8;

template <typename T>
__global__ void multiply(const T* a, const T* b, T* c, int rows, int inner, int columns) {
  __shared__ T part_a[tile][tile];
  __shared__ T part_b[tile][tile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * tile + y;
  const int column = blockIdx.x * tile + x;
  T sum = 0;
  for (int begin = 0; begin < inner; begin += tile) {
    part_a[y][x] = row < rows && begin + x < inner ? a[row * inner + begin + x] : T(0);
    part_b[y][x] = begin + y < inner && column < columns ? b[(begin + y) * columns + column] : T(0);
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += part_a[y][k] * part_b[k][x];
    __syncthreads();
  }
  if (row < rows && column < columns) c[row * columns + column] = sum;
}

template <typename T>
static void run(int rows, int inner, int columns) {
  check::random_source random(rows * 10000 + inner * 100 + columns);
  std::vector<T> a(rows * inner), b(inner * columns), want(rows * columns, T(0));
  for (auto& x : a) x = static_cast<T>(static_cast<int>(random.below(65)) - 32);  // integers: sums are exact
  for (auto& x : b) x = static_cast<T>(static_cast<int>(random.below(65)) - 32);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      for (int k = 0; k < inner; ++k) want[i * columns + j] += a[i * inner + k] * b[k * columns + j];
    }
  }
  check::device_array<T> device_a(a), device_b(b), c(want.size());
  multiply<<<dim3(check::blocks_for(columns, tile), check::blocks_for(rows, tile)), dim3(tile, tile)>>>(
      device_a.get(), device_b.get(), c.get(), rows, inner, columns);
  CHECK_LAUNCH();
  CHECK_SAME("product", c.download(), want);
}

int main() {
  run<float>(37, 29, 45);
  run<int>(8, 8, 8);
  run<float>(1, 100, 1);
  run<double>(13, 1, 17);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
