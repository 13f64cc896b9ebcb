// Barriers that work-items come to on different ways, and at different times.
//
//   passing_on       data  u32[work-items]: four times, even places of the workgroup make 3 x + 1 of their x, odd ones,
//                          some of them later, 2 x + 5, and all pass theirs on to the place 65 below
//   workgroup_sizes  data  u32[work-items]: even places of the workgroup add 1, odd ones 2, to what the place has that
//                          is as far from the workgroup's other end
//   removed_barrier  data  u32[work-items]: odd work-items add 1, after many iterations, even ones 2, and all pass
//                          theirs on to the place before, around the wavefront. As no workgroup is larger than a
//                          wavefront, clang removes the barrier. Where the two sides do not go on together behind the
//                          branch, as on GCN3 they do, that is wrong, and no machine can see it
// Grid: any; workgroups of passing_on have an even number of work-items above 65, those of removed_barrier 64.
#include <pws.h>

#include "formation.h"

constexpr uint32_t most = 1024;

extern "C" __global__ void passing_on(uint32_t* data) {
  __shared__ uint32_t place[most];
  const uint32_t i = own_index(), own = threadIdx.x, from = (own + 65) % blockDim.x;
  uint32_t x = data[i];
#pragma unroll 1
  for (uint32_t round = 0; round < 4; ++round) {
    PWS_LOOP_BOUND(4);
    if (own % 2 == 0) {
      x = x * 3 + 1;
      HIDE(x);
    } else {
#pragma unroll 1
      for (uint32_t k = 0; k < own % 11; ++k) {
        PWS_LOOP_BOUND(10);
        x = ~x;
        HIDE(x);
        x = ~x;
        HIDE(x);
      }
      x = x * 2 + 5;
      HIDE(x);
    }
    place[own] = x;
    __syncthreads();
    x = place[from];
    __syncthreads();
  }
  data[i] = x;
}

extern "C" __global__ void workgroup_sizes(uint32_t* data) {
  __shared__ uint32_t place[most];
  const uint32_t i = own_index(), own = threadIdx.x;
  place[own] = data[i];
  __syncthreads();
  uint32_t x = place[blockDim.x - 1 - own];
  if (own % 2 == 0) {
    x += 1;
    HIDE(x);
  } else {
    x += 2;
    HIDE(x);
  }
  data[i] = x;
}

extern "C" __global__ __launch_bounds__(64) void removed_barrier(uint32_t* data) {
  __shared__ uint32_t place[64];
  const uint32_t i = own_index(), own = threadIdx.x;
  uint32_t x = data[i];
  if (own % 2 != 0) {
#pragma unroll 1
    for (uint32_t k = 0; k < 50; ++k) {
      PWS_LOOP_BOUND(50);
      x = ~x;
      HIDE(x);
    }
    x += 1;
    HIDE(x);
  } else {
    x += 2;
    HIDE(x);
  }
  place[own] = x;
  __syncthreads();
  data[i] = place[(own + 1) % 64];
}
// SPDX-License-Identifier: Apache-2.0
