// Laplace's equation in a box by Jacobi iterations: a cell inside becomes the mean of its six neighbours, the cells of
// the six faces keep the potential that they are given. Tiles of columns walk through the layers, the layer that they
// are in in LDS with a halo of one cell, those before and after it in registers. Every launch also has how far each
// column is from its solution, and the charge that its cells at the faces carry.
//
// Sizes:      49 x 21 x 13, 91 x 51 x 23, 171 x 101 x 48 cells; 3 iterations
// Kernel:     relax  from, to f32[depth][height][width]; change, charge f32[height][width]: for each column the largest
//                    change of a cell, and what its cells at faces are above the inner cells in front of them, summed
//                    up; grid u32[3]: width, height, depth. Blocks of 32 x 8 columns, the outer ones of which are the
//                    halo of the 30 x 6 others; at the box's sides, where nobody else has them, these are worked on too
// Divergence: cells inside take the mean, cells at a face, an edge or a corner keep their potential and compute the
//             charge (marked); in the latter which faces there are. Every wavefront at a side has both kinds, the
//             others in whole layers. The halo waits (one-sided); bounds of the grid
// Rounding:   f32, fused or not, against double: potentials are below 1, means do not let errors grow. An iteration
//             adds up six values, three sums within 2^-23 and two within 2^-22, and multiplies by a sixth, itself
//             rounded: below 2^-22, three of them below 2^-20 absolute. A change has that twice. A column adds to its
//             charge once a layer, with an inner cell's error and a rounding of 2^-18, as charges stay below 128:
//             depth * 2^-17 absolute
#include <algorithm>

#include "program.h"

namespace {

constexpr uint32_t tile_width = 32, tile_height = 8;  // with the halo
constexpr uint32_t max_depth = 48;
constexpr uint32_t iterations = 3;

struct box {
  uint32_t width, height, depth;
  uint32_t columns() const { return width * height; }
  uint32_t cells() const { return columns() * depth; }
};

// How far k is from the nearer end of so many cells.
__device__ __forceinline__ uint32_t from_end(uint32_t k, uint32_t count) {
  return min(k, count - 1 - k);
}

__global__ __launch_bounds__(tile_width* tile_height) void relax(const float* from, float* to, float* change,
                                                                 float* charge, box grid) {
  __shared__ float tile[tile_height][tile_width];
  const uint32_t tx = threadIdx.x, ty = threadIdx.y;
  const uint32_t x = blockIdx.x * (tile_width - 2) + tx, y = blockIdx.y * (tile_height - 2) + ty;
  const bool in_grid = x < grid.width && y < grid.height;
  const uint32_t side_x = from_end(x, grid.width), side_y = from_end(y, grid.height);
  // The halo is another workgroup's, but for the box's sides.
  const bool own =
      in_grid && (from_end(tx, tile_width) > 0 || side_x == 0) && (from_end(ty, tile_height) > 0 || side_y == 0);
  const uint32_t from_side = min(side_x, side_y);
  const uint32_t layer = grid.width * grid.height, column = y * grid.width + x;
  float before = 0, here = in_grid ? from[column] : 0, largest = 0, sum = 0;
  uint32_t cell = column;
#pragma unroll 1
  for (uint32_t z = 0; z < grid.depth; ++z) {
    PWS_LOOP_BOUND(max_depth);
    const float after = in_grid && z + 1 < grid.depth ? from[cell + layer] : 0;
    __syncthreads();
    tile[ty][tx] = here;
    __syncthreads();
    if (own) {
      PWS_SPLIT();
      if (const uint32_t inside = min(from_side, from_end(z, grid.depth)); inside > 0) {
        const float around = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx];
        const float mean = (around + before + after) * (1 / 6.f);
        largest = fmaxf(largest, fabsf(mean - here));
        to[cell] = mean;
      } else {
        // Edges and corners have no inner cell in front of them.
        float inner = here;
        if (from_side == 0) {
          const bool corner = side_x == 0 && side_y == 0;
          const uint32_t in_x = x == 0 ? tx + 1 : x == grid.width - 1 ? tx - 1 : tx;
          const uint32_t in_y = y == 0 ? ty + 1 : y == grid.height - 1 ? ty - 1 : ty;
          if (!corner && from_end(z, grid.depth) > 0) inner = tile[in_y][in_x];
        } else {
          inner = z == 0 ? after : before;
        }
        sum += here - inner;
        to[cell] = here;
      }
    }
    before = here;
    here = after;
    cell += layer;
  }
  if (own) {
    change[column] = largest;
    charge[column] = sum;
  }
}

struct solution {
  std::vector<float> potential, change, charge;
};

// In double, cell by cell with its neighbours' places looked up in a list.
solution reference(const box& grid, const std::vector<float>& start) {
  std::vector<double> now(start.begin(), start.end()), next, change, charge;
  const int64_t row = grid.width, layer = grid.columns();
  const int64_t steps[6] = {-1, 1, -row, row, -layer, layer};
  for (uint32_t iteration = 0; iteration < iterations; ++iteration) {
    next = now;
    change.assign(grid.columns(), 0);
    charge.assign(grid.columns(), 0);
    for (int64_t cell = 0; cell < int64_t{grid.cells()}; ++cell) {
      const int64_t x = cell % row, y = cell % layer / row, z = cell / layer;
      const bool ends[6] = {x == 0, x == row - 1, y == 0, y == grid.height - 1, z == 0, z == grid.depth - 1};
      const auto faces = std::count(ends, ends + 6, true);
      const size_t column = static_cast<size_t>(cell % layer), own = static_cast<size_t>(cell);
      if (faces == 0) {
        double sum = 0;
        for (const int64_t step : steps) sum += now[static_cast<size_t>(cell + step)];
        next[own] = sum / 6;
        change[column] = std::max(change[column], std::fabs(next[own] - now[own]));
      } else if (faces == 1) {
        // The opposite step leads inwards.
        const auto face = std::find(ends, ends + 6, true) - ends;
        charge[column] += now[own] - now[static_cast<size_t>(cell - steps[face])];
      }
    }
    now.swap(next);
  }
  return {{now.begin(), now.end()}, {change.begin(), change.end()}, {charge.begin(), charge.end()}};
}

// Noise; a few electrodes on the faces.
std::vector<float> random_potential(program::random_source& random, const box& grid) {
  std::vector<float> potential(grid.cells());
  for (float& p : potential) p = random.real(-0.25f, 0.25f);
  for (uint32_t electrode = 0; electrode < 12; ++electrode) {
    const uint32_t size = 4 + random.below(grid.depth / 2), level = random.below(2);
    const uint32_t left = random.below(grid.width), front = random.below(grid.height), top = random.below(grid.depth);
    const float value = level == 0 ? random.real(-1, -0.5f) : random.real(0.5f, 1);
    for (uint32_t z = top; z < std::min(top + size, grid.depth); ++z)
      for (uint32_t y = front; y < std::min(front + size, grid.height); ++y)
        for (uint32_t x = left; x < std::min(left + size, grid.width); ++x)
          if (x == 0 || x == grid.width - 1 || y == 0 || y == grid.height - 1 || z == 0 || z == grid.depth - 1)
            potential[(z * grid.height + y) * grid.width + x] = value;
  }
  return potential;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const box grid{o.pick(49u, 91u, 171u), o.pick(21u, 51u, 101u), o.pick(13u, 23u, max_depth)};
  std::printf("laplace_3d (%s): %u x %u x %u cells, %u iterations, seed %u\n", o.size_name(), grid.width, grid.height,
              grid.depth, iterations, o.seed);

  program::random_source random(o.seed);
  const std::vector<float> start = random_potential(random, grid);
  program::device_array<float> first(start), second(start.size()), change(grid.columns()), charge(grid.columns());
  second.clear();
  float *from = first.get(), *to = second.get();
  const dim3 blocks(program::blocks_of(grid.width - 2, tile_width - 2),
                    program::blocks_of(grid.height - 2, tile_height - 2));
  for (uint32_t iteration = 0; iteration < iterations; ++iteration) {
    change.clear();
    charge.clear();
    relax<<<blocks, dim3(tile_width, tile_height)>>>(from, to, change.get(), charge.get(), grid);
    PROGRAM_LAUNCHED();
    std::swap(from, to);
  }

  std::vector<float> potential(start.size());
  PROGRAM_HIP(hipMemcpy(potential.data(), from, potential.size() * sizeof(float), hipMemcpyDeviceToHost));
  const solution expected = reference(grid, start);
  program::verdict verdict;
  verdict.close("potential", potential, expected.potential, 0, 0x1p-20);
  verdict.close("change", change.download(), expected.change, 0, 0x1p-19);
  verdict.close("charge", charge.download(), expected.charge, 0, grid.depth * 0x1p-17);
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
