// Branches three deep with loops inside, and a boolean that is set on all sides and used behind them.
//
// Arguments: key     u32[work-items]: bits 0 to 2 choose the sides, 3 to 8 how often loops repeat, 9 the boolean
//            uniform iterations of the loops that all work-items of a side repeat alike, 1 to 4
//            way     u32[work-items]: what was passed, as decimal digits: 1, then 2 to 8 for sides, 9 and 0 where
//                    sides have met again
//            rounds  u32[work-items]: 1, 100, 10000 for each iteration of a loop on the first, second, third level
// Grid: any.
#include <pws.h>

#include "formation.h"

static __device__ __forceinline__ void pass(uint32_t& way, uint32_t digit) {
  way = way * 10 + digit;
  HIDE(way);
}

// Own counts: as many iterations as the work-item's own bits say, 1 to 4.
static __device__ __forceinline__ void repeat_own(uint32_t& rounds, uint32_t bits, uint32_t weight) {
#pragma unroll 1
  for (uint32_t k = 0; k <= (bits & 3); ++k) {
    PWS_LOOP_BOUND(4);
    rounds += weight;
    HIDE(rounds);
  }
}

// The counter is a scalar register, of which each side has its own.
static __device__ __forceinline__ void repeat_alike(uint32_t& rounds, uint32_t count, uint32_t weight) {
#pragma unroll 1
  for (uint32_t k = 0; k < count; ++k) {
    PWS_LOOP_BOUND(4);
    rounds += weight;
    HIDE(rounds);
  }
}

extern "C" __global__ void nested(const uint32_t* keys, uint32_t uniform, uint32_t* ways, uint32_t* all_rounds) {
  const uint32_t i = own_index(), key = keys[i];
  uint32_t way = 1, rounds = 0;
  bool added = false;
  if ((key & 1) != 0) {
    pass(way, 2);
    repeat_own(rounds, key >> 3, 1);
    if ((key & 2) != 0) {
      pass(way, 3);
      repeat_alike(rounds, uniform, 100);
      if ((key & 4) != 0) {
        pass(way, 4);
        repeat_own(rounds, key >> 7, 10000);
        added = (key >> 9 & 1) != 0;
      } else {
        pass(way, 5);
        added = (key >> 9 & 1) == 0;
      }
      pass(way, 0);
    } else {
      pass(way, 6);
      repeat_own(rounds, key >> 5, 100);
      added = true;
    }
    pass(way, 9);
  } else {
    pass(way, 7);
    repeat_alike(rounds, uniform, 1);
    if ((key & 2) != 0) {
      repeat_own(rounds, key >> 5, 100);
      if ((key & 4) != 0) {
        pass(way, 8);
        repeat_alike(rounds, uniform, 10000);
      } else {
        pass(way, 6);
        repeat_own(rounds, key >> 7, 10000);
        added = (key >> 9 & 1) != 0;
      }
    }
    pass(way, 0);
  }
  if (added) {
    rounds += 1000000;
    HIDE(rounds);
  }
  ways[i] = way;
  all_rounds[i] = rounds;
}
// SPDX-License-Identifier: Apache-2.0
