// Product of two matrices in tiles of 16x16 that pass through LDS. No side of a matrix need be a multiple of the tile.
//
// Sizes:      77 x 109 times 109 x 93; 250 x 333 times 333 x 187; 701 x 803 times 803 x 603
// Kernel:     multiply  a f32[rows][depth], b f32[depth][columns]: inputs; c f32[rows][columns]: output; shape u32[3]:
//                       rows, depth, columns. A workgroup of 16x16 per tile of c, a work-item per element
// Divergence: one-sided, and only in tiles at the border: work-items beyond the end of a or b load nothing, those
//             beyond the end of c neither multiply nor store, but all of them reach the barriers. Where the depth ends
//             within a tile there are fewer products, the same number for all
// Rounding:   f32, not fused, products added up in the order of the depth, on the CPU too: equal bit for bit. Inputs
//             are multiples of 2^-23 below 1, so that nothing is denormal. Against double precision: |c - a b| <= gamma
//             |a| |b| element by element, gamma = depth * e / (1 - depth * e), e = 2^-24, for every order of summation
//             (N. J. Higham, Accuracy and Stability of Numerical Algorithms, section 3.5)
#include <algorithm>
#include <cmath>

#include "program.h"

#pragma clang fp contract(off)

namespace {

constexpr uint32_t tile = 16;
constexpr uint32_t most_depth = 803;

struct product_shape {
  uint32_t rows, depth, columns;
};

__global__ __launch_bounds__(tile* tile) void multiply(const float* a, const float* b, float* c, product_shape shape) {
  __shared__ float left[tile][tile], right[tile][tile];
  const uint32_t x = threadIdx.x, y = threadIdx.y;
  const uint32_t row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
  const bool inside = row < shape.rows && column < shape.columns;
  float sum = 0;
#pragma unroll 1
  for (uint32_t first = 0; first < shape.depth; first += tile) {
    PWS_LOOP_BOUND((most_depth + tile - 1) / tile);
    if (row < shape.rows && first + x < shape.depth) left[y][x] = a[row * shape.depth + first + x];
    if (first + y < shape.depth && column < shape.columns) right[y][x] = b[(first + y) * shape.columns + column];
    __syncthreads();
    const uint32_t products = min(tile, shape.depth - first);
    if (inside) {
#pragma unroll 4
      for (uint32_t k = 0; k < products; ++k) {
        PWS_LOOP_BOUND(tile);
        sum += left[y][k] * right[k][x];
      }
    }
    __syncthreads();
  }
  if (inside) c[row * shape.columns + column] = sum;
}

struct products {
  std::vector<float> in_order;           // as the device adds them up
  std::vector<double> exact, magnitude;  // sums of the products and of their absolute values
};

// Row by row of b, where the device has a work-item per element.
products reference(const std::vector<float>& a, const std::vector<float>& b, const product_shape& shape) {
  const size_t elements = size_t{shape.rows} * shape.columns;
  products p{std::vector<float>(elements), std::vector<double>(elements), std::vector<double>(elements)};
  for (size_t row = 0; row < shape.rows; ++row)
    for (size_t k = 0; k < shape.depth; ++k)
      for (size_t column = 0; column < shape.columns; ++column) {
        const float l = a[row * shape.depth + k], r = b[k * shape.columns + column];
        const size_t element = row * shape.columns + column;
        p.in_order[element] += l * r;
        p.exact[element] += double{l} * double{r};
        p.magnitude[element] += std::fabs(double{l} * double{r});
      }
  return p;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const product_shape shape{o.pick(77u, 250u, 701u), o.pick(109u, 333u, most_depth), o.pick(93u, 187u, 603u)};
  std::printf("matrix_multiply (%s): %u x %u times %u x %u, seed %u\n", o.size_name(), shape.rows, shape.depth,
              shape.depth, shape.columns, o.seed);

  program::random_source random(o.seed);
  std::vector<float> a(size_t{shape.rows} * shape.depth), b(size_t{shape.depth} * shape.columns);
  for (float& value : a) value = random.real(-1, 1);
  for (float& value : b) value = random.real(-1, 1);

  program::device_array<float> device_a(a), device_b(b), device_c(size_t{shape.rows} * shape.columns);
  device_c.clear();
  const dim3 groups(program::blocks_of(shape.columns, tile), program::blocks_of(shape.rows, tile));
  multiply<<<groups, dim3(tile, tile)>>>(device_a.get(), device_b.get(), device_c.get(), shape);
  PROGRAM_LAUNCHED();

  const std::vector<float> c = device_c.download();
  const products expected = reference(a, b, shape);
  const double gamma = shape.depth * 0x1p-24 / (1 - shape.depth * 0x1p-24);
  double most = 0;
  bool near = true;
  for (size_t k = 0; k < c.size(); ++k) {
    const double off = std::fabs(double{c[k]} - expected.exact[k]);
    near = near && off <= gamma * expected.magnitude[k];
    most = std::max(most, off / expected.magnitude[k]);
  }
  std::printf("at most %.3g of |a| |b| from double precision, gamma is %.3g\n", most, gamma);
  program::verdict verdict;
  verdict.equal("c", c, expected.in_order);
  verdict.that("|c - a b| <= gamma |a| |b|", near);
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
