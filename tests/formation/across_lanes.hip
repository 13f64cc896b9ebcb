// Instructions that move data between lanes. A machine that cuts wavefronts for good may refuse whole_wavefronts where
// its warps are smaller than a wavefront, and in_a_side always; it has no reason to refuse first_lane.
//
//   whole_wavefronts  data  u32[work-items]: before any branch, the sum of lane 5's (v_readlane), 3 times that of the
//                           lane with number ^ 21 (ds_bpermute), 9 times that of the neighbour (ds_swizzle) and 27
//                           times that of the lane before in a row of 16, or 0 (DPP). Then odd lanes add 1
//   in_a_side         data  u32[work-items]: even lanes add the value of the next even one (ds_bpermute), odd ones that
//                           of lane 1 (v_readlane)
//   first_lane        data  u32[work-items], table u32[8]: table[value % 8], the first lane's value (v_readfirstlane)
//                           at a time for all that have the same; odd lanes add table[workgroup], by an address that
//                           is the same in all of them
// Workgroups have a multiple of 64 work-items.
#include <pws.h>

#include "formation.h"

extern "C" __global__ void whole_wavefronts(uint32_t* data) {
  const uint32_t i = own_index(), lane = threadIdx.x % 64, value = data[i];
  const int own = static_cast<int>(value);
  uint32_t x = static_cast<uint32_t>(__builtin_amdgcn_readlane(own, 5));
  x += 3 * static_cast<uint32_t>(__builtin_amdgcn_ds_bpermute(static_cast<int>((lane ^ 21) * 4), own));
  x += 9 * static_cast<uint32_t>(__builtin_amdgcn_ds_swizzle(own, 1 << 10 | 0x1f));       // lane ^ 1
  x += 27 * static_cast<uint32_t>(__builtin_amdgcn_mov_dpp(own, 0x111, 0xf, 0xf, true));  // row_shr:1
  if (lane % 2 != 0) {
    x += 1;
    HIDE(x);
  }
  data[i] = x;
}

extern "C" __global__ void in_a_side(uint32_t* data) {
  const uint32_t i = own_index(), lane = threadIdx.x % 64, value = data[i];
  const int own = static_cast<int>(value);
  uint32_t x;
  if (lane % 2 == 0) {
    x = value + static_cast<uint32_t>(__builtin_amdgcn_ds_bpermute(static_cast<int>((lane + 2) % 64 * 4), own));
    HIDE(x);
  } else {
    x = value + static_cast<uint32_t>(__builtin_amdgcn_readlane(own, 1));
    HIDE(x);
  }
  data[i] = x;
}

extern "C" __global__ void first_lane(uint32_t* data, const uint32_t* table) {
  const uint32_t i = own_index(), own = data[i] % 8;
  uint32_t x = 0;
#pragma unroll 1
  while (true) {
    PWS_LOOP_BOUND(8);
    const uint32_t first = static_cast<uint32_t>(__builtin_amdgcn_readfirstlane(static_cast<int>(own)));
    if (own == first) {
      x = table[first];
      break;
    }
  }
  if (threadIdx.x % 2 != 0) {
    uint32_t same = blockIdx.x;
    HIDE(same);
    x += table[__builtin_amdgcn_readfirstlane(static_cast<int>(same))];
    HIDE(x);
  }
  data[i] = x;
}
// SPDX-License-Identifier: Apache-2.0
