// Atomics that return values, on both sides of a branch and in loops that work-items leave at different times. What
// they return depends on the order; what is there in the end does not.
//
//   tickets    even work-items take 1 to 3 tickets from a counter in LDS, odd ones from a counter in memory, and mark
//              them. All even ones of a workgroup take as many as it has work-items, and so do the odd ones
//     taken        u64[1]: counts the tickets in memory, from begin on
//     local_seen   u32[2 * work-items]: of each workgroup's 2 * workgroup elements as many are 1 as it took in LDS
//     global_seen  u32[2 * work-items]: likewise those in memory, of all workgroups
//     begin        u64
//   exchanges  even work-items put their number, from 1, into a place in LDS and add what was there before to sum; what
//              is there in the end is added, too. Odd ones add theirs to swapped by compare and swap
//     sum, swapped u32[1]
//     most         u32[1]: the largest number of an odd work-item
// Workgroups have a multiple of 6 work-items.
#include <pws.h>

#include "formation.h"

extern "C" __global__ void tickets(unsigned long long* taken, uint32_t* local_seen, uint32_t* global_seen,
                                   unsigned long long begin) {
  __shared__ uint32_t next;
  const uint32_t own = threadIdx.x;
  if (own == 0) next = 0;
  __syncthreads();
  if (own % 2 == 0) {
#pragma unroll 1
    for (uint32_t k = 0; k <= own % 3; ++k) {
      PWS_LOOP_BOUND(3);
      atomicAdd(&local_seen[2 * blockIdx.x * blockDim.x + atomicAdd(&next, 1u)], 1u);
    }
  } else {
#pragma unroll 1
    for (uint32_t k = 0; k <= own % 3; ++k) {
      PWS_LOOP_BOUND(3);
      atomicAdd(&global_seen[atomicAdd(taken, 1ull) - begin], 1u);
    }
  }
}

extern "C" __global__ void exchanges(uint32_t* sum, uint32_t* swapped, uint32_t* most) {
  __shared__ uint32_t place;
  const uint32_t number = own_index() + 1;
  if (threadIdx.x == 0) place = 0;
  __syncthreads();
  if (threadIdx.x % 2 == 0) {
    atomicAdd(sum, atomicExch(&place, number));
  } else {
    uint32_t seen = *swapped;
#pragma unroll 1
    while (true) {
      PWS_LOOP_BOUND(100000);
      const uint32_t before = atomicCAS(swapped, seen, seen + number);
      if (before == seen) break;
      seen = before;
    }
    if (atomicMax(most, number) == number) atomicAdd(most, 1u);  // never, nobody else has this number
  }
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(sum, place);
}
// SPDX-License-Identifier: Apache-2.0
