// Thermal simulation of a chip: explicit time steps of the heat equation on a grid of cells with a power density each.
// A workgroup loads a tile with a halo as wide as the number of steps of a launch and takes all of them in LDS, the
// valid part shrinking by a cell on every side with each step.
//
// Sizes:      64 x 64, 512 x 512, 1024 x 1024 cells; 5 steps, 2 of them a launch (the last launch takes one)
// Kernel:     step_tile  power, from, to f32[edge][edge] in W and degrees; blocks of 16 x 16, of which the inner
//                        16 - 2 * steps squared are written
// Divergence: cells inside the chip take four neighbours, those on its edges and corners the ones that there are and
//             lose heat through the chip's side (marked; on the chip's edge only); the halo's cells drop out step by
//             step (one side); bounds of the grid
// Rounding:   f32, fused or not, against double: a step rounds a temperature of some 330 degrees and increments far
//             smaller, so 5 steps stay within 5 roundings of 2^-24 and less for the increments: 2^-21 relative
#include <algorithm>

#include "program.h"

namespace {

constexpr uint32_t tile = 16;
constexpr uint32_t steps_per_launch = 2;
constexpr uint32_t steps = 5;

// Constants of a time step: degrees per W, and the parts of a difference in temperature that flow to a neighbour in the
// row, to one in the column, through the package to the ambient air, and through a side of the chip to it.
constexpr float per_watt = 12.5f, along_row = 0.11f, along_column = 0.13f, through_package = 0.002f,
                through_side = 0.015f;
constexpr float ambient = 80;

__device__ __forceinline__ float flow(float from, float to, float conductance) {
  return (from - to) * conductance;
}

__global__ __launch_bounds__(tile* tile) void step_tile(const float* power, const float* from, float* to, int edge,
                                                        int step_count) {
  __shared__ float temperature[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y, inner = int(tile) - 2 * step_count;
  const int column = int(blockIdx.x) * inner - step_count + x, row = int(blockIdx.y) * inner - step_count + y;
  // How far the cell is from the chip's side, 0 at it; negative outside.
  const int inside = min(min(row, edge - 1 - row), min(column, edge - 1 - column));
  float own_power = 0, now = 0;
  if (inside >= 0) {
    own_power = power[row * edge + column];
    now = from[row * edge + column];
  }
  temperature[y][x] = now;
  __syncthreads();

  // How far the cell is from the tile's border: after so many steps its neighbourhood is out of date.
  const int distance = min(min(x, int(tile) - 1 - x), min(y, int(tile) - 1 - y));
#pragma unroll 1
  for (int step = 0; step < step_count; ++step) {
    PWS_LOOP_BOUND(steps_per_launch);
    if (inside >= 0 && distance > step) {
      // The comparison does not change from step to step and moves out of the loop; the gain in the statement's head
      // keeps its place in the source.
      PWS_SPLIT();
      if (float gain = per_watt * own_power + flow(ambient, now, through_package); inside > 0) {
        gain += (temperature[y - 1][x] + temperature[y + 1][x] - 2 * now) * along_column;
        gain += (temperature[y][x - 1] + temperature[y][x + 1] - 2 * now) * along_row;
        now += gain;
      } else {
        gain += row > 0 ? flow(temperature[y - 1][x], now, along_column) : flow(ambient, now, through_side);
        gain += row < edge - 1 ? flow(temperature[y + 1][x], now, along_column) : flow(ambient, now, through_side);
        gain += column > 0 ? flow(temperature[y][x - 1], now, along_row) : flow(ambient, now, through_side);
        gain += column < edge - 1 ? flow(temperature[y][x + 1], now, along_row) : flow(ambient, now, through_side);
        now += gain;
      }
    }
    __syncthreads();
    temperature[y][x] = now;
    __syncthreads();
  }
  if (inside >= 0 && distance >= step_count) to[row * edge + column] = now;
}

// Warm blobs with a little noise; a few units that draw power, none elsewhere.
void random_chip(program::random_source& random, uint32_t edge, std::vector<float>& temperature,
                 std::vector<float>& power) {
  for (float& t : temperature) t = random.real(322, 338);
  for (uint32_t unit = 0; unit < 12; ++unit) {
    const uint32_t height = 1 + random.below(edge / 4), width = 1 + random.below(edge / 4);
    const uint32_t top = random.below(edge - height), left = random.below(edge - width);
    const float watts = random.real(0.01f, 0.1f);
    for (uint32_t row = top; row < top + height; ++row)
      for (uint32_t column = left; column < left + width; ++column) power[row * edge + column] += watts;
  }
}

// The whole grid step by step in double, every cell looking at its four sides in turn.
std::vector<float> reference(const std::vector<float>& power, const std::vector<float>& temperature, int edge) {
  std::vector<double> now(temperature.begin(), temperature.end()), next(now.size());
  const int row_step[4] = {-1, 1, 0, 0}, column_step[4] = {0, 0, -1, 1};
  for (uint32_t step = 0; step < steps; ++step) {
    for (int row = 0; row < edge; ++row)
      for (int column = 0; column < edge; ++column) {
        const int cell = row * edge + column;
        double gain = double(per_watt) * power[cell] + (ambient - now[cell]) * through_package;
        for (int side = 0; side < 4; ++side) {
          const int r = row + row_step[side], c = column + column_step[side];
          if (r < 0 || r == edge || c < 0 || c == edge)
            gain += (ambient - now[cell]) * through_side;
          else
            gain += (now[r * edge + c] - now[cell]) * (side < 2 ? along_column : along_row);
        }
        next[cell] = now[cell] + gain;
      }
    now.swap(next);
  }
  return {now.begin(), now.end()};
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t edge = o.pick(64u, 512u, 1024u);
  std::printf("hotspot (%s): %u x %u cells, %u steps, seed %u\n", o.size_name(), edge, edge, steps, o.seed);

  program::random_source random(o.seed);
  std::vector<float> temperature(size_t{edge} * edge), power(temperature.size());
  random_chip(random, edge, temperature, power);

  program::device_array<float> device_power(power), first(temperature), second(temperature.size());
  float *from = first.get(), *to = second.get();
  for (uint32_t done = 0; done < steps;) {
    const uint32_t count = std::min(steps_per_launch, steps - done);
    const uint32_t tiles = program::blocks_of(edge, tile - 2 * count);
    step_tile<<<dim3(tiles, tiles), dim3(tile, tile)>>>(device_power.get(), from, to, int(edge), int(count));
    PROGRAM_HIP(hipGetLastError());
    std::swap(from, to);
    done += count;
  }
  PROGRAM_HIP(hipDeviceSynchronize());

  std::vector<float> got(temperature.size());
  PROGRAM_HIP(hipMemcpy(got.data(), from, got.size() * sizeof(float), hipMemcpyDeviceToHost));
  program::verdict verdict;
  verdict.close("temperature", got, reference(power, temperature, int(edge)), 0x1p-21);
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
