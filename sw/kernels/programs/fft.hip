// Fast Fourier transforms of complex numbers, several of one length at a time, by Stockham's method: lengths with the
// factors 2, 3 and 5 are taken apart into radices 2 to 6, and each stage of a radix leaves its results in the order
// that the next one needs.
//
// Sizes:      9 transforms of 64, 3 of 360, 1 of 1215; 203 of 64, 61 of 360, 33 of 1024, 25 of 1215; 303 of 1024, 101
//             of 3600, 45 of 7776, 33 of 10935. Each forth and back
// Kernel:     stage<radix>  from, to f32[transforms][length][2]: real and imaginary parts; roots f32[length][2]:
//                           exp(-2 pi i k / length); length; done: product of the radices before; count of butterflies,
//                           of which each work-item has one; blocks of 64
// Divergence: none but the end of the last workgroup; all work-items of a launch have the same radix
// Rounding:   f32, fused or not, against double precision, in Euclidean norms, with u = 2^-24. Roots are rounded (u),
//             and a product with one is off by 2.9 u at most: together below 4 u. In a butterfly of radix r every input
//             passes at most m roundings of constants, products and sums, with coefficients of an absolute sum a. The
//             error of each of the r results is then below m a u times the sum of the inputs' sizes, which is at most
//             sqrt(r) times their norm. For all r results this is sqrt(r) times as much, and so is their own norm: the
//             relative error is below m a sqrt(r) u. For radix 2, 3, 4, 5 m is 1, 4, 2, 6 and a is 1, 1.37, 1, sqrt(2),
//             which makes 1.5, 9.5, 4, 19; radix 6 is a 3 and a 2, 11. Stages are multiples of unitary maps: relative
//             errors pass them as they are and add up, in proportion to the logarithm of the length. Back again it is
//             the same once more
#include <algorithm>
#include <cmath>

#include "fourier.h"
#include "program.h"

namespace {

using program::complex32;
using program::complex64;

constexpr uint32_t block = 64;

// The butterflies: transforms of 2 to 6 numbers in place.
__device__ __forceinline__ void transform(complex32 (&v)[2]) {
  const complex32 sum = v[0] + v[1];
  v[1] = v[0] - v[1];
  v[0] = sum;
}

__device__ __forceinline__ void transform(complex32 (&v)[3]) {
  constexpr float sine = 0.866025404f;
  const complex32 sum = v[1] + v[2], turned = minus_i(sine * (v[1] - v[2]));
  const complex32 middle = v[0] - 0.5f * sum;
  v[0] = v[0] + sum;
  v[1] = middle + turned;
  v[2] = middle - turned;
}

__device__ __forceinline__ void transform(complex32 (&v)[4]) {
  const complex32 even = v[0] + v[2], even_turned = v[0] - v[2];
  const complex32 odd = v[1] + v[3], odd_turned = minus_i(v[1] - v[3]);
  v[0] = even + odd;
  v[1] = even_turned + odd_turned;
  v[2] = even - odd;
  v[3] = even_turned - odd_turned;
}

__device__ __forceinline__ void transform(complex32 (&v)[5]) {
  // Cosine and sine of a fifth and of two fifths of a turn.
  constexpr float cosine1 = 0.309016994f, cosine2 = -0.809016994f, sine1 = 0.951056516f, sine2 = 0.587785252f;
  const complex32 outer = v[1] + v[4], inner = v[2] + v[3];
  const complex32 outer_difference = v[1] - v[4], inner_difference = v[2] - v[3];
  const complex32 middle1 = v[0] + cosine1 * outer + cosine2 * inner;
  const complex32 middle2 = v[0] + cosine2 * outer + cosine1 * inner;
  const complex32 turned1 = minus_i(sine1 * outer_difference + sine2 * inner_difference);
  const complex32 turned2 = minus_i(sine2 * outer_difference - sine1 * inner_difference);
  v[0] = v[0] + outer + inner;
  v[1] = middle1 + turned1;
  v[2] = middle2 + turned2;
  v[3] = middle2 - turned2;
  v[4] = middle1 - turned1;
}

// Good's and Thomas's order makes two transforms of 3 and three of 2, without factors in between.
__device__ __forceinline__ void transform(complex32 (&v)[6]) {
  complex32 a[3] = {v[0], v[2], v[4]}, b[3] = {v[3], v[5], v[1]};
  transform(a);
  transform(b);
  v[0] = a[0] + b[0];
  v[1] = a[1] - b[1];
  v[2] = a[2] + b[2];
  v[3] = a[0] - b[0];
  v[4] = a[1] + b[1];
  v[5] = a[2] - b[2];
}

template <uint32_t radix>
__global__ __launch_bounds__(block) void stage(const complex32* from, complex32* to, const complex32* roots,
                                               uint32_t length, uint32_t done, uint32_t count) {
  const uint32_t item = blockIdx.x * block + threadIdx.x;
  if (item >= count) return;
  const uint32_t each = length / radix, start = item / each * length, own = item % each;
  const uint32_t inner = own % done, turn = inner * (each / done);
  complex32 v[radix];
#pragma unroll
  for (uint32_t k = 0; k < radix; ++k) v[k] = from[start + own + k * each];
  if (done > 1) {
#pragma unroll
    for (uint32_t k = 1; k < radix; ++k) v[k] = roots[k * turn] * v[k];
  }
  transform(v);
  const uint32_t first = start + (own - inner) * radix + inner;
#pragma unroll
  for (uint32_t k = 0; k < radix; ++k) to[first + k * done] = v[k];
}

using stage_kernel = void (*)(const complex32*, complex32*, const complex32*, uint32_t, uint32_t, uint32_t);

struct radix_choice {
  uint32_t radix;
  stage_kernel kernel;
  double error;  // relative, of a stage with the product before, in 2^-24
};

// The first that divides what is left of a length is taken.
constexpr radix_choice choices[] = {
    {6, stage<6>, 15}, {5, stage<5>, 23}, {4, stage<4>, 8}, {3, stage<3>, 13.5}, {2, stage<2>, 5.5}};

std::vector<radix_choice> stages_of(uint32_t length) {
  std::vector<radix_choice> stages;
  while (length > 1) {
    const radix_choice* c = choices;
    while (length % c->radix != 0) ++c;
    stages.push_back(*c);
    length /= c->radix;
  }
  return stages;
}

// All transforms of one length, one after the other.
std::vector<complex32> transformed(const std::vector<complex32>& values, uint32_t length) {
  std::vector<complex32> roots;
  for (uint32_t k = 0; k < length; ++k) roots.push_back(program::root_of_unity(k, length));
  program::device_array<complex32> first(values), second(values.size()), device_roots(roots);
  complex32 *from = first.get(), *to = second.get();
  uint32_t done = 1;
  for (const radix_choice& s : stages_of(length)) {
    const uint32_t count = static_cast<uint32_t>(values.size()) / s.radix;
    s.kernel<<<program::blocks_of(count, block), block>>>(from, to, device_roots.get(), length, done, count);
    PROGRAM_LAUNCHED();
    std::swap(from, to);
    done *= s.radix;
  }
  return (from == first.get() ? first : second).download();
}

struct batch {
  uint32_t length, transforms;
};

void check(const batch& b, program::random_source& random, program::verdict& verdict) {
  std::vector<complex32> values(size_t{b.length} * b.transforms);
  for (complex32& v : values) v = {random.real(-1, 1), random.real(-1, 1)};
  const std::vector<complex32> forth = transformed(values, b.length);
  // Back with real and imaginary parts exchanged, before and after.
  const auto exchanged = [](std::vector<complex32> v) {
    for (complex32& c : v) std::swap(c.re, c.im);
    return v;
  };
  const std::vector<complex32> back = exchanged(transformed(exchanged(forth), b.length));

  std::vector<complex64> original, expected;
  for (const complex32& v : values) original.push_back({v.re, v.im});
  for (size_t start = 0; start < values.size(); start += b.length) {
    const auto begin = original.begin() + static_cast<ptrdiff_t>(start);
    const std::vector<complex64> one = program::transformed64({begin, begin + b.length});
    expected.insert(expected.end(), one.begin(), one.end());
  }
  double bound = 0;
  std::string radices;
  for (const radix_choice& s : stages_of(b.length)) {
    bound += s.error * 0x1p-24;
    radices += (radices.empty() ? "" : "*") + std::to_string(s.radix);
  }
  const double error = program::greatest_error(forth, 1, expected, b.length);
  const double error_back = program::greatest_error(back, 1.0 / b.length, original, b.length);
  std::printf("%u of length %u = %s: off by %.3g, forth and back by %.3g, the bound is %.3g\n", b.transforms, b.length,
              radices.c_str(), error, error_back, bound);
  verdict.that("transforms agree with double precision", error <= bound);
  verdict.that("back again they are what they were", error_back <= 2 * bound);
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  std::printf("fft (%s): seed %u\n", o.size_name(), o.seed);
  const std::vector<batch> batches =
      o.pick<std::vector<batch>>({{64, 9}, {360, 3}, {1215, 1}}, {{64, 203}, {360, 61}, {1024, 33}, {1215, 25}},
                                 {{1024, 303}, {3600, 101}, {7776, 45}, {10935, 33}});
  program::random_source random(o.seed);
  program::verdict verdict;
  for (const batch& b : batches) check(b, random, verdict);
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
