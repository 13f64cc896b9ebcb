// SPDX-License-Identifier: Apache-2.0
// Single-precision arithmetic as HIP kernels see it on gfx803: round to nearest even, every operation rounded,
// denormals read and written as zeros of their sign (FLOAT_MODE of the kernel descriptor). Must be compiled with
// -ffp-contract=off.
#pragma once

#include <cfloat>
#include <cmath>

namespace pws::reference {

inline float flush(float v) {
  return std::fabs(v) < FLT_MIN ? std::copysign(0.0f, v) : v;
}
inline float add(float a, float b) {
  return flush(flush(a) + flush(b));
}
inline float multiply(float a, float b) {
  return flush(flush(a) * flush(b));
}
inline float fused(float a, float b, float c) {
  return flush(std::fma(flush(a), flush(b), flush(c)));
}

}  // namespace pws::reference
