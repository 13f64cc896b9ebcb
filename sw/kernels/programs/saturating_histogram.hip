// SPDX-License-Identifier: Apache-2.0
// A histogram whose counters stop at 255, of values that are nearly all near the middle of a large range. A workgroup
// counts the middle's values in LDS and adds them up at its end; the others it counts in memory at once.
//
// Sizes:      4096, 65536, 1048576 values of 4096 bins; 512 of them are the middle
// Kernels:    count     values u16[n], bins u32[4096], added to; a work-item takes values n / (blocks * 256) apart from
//                       each other, blocks of 256
//             saturate  bins u32[4096], saturated u8[4096]; four bins a work-item, blocks of 256
// Divergence: a value is in the middle or outside (marked); outside, a bin that is full already is left alone (one
// side) Rounding:   integers, equal bit for bit. A counter in memory may go beyond 255 until `saturate`, which makes it
// 255
#include <algorithm>

#include "program.h"

namespace {

constexpr uint32_t block = 256;
constexpr uint32_t bin_count = 4096;
constexpr uint32_t middle_begin = 1792, middle_size = 512;
constexpr uint32_t full = 255;
constexpr uint32_t values_of_item = 16;

__global__ __launch_bounds__(block) void count(const uint16_t* values, uint32_t* bins, uint32_t n) {
  __shared__ uint32_t middle[middle_size];
  for (uint32_t k = threadIdx.x; k < middle_size; k += block) {
    PWS_LOOP_BOUND(middle_size / block);
    middle[k] = 0;
  }
  __syncthreads();
  const uint32_t step = gridDim.x * block;
#pragma unroll 1
  for (uint32_t i = blockIdx.x * block + threadIdx.x; i < n; i += step) {
    PWS_LOOP_BOUND(values_of_item);
    const uint32_t bin = values[i];
    PWS_SPLIT();
    if (bin - middle_begin < middle_size) {
      atomicAdd(&middle[bin - middle_begin], 1u);
    } else {
      // Others count meanwhile, so that a full counter may grow by as many as there are work-items.
      if (__hip_atomic_load(&bins[bin], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) < full) atomicAdd(&bins[bin], 1u);
    }
  }
  __syncthreads();
  for (uint32_t k = threadIdx.x; k < middle_size; k += block) {
    PWS_LOOP_BOUND(middle_size / block);
    if (middle[k] > 0) atomicAdd(&bins[middle_begin + k], middle[k]);
  }
}

__global__ void saturate(const uint32_t* bins, uint32_t* saturated) {
  const uint32_t word = blockIdx.x * block + threadIdx.x;
  uint32_t bytes = 0;
  for (uint32_t k = 0; k < 4; ++k) {
    PWS_LOOP_BOUND(4);
    bytes |= min(bins[4 * word + k], full) << (8 * k);
  }
  saturated[word] = bytes;
}

// The sum of four dice for nearly all, anything for the others.
std::vector<uint16_t> random_values(program::random_source& random, uint32_t n) {
  std::vector<uint16_t> values;
  for (uint32_t i = 0; i < n; ++i) {
    uint32_t value = random.below(bin_count);
    if (random.below(8) != 0) {
      value = bin_count / 2 - 256;
      for (int die = 0; die < 4; ++die) value += random.below(128);
    }
    values.push_back(static_cast<uint16_t>(value));
  }
  return values;
}

std::vector<uint32_t> reference(const std::vector<uint16_t>& values) {
  std::vector<uint32_t> bins(bin_count), bytes(bin_count / 4);
  for (const uint16_t value : values) bins[value] = std::min(bins[value] + 1, full);
  for (uint32_t bin = 0; bin < bin_count; ++bin) bytes[bin / 4] |= bins[bin] << (8 * (bin % 4));
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t n = o.pick(4096u, 65536u, 1048576u);
  std::printf("saturating_histogram (%s): %u values, %u bins, seed %u\n", o.size_name(), n, bin_count, o.seed);

  program::random_source random(o.seed);
  const std::vector<uint16_t> values = random_values(random, n);
  program::device_array<uint16_t> device_values(values);
  program::device_array<uint32_t> bins(bin_count), saturated(bin_count / 4);
  bins.clear();
  count<<<program::blocks_of(n, block * values_of_item), block>>>(device_values.get(), bins.get(), n);
  PROGRAM_HIP(hipGetLastError());
  saturate<<<bin_count / 4 / block, block>>>(bins.get(), saturated.get());
  PROGRAM_LAUNCHED();

  program::verdict verdict;
  verdict.equal("saturated counters, four a word", saturated.download(), reference(values));
  return verdict.finish();
}
