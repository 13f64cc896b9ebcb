// Bitonic sort of 32-bit keys with a work-item per element, as in the samples of early GPU SDKs: in each step a
// work-item compares its element with its partner's if the partner is behind it. So half of the work-items have nothing
// to do, and those that have decide by their number which order their pair gets.
//
// Sizes:      8, 128, 2048 arrays of 256 keys; every second array has only eight different keys
// Kernel:     sort_array  keys u32[arrays][256], in and out; a workgroup of 256 for each array, which it keeps in LDS
// Divergence: a partner behind or before the element, a pair in ascending or descending order, exchanged or not
// Rounding:   none, whole numbers
#include <algorithm>

#include "program.h"

namespace {

constexpr uint32_t elements = 256, rounds = 8;  // of an array: 2^rounds

__device__ __forceinline__ void exchange(uint32_t& a, uint32_t& b) {
  const uint32_t kept = a;
  a = b;
  b = kept;
}

__global__ __launch_bounds__(elements) void sort_array(uint32_t* keys) {
  __shared__ uint32_t array[elements];
  const uint32_t own = threadIdx.x, first = blockIdx.x * elements;
  array[own] = keys[first + own];
  __syncthreads();
#pragma unroll 1
  for (uint32_t run = 2; run <= elements; run *= 2) {
    PWS_LOOP_BOUND(rounds);
#pragma unroll 1
    for (uint32_t distance = run / 2; distance > 0; distance /= 2) {
      PWS_LOOP_BOUND(rounds);
      const uint32_t partner = own ^ distance;
      if (partner > own) {
        if ((own & run) == 0) {
          if (array[own] > array[partner]) exchange(array[own], array[partner]);
        } else {
          if (array[own] < array[partner]) exchange(array[own], array[partner]);
        }
      }
      __syncthreads();
    }
  }
  keys[first + own] = array[own];
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t arrays = o.pick(8u, 128u, 2048u);
  std::printf("bitonic_per_element (%s): %u arrays of %u keys, seed %u\n", o.size_name(), arrays, elements, o.seed);

  program::random_source random(o.seed);
  std::vector<uint32_t> keys(size_t{arrays} * elements);
  for (size_t k = 0; k < keys.size(); ++k) keys[k] = k / elements % 2 == 0 ? random.bits() : random.below(8) << 29;
  std::vector<uint32_t> expected = keys;
  for (auto array = expected.begin(); array != expected.end(); array += elements) std::sort(array, array + elements);

  program::device_array<uint32_t> device_keys(keys);
  sort_array<<<arrays, elements>>>(device_keys.get());
  PROGRAM_LAUNCHED();
  program::verdict verdict;
  verdict.equal("keys", device_keys.download(), expected);
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
