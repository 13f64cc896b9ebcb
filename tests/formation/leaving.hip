// Loops that work-items leave at different times.
//
//   leaving     rounds, squares  u32[work-items]: a work-item's number of iterations, and k * k for each iteration k
//               flip             0: lane k leaves after k + 1 iterations, the first lane first; 63: after 64 - k
//   in_between  rounds, others   u32[work-items]: as above, with the exit in the middle of the body; iterations k that
//               flip             also came to its end, which those with k + index divisible by 3 do not
//   one_behind  data             u32[work-items]: 64 is added. The dynamic warp formation paper's Figure 7: even and
//                                odd work-items take turns, where they could go together with one an iteration ahead
// Grid: any.
#include <pws.h>

#include "formation.h"

extern "C" __global__ void leaving(uint32_t* rounds, uint32_t* squares, uint32_t flip) {
  const uint32_t i = own_index(), last = (threadIdx.x & 63) ^ flip;
  uint32_t k = 0, sum = 0;
#pragma unroll 1
  do {
    PWS_LOOP_BOUND(64);
    sum += k * k;
    HIDE(sum);
  } while (k++ != last);
  rounds[i] = k;
  squares[i] = sum;
}

extern "C" __global__ void in_between(uint32_t* rounds, uint32_t* others, uint32_t flip) {
  const uint32_t i = own_index(), last = (threadIdx.x & 63) ^ flip;
  uint32_t begun = 0, ended = 0;
#pragma unroll 1
  for (uint32_t k = 0; k < 100; ++k) {
    PWS_LOOP_BOUND(100);
    ++begun;
    HIDE(begun);
    if (k == last) break;
    if ((k + i) % 3 == 0) continue;
    ++ended;
    HIDE(ended);
  }
  rounds[i] = begun;
  others[i] = ended;
}

extern "C" __global__ void one_behind(uint32_t* data) {
  const uint32_t i = own_index();
  uint32_t own = data[i];
#pragma unroll 1
  for (uint32_t k = i % 2; k < 128; ++k) {
    PWS_LOOP_BOUND(128);
    if (k % 2 != 0) {
      ++own;
      HIDE(own);
    }
  }
  data[i] = own;
}
// SPDX-License-Identifier: Apache-2.0
