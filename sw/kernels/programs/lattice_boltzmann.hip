// Flow around spheres in a channel by the lattice Boltzmann method: in 19 directions (D3Q19), with relaxation at a
// single rate (BGK) and a force along x. The channel is closed by walls in y and goes on at the other side in x and z;
// walls and spheres reflect what reaches them.
//
// Sizes:      21x13x11 cells, 4 steps; 41x31x27, 10 steps; 91x63x55, 16 steps; 13 to 36 % of the cells are solid
// Kernel:     advance  solid u8[depth][height][width]; from, to f32[19][depth][height][width]: what moves in each
//                      direction; a launch per step, a work-item per cell, blocks of 128. A cell takes what its
//                      neighbours sent and computes what it sends itself
// Divergence: cells are solid and send back what they got, or fluid and relax towards equilibrium (marked)
// Rounding:   f32, not fused (the pragma below), in + - * and divisions, which round correctly. The CPU's operations
//             are the same, but for those with a factor of 0 or -1, which are exact: all is equal bit for bit.
//             Nothing is denormal: what is sent is some 2^-5 and hardly changes. Mass stays what it was, but for
//             rounding: a step relaxes each of a fluid cell's 19 numbers by less than 8 roundings, and the density,
//             with which they scale, has 18 more: 2^-19 of the mass per step
#include <algorithm>
#include <array>
#include <cmath>

#include "program.h"

#pragma clang fp contract(off)

namespace {

constexpr uint32_t block = 128;
constexpr uint32_t directions = 19;
constexpr float rate = 1.25f;     // of relaxation
constexpr float push = 0x1p-10f;  // the force's part in the velocity of equilibrium

// Opposite directions are next to each other: 1 and 2, 3 and 4, ...
constexpr int8_t along_x[directions] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
constexpr int8_t along_y[directions] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
constexpr int8_t along_z[directions] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};

constexpr uint32_t opposite(uint32_t q) {
  return q == 0 ? 0 : ((q - 1) ^ 1) + 1;
}

constexpr float weight(uint32_t q) {
  return q == 0 ? 1 / 3.f : q < 7 ? 1 / 18.f : 1 / 36.f;
}

// The component's part in a sum, from its sign.
__device__ __forceinline__ float with_sign(float sum, int8_t sign, float x) {
  return sign > 0 ? sum + x : sign < 0 ? sum - x : sum;
}

__global__ __launch_bounds__(block) void advance(const uint8_t* solid, const float* from, float* to, uint32_t width,
                                                 uint32_t height, uint32_t depth) {
  const uint32_t cell = blockIdx.x * block + threadIdx.x, cells = width * height * depth;
  if (cell >= cells) return;
  const uint32_t row = cell / width, x = cell - row * width, z = row / height, y = row - z * height;
  // Where the neighbours are that send in positive direction, the cell itself and the neighbours on the other side.
  const uint32_t left = x == 0 ? width - 1 : x - 1, right = x == width - 1 ? 0 : x + 1;
  const uint32_t down = y == 0 ? height - 1 : y - 1, up = y == height - 1 ? 0 : y + 1;
  const uint32_t front = z == 0 ? depth - 1 : z - 1, back = z == depth - 1 ? 0 : z + 1;
  float f[directions];
#pragma unroll
  for (uint32_t q = 0; q < directions; ++q) {
    const uint32_t source_x = along_x[q] > 0 ? left : along_x[q] < 0 ? right : x;
    const uint32_t source_y = along_y[q] > 0 ? down : along_y[q] < 0 ? up : y;
    const uint32_t source_z = along_z[q] > 0 ? front : along_z[q] < 0 ? back : z;
    f[q] = from[q * cells + (source_z * height + source_y) * width + source_x];
  }
  PWS_SPLIT();
  if (solid[cell] != 0) {
#pragma unroll
    for (uint32_t q = 0; q < directions; ++q) to[q * cells + cell] = f[opposite(q)];
  } else {
    float density = 0, momentum_x = 0, momentum_y = 0, momentum_z = 0;
#pragma unroll
    for (uint32_t q = 0; q < directions; ++q) {
      density += f[q];
      momentum_x = with_sign(momentum_x, along_x[q], f[q]);
      momentum_y = with_sign(momentum_y, along_y[q], f[q]);
      momentum_z = with_sign(momentum_z, along_z[q], f[q]);
    }
    const float inverse = 1 / density;
    const float ux = momentum_x * inverse + push, uy = momentum_y * inverse, uz = momentum_z * inverse;
    const float at_rest = 1 - 1.5f * ((ux * ux + uy * uy) + uz * uz);
    to[cell] = f[0] + rate * (weight(0) * density * at_rest - f[0]);
#pragma unroll
    for (uint32_t q = 1; q < directions; q += 2) {
      const float u = with_sign(with_sign(with_sign(0, along_x[q], ux), along_y[q], uy), along_z[q], uz);
      const float even = at_rest + 4.5f * u * u, odd = 3 * u, mass = weight(q) * density;
      to[q * cells + cell] = f[q] + rate * (mass * (even + odd) - f[q]);
      to[(q + 1) * cells + cell] = f[q + 1] + rate * (mass * (even - odd) - f[q + 1]);
    }
  }
}

struct lattice {
  uint32_t width, height, depth;
  std::vector<uint8_t> solid;

  uint32_t cells() const { return width * height * depth; }
};

// Walls at the bottom and the top, and spheres wherever they fit in between, also across the open ends.
lattice random_lattice(program::random_source& random, uint32_t width, uint32_t height, uint32_t depth) {
  lattice l{width, height, depth, std::vector<uint8_t>(width * height * depth)};
  const int32_t size[3] = {int32_t(width), int32_t(height), int32_t(depth)};
  std::array<int32_t, 4> sphere[8];
  for (auto& s : sphere) {
    for (uint32_t k = 0; k < 3; ++k) s[k] = int32_t(random.below(uint32_t(size[k])));
    s[3] = 1 + int32_t(random.below(depth / 3));
  }
  for (int32_t z = 0, cell = 0; z < size[2]; ++z)
    for (int32_t y = 0; y < size[1]; ++y)
      for (int32_t x = 0; x < size[0]; ++x, ++cell) {
        bool in = y == 0 || y == size[1] - 1;
        for (const auto& s : sphere) {
          int32_t dx = std::abs(x - s[0]), dy = std::abs(y - s[1]), dz = std::abs(z - s[2]);
          dx = std::min(dx, size[0] - dx);
          dz = std::min(dz, size[2] - dz);
          in = in || dx * dx + dy * dy + dz * dz <= s[3] * s[3];
        }
        l.solid[cell] = in;
      }
  return l;
}

// Sends everything on first, then goes through the cells, direction by direction.
void advance_on_host(const lattice& l, std::vector<float>& f) {
  const uint32_t cells = l.cells();
  std::vector<float> arrived(f.size());
  for (uint32_t q = 0; q < directions; ++q)
    for (uint32_t z = 0; z < l.depth; ++z)
      for (uint32_t y = 0; y < l.height; ++y)
        for (uint32_t x = 0; x < l.width; ++x) {
          const uint32_t to_x = (x + l.width + uint32_t(along_x[q])) % l.width;
          const uint32_t to_y = (y + l.height + uint32_t(along_y[q])) % l.height;
          const uint32_t to_z = (z + l.depth + uint32_t(along_z[q])) % l.depth;
          arrived[q * cells + (to_z * l.height + to_y) * l.width + to_x] =
              f[q * cells + (z * l.height + y) * l.width + x];
        }
  for (uint32_t cell = 0; cell < cells; ++cell) {
    const auto in = [&](uint32_t q) { return arrived[q * cells + cell]; };
    if (l.solid[cell] != 0) {
      for (uint32_t q = 0; q < directions; ++q) f[q * cells + cell] = in(opposite(q));
      continue;
    }
    float density = 0, momentum[3] = {0, 0, 0};
    for (uint32_t q = 0; q < directions; ++q) {
      density += in(q);
      momentum[0] += along_x[q] * in(q);
      momentum[1] += along_y[q] * in(q);
      momentum[2] += along_z[q] * in(q);
    }
    const float inverse = 1 / density;
    const float u[3] = {momentum[0] * inverse + push, momentum[1] * inverse, momentum[2] * inverse};
    const float at_rest = 1 - 1.5f * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    for (uint32_t q = 0; q < directions; ++q) {
      const float along = along_x[q] * u[0] + along_y[q] * u[1] + along_z[q] * u[2];
      const float equilibrium = weight(q) * density * (at_rest + 4.5f * along * along + 3 * along);
      f[q * cells + cell] = in(q) + rate * (equilibrium - in(q));
    }
  }
}

struct totals {
  double mass = 0, momentum_x = 0;
};

totals totals_of(const std::vector<float>& f, uint32_t cells) {
  totals t;
  for (size_t k = 0; k < f.size(); ++k) {
    t.mass += f[k];
    t.momentum_x += along_x[k / cells] * double(f[k]);
  }
  return t;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t steps = o.pick(4u, 10u, 16u);
  program::random_source random(o.seed);
  const lattice l = random_lattice(random, o.pick(21u, 41u, 91u), o.pick(13u, 31u, 63u), o.pick(11u, 27u, 55u));
  const uint32_t cells = l.cells();
  uint32_t solid = 0;
  for (const uint8_t s : l.solid) solid += s;
  std::printf("lattice_boltzmann (%s): %ux%ux%u cells, %u of them solid, %u steps, seed %u\n", o.size_name(), l.width,
              l.height, l.depth, solid, steps, o.seed);
  // At rest, with a density that differs a little from cell to cell.
  std::vector<float> f(size_t{directions} * cells);
  for (uint32_t cell = 0; cell < cells; ++cell) {
    const float density = random.real(0.95f, 1.05f);
    for (uint32_t q = 0; q < directions; ++q) f[q * cells + cell] = weight(q) * density;
  }

  program::device_array<uint8_t> device_solid(l.solid);
  program::device_array<float> first(f), second(f.size());
  float *from = first.get(), *to = second.get();
  for (uint32_t step = 0; step < steps; ++step) {
    advance<<<program::blocks_of(cells, block), block>>>(device_solid.get(), from, to, l.width, l.height, l.depth);
    PROGRAM_LAUNCHED();
    std::swap(from, to);
  }
  const std::vector<float> got = (from == first.get() ? first : second).download();

  const totals before = totals_of(f, cells), after = totals_of(got, cells);
  for (uint32_t step = 0; step < steps; ++step) advance_on_host(l, f);
  std::printf("mass %.9g became %.9g; momentum %.3g\n", before.mass, after.mass, after.momentum_x);
  program::verdict verdict;
  verdict.equal("sent", got, f);
  verdict.that("mass stays", std::fabs(after.mass - before.mass) <= steps * 0x1p-19 * before.mass);
  verdict.that("the fluid moves with the force", after.momentum_x > 0);
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
