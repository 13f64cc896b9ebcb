// Counts of byte values: each workgroup counts in LDS and adds its counts to the global bins.
//
//   bins[v] += number of i < n with data[i] == v
//
// Arguments: data  u8[n]
//            bins  u32[256], input and output (the counts are added to what is there)
//            n     elements
// Shapes:    1-D, any workgroup size, any grid: the work-items stride over the data by the grid's size.
// Determinism: addition wraps and commutes, so the order of the atomics does not matter.
// Exercises: LDS and global atomics without return, conflicts up to all lanes on one bin, a loop whose trip count
//            differs between wavefronts, the grid size from the dispatch packet.
#include <hip/hip_runtime.h>

#include <cstdint>

constexpr uint32_t n_bins = 256;

extern "C" __global__ void histogram(const uint8_t* data, uint32_t* bins, uint32_t n) {
  __shared__ uint32_t count[n_bins];
  for (uint32_t bin = threadIdx.x; bin < n_bins; bin += blockDim.x) count[bin] = 0;
  __syncthreads();
  const uint32_t stride = gridDim.x * blockDim.x;
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) atomicAdd(&count[data[i]], 1u);
  __syncthreads();
  for (uint32_t bin = threadIdx.x; bin < n_bins; bin += blockDim.x) {
    const uint32_t local_count = count[bin];
    if (local_count != 0) atomicAdd(&bins[bin], local_count);
  }
}
// SPDX-License-Identifier: Apache-2.0
