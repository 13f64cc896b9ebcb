// SPDX-License-Identifier: Apache-2.0
// The kernels of the control task: each period they get what the sensors have measured.
//
// Both branch by what a sensor has measured, and either side is a loop of some length: without splitting a wavefront
// takes the time of both sides, with splitting that of the longer one.
#include <hip/hip_runtime.h>
#include <pws.h>

#include <cstdint>

// A low-pass filter for each sensor: a large step is followed fast, in many small steps that do not overshoot; within
// the noise it is smoothed. All values are Q16.
//
// Arguments: sample  i32[n]  measured
//            state   i32[n]  filtered, of the last period and of this one
//            n       sensors
extern "C" __global__ void filter(const int32_t* sample, int32_t* state, uint32_t n) {
  constexpr int32_t noise = 1 << 14;
  constexpr uint32_t rounds = 48;
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int32_t x = sample[i];
  int32_t y = state[i];
  const int32_t difference = x > y ? x - y : y - x;
  PWS_SPLIT();
  if (difference > noise) {
    int32_t step = x - y;
    for (uint32_t k = 0; k < rounds; ++k) {
      PWS_LOOP_BOUND(48);
      y += step >> 3;
      step = ((x - y) * 3) >> 2;
      y = y > x + noise ? y - (noise >> 4) : y;
    }
  } else {
    int32_t rest = x - y;
    for (uint32_t k = 0; k < rounds; ++k) {
      PWS_LOOP_BOUND(48);
      y += rest >> 6;
      rest -= rest >> 5;
      y ^= (y & 1) & static_cast<int32_t>(k);
    }
  }
  state[i] = y;
}

// The command for each actuator: far from the target by a search for the largest step that its limits allow, near it by
// a proportional law with damping. All values are Q16.
//
// Arguments: state    i32[n]  filtered
//            target   i32[n]  wanted
//            command  i32[n]  output
//            n        actuators
extern "C" __global__ void command(const int32_t* state, const int32_t* target, int32_t* out, uint32_t n) {
  constexpr int32_t near = 1 << 15, most = 1 << 12;
  constexpr uint32_t rounds = 24;
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int32_t error = target[i] - state[i];
  int32_t u = 0;
  PWS_SPLIT();
  if (error > near || error < -near) {
    int32_t step = error >> 2;
    for (uint32_t k = 0; k < rounds; ++k) {
      PWS_LOOP_BOUND(24);
      step = step > most ? step - (step >> 3) : step < -most ? step - (step >> 3) : step;
      u = step + (u >> 4);
    }
  } else {
    int32_t speed = 0;
    for (uint32_t k = 0; k < rounds; ++k) {
      PWS_LOOP_BOUND(24);
      speed += (error - u) >> 4;
      speed -= speed >> 3;
      u += speed;
    }
  }
  out[i] = u;
}
