// A neuron per work-item, integrated in fixed point until it has fired often enough: a divergent loop with nested conditions.
//
// Quadratic integrate-and-fire with adaptation, all values Q16 (16 fractional bits, products and shifts rounded towards minus
// infinity, quotients towards 0). Per step, with input current i:
//   refractory > 0: v decays towards rest by 1/16, adaptation w by 1/64, refractory counts down
//   else:           v += (v * v / 32 - w + i) / 4;  w += (v / 4 - w) / 32
//     v >= peak:      v = reset, w += 1/8 (bursting while w < 1/2: refractory 1, else 6), a spike is counted
//     v < floor:      v = floor, and w is halved
// The loop ends after `limit` steps or with the max_spikes-th spike. A spike in the step before makes the current larger.
//
// Arguments: current     i32[n], Q16, -2^29 to 2^29: nothing overflows
//            spikes      u32[n] output: spikes << 16 | steps taken
//            max_spikes  leaves the loop
//            limit       most steps, at most 65535
//            n           elements
// Shapes:    1-D, any workgroup size, one work-item per element.
// Exercises: both sides of nested divergent branches in a divergent loop, a boolean that lives over their merges.
#include <hip/hip_runtime.h>
#include <pws.h>

#include <cstdint>

static __device__ inline int32_t product(int32_t a, int32_t b) {
  return static_cast<int32_t>((static_cast<int64_t>(a) * b) >> 16);
}

extern "C" __global__ void spiking_neuron(const int32_t* current, uint32_t* spikes, uint32_t max_spikes, uint32_t limit,
                                          uint32_t n) {
  constexpr int32_t one = 1 << 16, rest = -2 * one, reset = -one, peak = 6 * one, lowest = -8 * one;
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int32_t input = current[i];
  int32_t v = rest, w = 0;
  uint32_t refractory = 0, fired = 0, step = 0;
  bool excited = false;
  while (step < limit && fired < max_spikes) {
    ++step;
    PWS_SPLIT();
    if (refractory > 0) {
      v += (rest - v) >> 4;
      w -= w >> 6;
      --refractory;
      excited = excited && refractory > 2;
    } else {
      const int32_t drive = excited ? input + (input >> 3) : input;
      v += (product(v, v) / 32 - w + drive) >> 2;
      w += ((v >> 2) - w) >> 5;
      PWS_SPLIT();
      if (v >= peak) {
        refractory = w < one / 2 ? 1 : 6;
        v = reset;
        w += one >> 3;
        ++fired;
        excited = true;
      } else {
        const int32_t below = v - lowest;
        if (below < 0) {
          v = lowest;
          w >>= 1;
        }
        excited = v > 4 * one;
      }
    }
  }
  spikes[i] = fired << 16 | step;
}
// SPDX-License-Identifier: Apache-2.0
