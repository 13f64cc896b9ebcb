// A loop that every work-item leaves at its own time: steps of the Collatz sequence until 1.
//
//   x -> x / 2 if x is even, 3 x + 1 (mod 2^32) if odd;  steps[i] = steps until x is 1, or limit if it is not 1 by then
//
// Arguments: start  u32[n], any values (0 never reaches 1)
//            steps  u32[n] output
//            limit  most steps taken; also the loop bound for WCET analysis
//            n      elements
// Shapes:    1-D, any workgroup size, one work-item per element.
// Exercises: data-dependent break: lanes drop out of a loop one by one, s_andn2 of EXEC and s_cbranch_execnz/execz.
#include <hip/hip_runtime.h>
#include <pws.h>

#include <cstdint>

extern "C" __global__ void divergent_break(const uint32_t* start, uint32_t* steps, uint32_t limit, uint32_t n) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint32_t x = start[i];
  uint32_t step = 0;
  for (; step < limit; ++step) {
    if (x == 1) break;
    PWS_SPLIT();
    if ((x & 1) != 0) {
      x = 3 * x + 1;
    } else {
      x = x / 2;
    }
  }
  steps[i] = step;
}
// SPDX-License-Identifier: Apache-2.0
