// An if/else with equally long arithmetic on both sides. A mask argument says which lanes take which side.
//
// Lane l (work-item number in its workgroup, modulo 64) takes the then side if bit l of then_mask is set. Each side
// runs its own xorshift generator for 8 * rounds steps on the item's value:
//   then: x ^= x << 13, x ^= x >> 17, x ^= x << 5        else: x ^= x << 5, x ^= x >> 9, x ^= x << 7
//
// Arguments: data       u32[n], input and output
//            then_mask  u64: ~0 or 0 all lanes on one side, 0x5555555555555555 lane parity, one bit one lane
//            rounds     uniform; the loop bound of both sides for WCET analysis
//            n          elements
// Shapes:    1-D, any workgroup size, one work-item per element.
// Exercises: cycles(mixed mask) = cycles(then) + cycles(else) when serialised and their maximum when split; full-rate
//            integer instructions only, no memory on either side.
#include <hip/hip_runtime.h>
#include <pws.h>

#include <cstdint>

extern "C" __global__ void fully_divergent(uint32_t* data, uint64_t then_mask, uint32_t rounds, uint32_t n) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint32_t x = data[i];
  PWS_SPLIT();
  if (((then_mask >> (threadIdx.x & 63u)) & 1u) != 0) {
#pragma unroll 1
    for (uint32_t round = 0; round < rounds; ++round) {
#pragma unroll
      for (int k = 0; k < 8; ++k) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
      }
    }
  } else {
#pragma unroll 1
    for (uint32_t round = 0; round < rounds; ++round) {
#pragma unroll
      for (int k = 0; k < 8; ++k) {
        x ^= x << 5;
        x ^= x >> 9;
        x ^= x << 7;
      }
    }
  }
  data[i] = x;
}
// SPDX-License-Identifier: Apache-2.0
