// Fast Fourier transforms of complex numbers in six steps, as in SPLASH-2's FFT: the numbers are a square matrix whose
// rows work-items own. They transpose it, transform their rows, multiply by roots of unity, transpose it again,
// transform their rows, and transpose it once more. A work-item transforms a row alone, by radix 2 after a permutation
// of its numbers by reversed bits.
//
// Sizes:      2 transforms of 16 x 16, 32 of 64 x 64, 16 of 256 x 256
// Kernel:     six_step  values, scratch f32[transforms][side * side][2]: real and imaginary parts; the result is in
//                       scratch. rows f32[side - 1][2]: for each stage of a row, of 1, 2, 4, ... butterflies with roots
//                       of their own, exp(-pi i k / count); whole f32[side * side][2]: exp(-2 pi i j k / side^2).
//                       A workgroup of `side` work-items per transform
// Divergence: none: all work-items do the same on rows of their own
// Rounding:   f32, fused or not. A stage of radix 2 with a product before adds at most 5.5 * 2^-24 to the relative
// error
//             (fft.hip), the roots between the two rows' transforms at most 4 * 2^-24
#include "fourier.h"
#include "program.h"

namespace {

using program::complex32;
using program::complex64;

constexpr uint32_t longest_side = 256, most_stages = 8;

// Each work-item fills its row of `to` from its column of `from`.
__device__ __forceinline__ void transpose(const complex32* from, complex32* to, uint32_t side) {
  const uint32_t own = threadIdx.x;
#pragma unroll 1
  for (uint32_t k = 0; k < side; ++k) {
    PWS_LOOP_BOUND(longest_side);
    to[own * side + k] = from[k * side + own];
  }
}

__device__ __forceinline__ void transform_row(complex32* row, const complex32* roots, uint32_t side, uint32_t stages) {
#pragma unroll 1
  for (uint32_t k = 0; k < side; ++k) {
    PWS_LOOP_BOUND(longest_side);
    const uint32_t reversed = __brev(k) >> (32 - stages);
    if (reversed <= k) continue;
    const complex32 kept = row[k];
    row[k] = row[reversed];
    row[reversed] = kept;
  }
#pragma unroll 1
  for (uint32_t half = 1; half < side; half *= 2) {
    PWS_LOOP_BOUND(most_stages);
#pragma unroll 1
    for (uint32_t start = 0; start < side; start += 2 * half) {
      PWS_LOOP_BOUND(longest_side / 2);
#pragma unroll 1
      for (uint32_t k = 0; k < half; ++k) {
        PWS_LOOP_BOUND(longest_side / 2);
        complex32 *const low = row + start + k, *const high = low + half;
        const complex32 turned = roots[half - 1 + k] * *high, other = *low;
        *high = other - turned;
        *low = other + turned;
      }
    }
  }
}

// Without a bound of 64 work-items: the compiler would leave the barriers out.
__global__ void six_step(complex32* all_values, complex32* all_scratch, const complex32* rows, const complex32* whole,
                         uint32_t side, uint32_t stages) {
  complex32* const values = all_values + blockIdx.x * side * side;
  complex32* const scratch = all_scratch + blockIdx.x * side * side;
  const uint32_t own = threadIdx.x * side;
  transpose(values, scratch, side);
  transform_row(scratch + own, rows, side, stages);
#pragma unroll 1
  for (uint32_t k = 0; k < side; ++k) {
    PWS_LOOP_BOUND(longest_side);
    scratch[own + k] = whole[own + k] * scratch[own + k];
  }
  __syncthreads();
  transpose(scratch, values, side);
  transform_row(values + own, rows, side, stages);
  __syncthreads();
  transpose(values, scratch, side);
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t side = o.pick(16u, 64u, 256u), transforms = o.pick(2u, 32u, 16u), length = side * side;
  uint32_t stages = 0;
  while (1u << stages < side) ++stages;
  std::printf("fft_six_step (%s): %u of %u x %u, seed %u\n", o.size_name(), transforms, side, side, o.seed);

  program::random_source random(o.seed);
  std::vector<complex32> values(size_t{length} * transforms);
  for (complex32& v : values) v = {random.real(-1, 1), random.real(-1, 1)};
  std::vector<complex32> rows, whole;
  for (uint32_t half = 1; half < side; half *= 2)
    for (uint32_t k = 0; k < half; ++k) rows.push_back(program::root_of_unity(k, 2 * half));
  for (uint32_t j = 0; j < side; ++j)
    for (uint32_t k = 0; k < side; ++k) whole.push_back(program::root_of_unity(j * k, length));

  program::device_array<complex32> device_values(values), scratch(values.size()), device_rows(rows),
      device_whole(whole);
  six_step<<<transforms, side>>>(device_values.get(), scratch.get(), device_rows.get(), device_whole.get(), side,
                                 stages);
  PROGRAM_LAUNCHED();

  std::vector<complex64> expected;
  for (size_t start = 0; start < values.size(); start += length) {
    std::vector<complex64> one;
    for (size_t k = start; k < start + length; ++k) one.push_back({values[k].re, values[k].im});
    one = program::transformed64(one);
    expected.insert(expected.end(), one.begin(), one.end());
  }
  const double error = program::greatest_error(scratch.download(), 1, expected, length);
  const double bound = (2 * stages * 5.5 + 4) * 0x1p-24;
  std::printf("off by %.3g, the bound is %.3g\n", error, bound);
  program::verdict verdict;
  verdict.that("transforms agree with double precision", error <= bound);
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
