// The synthetic benchmark of the PWS paper's section 7: work that all work-items share, then nested if/else on the
// work-item's number whose innermost sides each do their own work. How much of each, and how much of it is memory, is
// chosen when it is compiled:
//
//   -DPATHS=8        innermost sides: 1, 2, 4, 8, 16, 32 or 64; PATHS - 1 branches, log2(PATHS) of them nested
//   -DSPLITS=7       how many of them are marked for splitting, the outermost first
//   -DDIVERGENT=100  percent of a work-item's steps that are in its side
//   -DMEMORY=0       percent of all steps that load a word, a multiple of 5
//   -DROUNDS=16      steps of a work-item / 20
//
// A step of path p is x ^= x << (5 + p % 16), x += 2p + 1, or x += table[64 * round + lane]; in the shared work p is 8.
//
// Arguments: data   u32[n], input and output
//            table  u32[64 * ROUNDS]
//            n      elements
// Shapes:    1-D, any workgroup size, one work-item per element. Lane l takes path l * PATHS / 64.
// Exercises: worst-case bounds over divergence and memory share (PWS paper Table 3, Fig. 10a, b).
#include <hip/hip_runtime.h>
#include <pws.h>

#include <cstdint>

#ifndef PATHS
#define PATHS 8
#endif
#ifndef SPLITS
#define SPLITS 7
#endif
#ifndef DIVERGENT
#define DIVERGENT 100
#endif
#ifndef MEMORY
#define MEMORY 0
#endif
#ifndef ROUNDS
#define ROUNDS 16
#endif
static_assert(PATHS >= 1 && PATHS <= 64 && (PATHS & (PATHS - 1)) == 0, "PATHS: a power of two, 64 at most");
static_assert(DIVERGENT >= 0 && DIVERGENT <= 100, "DIVERGENT: percent");
static_assert(MEMORY >= 0 && MEMORY <= 100 && MEMORY % 5 == 0, "MEMORY: percent, a multiple of 5");
static_assert(ROUNDS > 0, "ROUNDS: a positive number");

constexpr int steps_per_round = 20;
constexpr int shared_rounds = ROUNDS * (100 - DIVERGENT) / 100;
constexpr int side_rounds = ROUNDS - shared_rounds;

template <int path>
__device__ __forceinline__ uint32_t round_of(uint32_t x, const uint32_t* word) {
#pragma unroll
  for (int step = 0; step < steps_per_round; ++step) {
    if (step * 100 < MEMORY * steps_per_round) {
      x += *static_cast<const volatile uint32_t*>(word);
    } else {
      x ^= x << (5 + path % 16);
      x += 2 * path + 1;
    }
  }
  return x;
}

// Bounds go by source line, so what all work-items do and what a side does have a loop each.
template <int rounds>
__device__ __forceinline__ uint32_t shared_work(uint32_t x, const uint32_t* table) {
  if constexpr (rounds > 0) {
    const uint32_t* word = table + (threadIdx.x & 63u);
#pragma unroll 1
    for (int round = 0; round < rounds; ++round, word += 64) {
      PWS_LOOP_BOUND(rounds);
      x = round_of<8>(x, word);
    }
  }
  return x;
}
template <int path, int rounds>
__device__ __forceinline__ uint32_t side_work(uint32_t x, const uint32_t* table) {
  if constexpr (rounds > 0) {
    const uint32_t* word = table + (threadIdx.x & 63u);
#pragma unroll 1
    for (int round = 0; round < rounds; ++round, word += 64) {
      PWS_LOOP_BOUND(rounds);
      x = round_of<path>(x, word);
    }
  }
  return x;
}

// `count` paths from `first` on, each 64 / PATHS lanes. Branch b has branches 2b and 2b + 1 in its sides.
template <int first, int count, int branch>
__device__ __forceinline__ uint32_t sides(uint32_t x, const uint32_t* table, uint32_t lane) {
  if constexpr (count == 1) {
    return side_work<first, side_rounds>(x, table);
  } else {
    constexpr int middle = first + count / 2;
    constexpr uint32_t first_above = middle * (64 / PATHS);
    // Marks go by source line, so a marked and an unmarked branch need one each.
    if constexpr (branch <= SPLITS) {
      PWS_SPLIT();
      if (lane >= first_above)
        return sides<middle, count / 2, 2 * branch + 1>(x, table, lane);
      else
        return sides<first, count / 2, 2 * branch>(x, table, lane);
    } else {
      if (lane >= first_above)
        return sides<middle, count / 2, 2 * branch + 1>(x, table, lane);
      else
        return sides<first, count / 2, 2 * branch>(x, table, lane);
    }
  }
}

extern "C" __global__ void synthetic(uint32_t* data, const uint32_t* table, uint32_t n) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint32_t x = data[i];
  x = shared_work<shared_rounds>(x, table);
  x = sides<0, PATHS, 1>(x, table, threadIdx.x & 63u);
  data[i] = x;
}
// SPDX-License-Identifier: Apache-2.0
