// Work-items that end early.
//
//   some_return        data  u32[work-items]: those with bit 0 of their value end at once; the others add 3 in each of
//                            7 iterations, those with bit 1 end after value % 7 of them, and those without add 1000
//   wavefronts_return  data  u32[work-items]: odd wavefronts of a workgroup end before its barrier, the others pass
//                            their values on behind it, to the place before, around the wavefront
//   lanes_return       data  u32[work-items]: odd work-items end before the barrier, even ones pass their values on to
//                            the even place before, around the workgroup. HIP does not promise that this works; on
//                            GCN3 work-items that have ended are not waited for
// Grid: any; workgroups of the last two have a multiple of 64 work-items.
#include <pws.h>

#include "formation.h"

constexpr uint32_t most = 1024;

extern "C" __global__ void some_return(uint32_t* data) {
  const uint32_t i = own_index(), value = data[i];
  if ((value & 1) != 0) return;
  uint32_t x = value;
#pragma unroll 1
  for (uint32_t k = 0; k < 7; ++k) {
    PWS_LOOP_BOUND(7);
    if ((value & 2) != 0 && k == value % 7) {
      data[i] = x;
      return;
    }
    x += 3;
    HIDE(x);
  }
  data[i] = x + 1000;
}

extern "C" __global__ void wavefronts_return(uint32_t* data) {
  __shared__ uint32_t place[most];
  const uint32_t i = own_index(), own = threadIdx.x;
  if ((own / 64) % 2 != 0) return;
  place[own] = data[i];
  __syncthreads();
  data[i] = place[own / 64 * 64 + (own + 1) % 64];
}

extern "C" __global__ void lanes_return(uint32_t* data) {
  __shared__ uint32_t place[most];
  const uint32_t i = own_index(), own = threadIdx.x;
  if (own % 2 != 0) return;
  place[own] = data[i];
  __syncthreads();
  data[i] = place[(own + 2) % blockDim.x];
}
// SPDX-License-Identifier: Apache-2.0
