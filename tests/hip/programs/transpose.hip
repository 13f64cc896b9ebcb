// timing: yes
// Matrix transpose through an LDS tile with a padded row (no bank conflicts), 2-D grid, dimensions that are no
// multiples of the tile, tall, wide and single-row matrices.
#include "check.h"

constexpr int tile = 16;

template <typename T>
__global__ void transpose(const T* in, T* out, int width, int height) {
  __shared__ T part[tile][tile + 1];
  int x = blockIdx.x * tile + threadIdx.x;
  int y = blockIdx.y * tile + threadIdx.y;
  if (x < width && y < height) part[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  x = blockIdx.y * tile + threadIdx.x;
  y = blockIdx.x * tile + threadIdx.y;
  if (x < height && y < width) out[y * height + x] = part[threadIdx.x][threadIdx.y];
}

template <typename T>
static void run(int width, int height) {
  check::random_source random(width * 1000 + height);
  std::vector<T> in(static_cast<size_t>(width) * height), want(in.size());
  for (auto& x : in) x = static_cast<T>(random.bits() >> 8);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) want[x * height + y] = in[y * width + x];
  }
  check::device_array<T> device_in(in), device_out(in.size());
  device_out.fill(0xcc);
  const dim3 grid(check::blocks_for(width, tile), check::blocks_for(height, tile));
  transpose<<<grid, dim3(tile, tile)>>>(device_in.get(), device_out.get(), width, height);
  CHECK_LAUNCH();
  CHECK_SAME("transposed", device_out.download(), want);
}

int main() {
  run<float>(101, 67);
  run<double>(33, 50);
  run<uint8_t>(200, 1);
  run<int>(1, 45);
  run<int>(16, 16);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
