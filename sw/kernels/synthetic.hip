// The synthetic benchmark of the PWS paper's section 7: work that all work-items share, then nested if/else on the
// work-item's number whose innermost sides each do their own work. How much of each, and how much of it is memory, is
// chosen when it is compiled:
//
//   -DPATHS=8        innermost sides: 1, 2, 4 or 8; PATHS - 1 branches
//   -DSPLITS=7       how many of them are marked for splitting, the outermost first
//   -DDIVERGENT=100  percent of a work-item's steps that are in its side
//   -DMEMORY=0       percent of all steps that load a word, a multiple of 5
//   -DROUNDS=16      steps of a work-item / 20
//
// A step of path p is x ^= x << (5 + p), x += 2p + 1, or x += table[64 * round + lane]; the shared work is path 8's.
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
static_assert(PATHS == 1 || PATHS == 2 || PATHS == 4 || PATHS == 8, "PATHS: 1, 2, 4 or 8");
static_assert(DIVERGENT >= 0 && DIVERGENT <= 100, "DIVERGENT: percent");
static_assert(MEMORY >= 0 && MEMORY <= 100 && MEMORY % 5 == 0, "MEMORY: percent, a multiple of 5");
static_assert(ROUNDS > 0, "ROUNDS: a positive number");

constexpr int steps_per_round = 20;
constexpr int shared_rounds = ROUNDS * (100 - DIVERGENT) / 100;
constexpr int side_rounds = ROUNDS - shared_rounds;

template <int path, int rounds>
__device__ __forceinline__ uint32_t work(uint32_t x, const uint32_t* table) {
  if constexpr (rounds > 0) {
    const uint32_t* word = table + (threadIdx.x & 63u);
    PWS_LOOP_BOUND(rounds);
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
      for (int step = 0; step < steps_per_round; ++step) {
        if (step * 100 < MEMORY * steps_per_round) {
          x += *static_cast<const volatile uint32_t*>(word);
        } else {
          x ^= x << (5 + path);
          x += 2 * path + 1;
        }
      }
      word += 64;
    }
  }
  return x;
}

// `count` paths from `first` on, each 64 / PATHS lanes. Branch b has branches 2b and 2b + 1 in its sides.
template <int first, int count, int branch>
__device__ __forceinline__ uint32_t sides(uint32_t x, const uint32_t* table, uint32_t lane) {
  if constexpr (count == 1) {
    return work<first, side_rounds>(x, table);
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
  x = work<8, shared_rounds>(x, table);
  x = sides<0, PATHS, 1>(x, table, threadIdx.x & 63u);
  data[i] = x;
}
