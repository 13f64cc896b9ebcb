// Dependent loads, one at a time: cycles per hop are the latency of the memory that holds the ring.
//
//   p = start; hops times: p = ring[p];  last[0] = p
//
// Arguments: ring   u32[n], each element the index of the next; all values < n. Elements 16 apart lie in different
//                   64-byte lines.
//            last   u32[1] output
//            start  index < n
//            hops   loads
//            n      elements (pointer_chase_lds only)
// Shapes:    one workgroup of any size; only work-item 0 chases.
//            pointer_chase         vector loads, one lane active
//            pointer_chase_scalar  scalar loads: the address is uniform and the ring is not written
//            pointer_chase_lds     the ring is copied to dynamic LDS (4 n bytes) by the whole workgroup first
// Exercises: unloaded latency of vector, scalar and LDS memory; EXEC with a single lane.
#include <hip/hip_runtime.h>

#include <cstdint>

extern "C" __global__ void pointer_chase(const uint32_t* ring, uint32_t* last, uint32_t start, uint32_t hops) {
  if (threadIdx.x != 0) return;
  // Start is uniform; through the empty asm it becomes a vector register, so that the loads are vector loads.
  uint32_t p = start;
  asm volatile("" : "+v"(p));
#pragma unroll 1
  for (uint32_t hop = 0; hop < hops; ++hop) p = ring[p];
  last[0] = p;
}

extern "C" __global__ void pointer_chase_scalar(const uint32_t* __restrict__ ring, uint32_t* __restrict__ last,
                                                uint32_t start, uint32_t hops) {
  uint32_t p = start;
#pragma unroll 1
  for (uint32_t hop = 0; hop < hops; ++hop) p = ring[p];
  if (threadIdx.x == 0) last[0] = p;
}

extern "C" __global__ void pointer_chase_lds(const uint32_t* ring, uint32_t* last, uint32_t start, uint32_t hops,
                                             uint32_t n) {
  extern __shared__ uint32_t local_ring[];
  for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) local_ring[i] = ring[i];
  __syncthreads();
  if (threadIdx.x != 0) return;
  uint32_t p = start;
#pragma unroll 1
  for (uint32_t hop = 0; hop < hops; ++hop) p = local_ring[p];
  last[0] = p;
}
// SPDX-License-Identifier: Apache-2.0
