// 1-D, 2-D and 3-D grids and blocks with odd sizes: threadIdx, blockIdx, blockDim, gridDim in every dimension; every
// work-item of the grid runs exactly once.
#include "check.h"

struct shape_case {
  dim3 grid, block;
};

__global__ void visit(uint32_t* visits, uint32_t* where) {
  const uint32_t x = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t y = blockIdx.y * blockDim.y + threadIdx.y;
  const uint32_t z = blockIdx.z * blockDim.z + threadIdx.z;
  const uint32_t width = gridDim.x * blockDim.x;
  const uint32_t height = gridDim.y * blockDim.y;
  const uint32_t id = (z * height + y) * width + x;
  atomicAdd(&visits[id], 1u);
  where[id] = threadIdx.x + 3 * threadIdx.y + 5 * threadIdx.z + 1000 * (blockIdx.x + 3 * blockIdx.y + 5 * blockIdx.z) +
              100000 * (blockDim.x + gridDim.x + 3 * (blockDim.y + gridDim.y) + 5 * (blockDim.z + gridDim.z));
}

static void run(const shape_case& shape) {
  const uint32_t width = shape.grid.x * shape.block.x;
  const uint32_t height = shape.grid.y * shape.block.y;
  const uint32_t depth = shape.grid.z * shape.block.z;
  const size_t n = size_t{width} * height * depth;
  std::vector<uint32_t> want(n);
  for (uint32_t z = 0; z < depth; ++z) {
    for (uint32_t y = 0; y < height; ++y) {
      for (uint32_t x = 0; x < width; ++x) {
        want[(size_t{z} * height + y) * width + x] =
            x % shape.block.x + 3 * (y % shape.block.y) + 5 * (z % shape.block.z) +
            1000 * (x / shape.block.x + 3 * (y / shape.block.y) + 5 * (z / shape.block.z)) +
            100000 * (shape.block.x + shape.grid.x + 3 * (shape.block.y + shape.grid.y) +
                      5 * (shape.block.z + shape.grid.z));
      }
    }
  }
  check::device_array<uint32_t> visits(n), where(n);
  visits.fill(0);
  where.fill(0);
  visit<<<shape.grid, shape.block>>>(visits.get(), where.get());
  CHECK_LAUNCH();
  CHECK_SAME("visits", visits.download(), std::vector<uint32_t>(n, 1));
  CHECK_SAME("indices", where.download(), want);
}

int main() {
  const shape_case shapes[] = {
      {dim3(1), dim3(1)},        {dim3(7), dim3(1)},
      {dim3(3), dim3(1023)},     {dim3(2, 3), dim3(17, 5)},
      {dim3(1, 9), dim3(1, 65)}, {dim3(5, 1, 3), dim3(3, 7, 11)},
      {dim3(2, 2, 2), dim3(64)}, {dim3(1, 1, 13), dim3(9, 1, 7)},
      {dim3(300), dim3(3)},      {dim3(1, 1, 1), dim3(4, 4, 64)},
  };
  for (const shape_case& shape : shapes) run(shape);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
