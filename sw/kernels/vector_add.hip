// Elementwise addition with a branch on the data: the smallest kernel whose wavefronts diverge.
//
//   c[i] = a[i] > 0 ? a[i] + b[i] : a[i] - b[i] * 2        for 0 <= i < n
//
// Arguments: a, b  f32[n] inputs, any values
//            c     f32[n] output
//            n     elements
// Shapes:    1-D, any workgroup size; one work-item per element, items with i >= n do nothing.
// Rounding:  product and difference rounded separately (this matters only where b * 2 overflows).
// Exercises: bounds check (partial last wavefront), s_and_saveexec / s_cbranch_execz with both sides, vector loads and
//            stores.
#include <hip/hip_runtime.h>

extern "C" __global__ void vector_add(const float* a, const float* b, float* c, unsigned n) {
#pragma clang fp contract(off)
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = a[i];
  const float y = b[i];
  float result;
  // The empty asm statements keep the compiler from turning so short a branch into a v_cndmask.
  if (x > 0.0f) {
    result = x + y;
    asm volatile("" : "+v"(result));
  } else {
    result = x - y * 2.0f;
    asm volatile("" : "+v"(result));
  }
  c[i] = result;
}
// SPDX-License-Identifier: Apache-2.0
