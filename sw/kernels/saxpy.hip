// y[i] = a * x[i] + y[i], product and sum rounded separately.
//
// Arguments: n  elements
//            a  f32 factor
//            x  f32[n] input
//            y  f32[n] input and output
// Shapes:    1-D, any workgroup size; one work-item per element, items with i >= n do nothing.
// Rounding:  not fused. f32 denormals are flushed (the descriptor's FLOAT_MODE for HIP on gfx803).
// Exercises: a scalar f32 argument, v_mac_f32 (which is not fused), streaming memory; no divergence but the bounds
//            check.
#include <hip/hip_runtime.h>

extern "C" __global__ void saxpy(unsigned n, float a, const float* x, float* y) {
#pragma clang fp contract(off)
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
// SPDX-License-Identifier: Apache-2.0
