// A loop with a side that each work-item takes or not, by its own random numbers: how much is to be gained where warps
// are formed anew, by how often sides are taken and how long they are.
//
// Sizes:      2048, 4096, 16384 work-items, 32 iterations
// Flags:      TAKEN (25): per cent of the work-items that take the side. SIDE (16), COMMON (8): steps in the side, and
//             in each iteration besides; a step is three instructions. BARRIER (0): 1 ends each iteration with a
//             barrier
// Kernel:     walk  seeds u32[work-items]: where each random walk begins; sums u32[work-items]; workgroups of 256
// Divergence: the side is taken or not (one-sided), for each work-item independently
// Rounding:   none, whole numbers
#include "program.h"

#ifndef TAKEN
#define TAKEN 25
#endif
#ifndef SIDE
#define SIDE 16
#endif
#ifndef COMMON
#define COMMON 8
#endif
#ifndef BARRIER
#define BARRIER 0
#endif

namespace {

constexpr uint32_t workgroup = 256, iterations = 32;
static_assert(TAKEN >= 0 && TAKEN <= 100 && SIDE >= 0 && COMMON >= 0, "flags as described above");

__host__ __device__ __forceinline__ uint32_t step(uint32_t sum, uint32_t factor) {
  return (sum ^ sum >> 7) * factor;
}

// An iteration of one work-item.
__host__ __device__ __forceinline__ void iterate(uint32_t& state, uint32_t& sum) {
#pragma unroll
  for (uint32_t k = 0; k < COMMON; ++k) sum = step(sum, 2654435761u + 2 * k);
  if ((state >> 8) % 100 < TAKEN) {
#pragma unroll
    for (uint32_t k = 0; k < SIDE; ++k) sum = step(sum, 40503u + 2 * k);
  }
  state = state * 1664525u + 1013904223u;
}

__global__ __launch_bounds__(workgroup) void walk(const uint32_t* seeds, uint32_t* sums) {
  const uint32_t own = blockIdx.x * workgroup + threadIdx.x;
  uint32_t state = seeds[own], sum = own;
#pragma unroll 1
  for (uint32_t k = 0; k < iterations; ++k) {
    PWS_LOOP_BOUND(iterations);
    iterate(state, sum);
    if (BARRIER != 0) __syncthreads();
  }
  sums[own] = sum;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t work_items = o.pick(2048u, 4096u, 16384u);
  std::printf("random_sides (%s): %u work-items, %d %% take a side of %d steps, seed %u\n", o.size_name(), work_items,
              TAKEN, SIDE, o.seed);

  program::random_source random(o.seed);
  std::vector<uint32_t> seeds(work_items), expected(work_items);
  for (uint32_t k = 0; k < work_items; ++k) {
    seeds[k] = random.bits();
    uint32_t state = seeds[k], sum = k;
    for (uint32_t i = 0; i < iterations; ++i) iterate(state, sum);
    expected[k] = sum;
  }
  program::device_array<uint32_t> device_seeds(seeds), sums(work_items);
  walk<<<work_items / workgroup, workgroup>>>(device_seeds.get(), sums.get());
  PROGRAM_LAUNCHED();
  program::verdict verdict;
  verdict.equal("sums", sums.download(), expected);
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
