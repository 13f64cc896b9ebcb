// A switch with eight cases, of different lengths; one falls through to the next, two have loops, one a switch inside.
//
// Arguments: key   u32[work-items]: bits 0 to 2 choose the case, bits 3 to 5 iterations
//            data  u32[work-items]
// Grid: any.
#include <pws.h>

#include "formation.h"

extern "C" __global__ void switch_cases(const uint32_t* keys, uint32_t* data) {
  const uint32_t i = own_index(), key = keys[i], count = key >> 3 & 7;
  uint32_t x = data[i];
  switch (key & 7) {
    case 0:
      x += 3;
      HIDE(x);
      break;
    case 1:
      x ^= 0x1234;
      HIDE(x);
      [[fallthrough]];
    case 2:
      x *= 5;
      HIDE(x);
      break;
    case 3:
#pragma unroll 1
      for (uint32_t k = 0; k < count; ++k) {
        PWS_LOOP_BOUND(7);
        x += 100;
        HIDE(x);
      }
      break;
    case 4:
      x = ~x;
      HIDE(x);
      break;
    case 5:
#pragma unroll 1
      for (uint32_t k = 0; k < 4; ++k) {
        PWS_LOOP_BOUND(4);
        if (k > count) break;
        x -= 7;
        HIDE(x);
      }
      break;
    case 6:
      switch (count & 1) {
        case 0:
          x <<= 2;
          HIDE(x);
          break;
        default:
          x >>= 2;
          HIDE(x);
      }
      break;
    default:
      x = 0;
      HIDE(x);
  }
  data[i] = x + 1;
}
// SPDX-License-Identifier: Apache-2.0
