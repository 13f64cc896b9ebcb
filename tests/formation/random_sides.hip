// In each of sixteen iterations a quarter of the work-items takes a side, chosen by its own random bits.
//
// Arguments: word    u32[work-items]: two bits for each iteration, from bit 0 on; the side is taken if both are 1
//            length  iterations of a loop in the side, at most 64
//            passed  u32[work-items]: four times length for each side that was taken
// Grid: any.
#include <pws.h>

#include "formation.h"

extern "C" __global__ void random_sides(const uint32_t* words, uint32_t length, uint32_t* passed) {
  const uint32_t i = own_index();
  uint32_t word = words[i], count = 0, other = i;
#pragma unroll 1
  for (uint32_t k = 0; k < 16; ++k) {
    PWS_LOOP_BOUND(16);
#pragma unroll
    for (uint32_t n = 0; n < 8; ++n) {
      other = other * 5 + n;
      HIDE(other);
    }
    if ((word & 3) == 3) {
#pragma unroll 1
      for (uint32_t n = 0; n < length; ++n) {
        PWS_LOOP_BOUND(64);
#pragma unroll
        for (uint32_t m = 0; m < 4; ++m) {
          ++count;
          HIDE(count);
        }
      }
    }
    word >>= 2;
  }
  passed[i] = count;
}
// SPDX-License-Identifier: Apache-2.0
