// timing: yes
// Conway's Game of Life on a torus: 2-D blocks, two buffers in turn, bytes, branches on neighbours; random and glider.
#include "check.h"

__host__ __device__ inline uint8_t next_state(const uint8_t* cells, int x, int y, int width, int height) {
  int neighbours = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if (dx != 0 || dy != 0) neighbours += cells[(y + dy + height) % height * width + (x + dx + width) % width];
    }
  }
  if (cells[y * width + x] != 0) return neighbours == 2 || neighbours == 3 ? 1 : 0;
  return neighbours == 3 ? 1 : 0;
}
__global__ void generation(const uint8_t* in, uint8_t* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = next_state(in, x, y, width, height);
}

static std::vector<uint8_t> play(const std::vector<uint8_t>& cells, int width, int height, int generations) {
  check::device_array<uint8_t> a(cells), b(cells.size());
  uint8_t *in = a.get(), *out = b.get();
  const dim3 block(13, 7);
  for (int g = 0; g < generations; ++g) {
    generation<<<dim3(check::blocks_for(width, 13), check::blocks_for(height, 7)), block>>>(in, out, width, height);
    std::swap(in, out);
  }
  CHECK_LAUNCH();
  std::vector<uint8_t> result(cells.size());
  HIP_CHECK(hipMemcpy(result.data(), in, result.size(), hipMemcpyDeviceToHost));
  return result;
}

int main() {
  const int width = 45, height = 31;
  check::random_source random(40);
  std::vector<uint8_t> cells(width * height);
  for (auto& cell : cells) cell = random.below(3) == 0;
  std::vector<uint8_t> want = cells, other(cells.size());
  for (int g = 0; g < 10; ++g) {
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) other[y * width + x] = next_state(want.data(), x, y, width, height);
    }
    want.swap(other);
  }
  CHECK_SAME("10 generations", play(cells, width, height, 10), want);

  // A glider comes back after 4 * size generations on a square torus.
  const int size = 9;
  std::vector<uint8_t> glider(size * size, 0);
  for (const int at : {1, size + 2, 2 * size, 2 * size + 1, 2 * size + 2}) glider[at] = 1;
  CHECK_SAME("glider", play(glider, size, size, 4 * size), glider);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
