// A chain of dependent fused multiply-adds: no wavefront can issue its next one before the last has its result.
//
//   steps times: x = fma(x, m, c)
//
// Arguments: data   f32[n], input and output
//            m, c   f32 factor and summand
//            steps  uniform; the loop bound for WCET analysis
//            n      elements
// Shapes:    1-D, any workgroup size, one work-item per element.
// Rounding:  fused: one rounding per step.
// Exercises: VALU latency with few wavefronts, VALU throughput with many; VOP3 v_fma_f32.
#include <hip/hip_runtime.h>

#include <cstdint>

extern "C" __global__ void alu_chain(float* data, float m, float c, uint32_t steps, uint32_t n) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = data[i];
#pragma unroll 8
  for (uint32_t step = 0; step < steps; ++step) x = __builtin_fmaf(x, m, c);
  data[i] = x;
}
// SPDX-License-Identifier: Apache-2.0
