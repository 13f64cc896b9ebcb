// Arithmetic of all widths on the sides of branches on comparisons, of which NaNs take the second one. All elements of
// a meet all of b: work-item i has a[i % 16] and b[i / 16].
//
//   doubles  a, b f64[16], out f64[256]: a < b: a * b - a / b; else fma(a, b, b), and where b > 0 sqrt(b) more
//   halves   a, b f16[16], out f16[256]: a < b: a * b + a; else fma(a, b, a) - b
//   floats   a, b f32[16], out f32[256]: a < b: a / b, for which MODE has denormals for a while; else fma(a, b, a).
//            Denormal operands and results are 0
//   longs    a, b i64[16], out i64[256]: a < b: (a << (b & 63)) + a / b, without a / b where b is 0; else
//            a * b - (b >> 3), and 1 more where a + b, unsigned, has a carry
// Not fused where it does not say so. Grid: 256.
#include <pws.h>

#include "formation.h"

#pragma clang fp contract(off)

extern "C" __global__ void doubles(const double* a, const double* b, double* out) {
  const uint32_t i = own_index();
  const double x = a[i % 16], y = b[i / 16];
  double r;
  if (x < y) {
    r = x * y;
    HIDE(r);
    r -= x / y;
  } else {
    r = __builtin_fma(x, y, y);
    HIDE(r);
    if (y > 0) {
      r += __builtin_sqrt(y);
      HIDE(r);
    }
  }
  out[i] = r;
}

extern "C" __global__ void halves(const _Float16* a, const _Float16* b, _Float16* out) {
  const uint32_t i = own_index();
  const _Float16 x = a[i % 16], y = b[i / 16];
  _Float16 r;
  if (x < y) {
    r = x * y;
    HIDE(r);
    r = r + x;
  } else {
    r = __builtin_fmaf16(x, y, x);
    HIDE(r);
    r = r - y;
  }
  out[i] = r;
}

extern "C" __global__ void floats(const float* a, const float* b, float* out) {
  const uint32_t i = own_index();
  const float x = a[i % 16], y = b[i / 16];
  float r;
  if (x < y) {
    r = x / y;
    HIDE(r);
  } else {
    r = __builtin_fmaf(x, y, x);
    HIDE(r);
  }
  out[i] = r;
}

extern "C" __global__ void longs(const int64_t* a, const int64_t* b, int64_t* out) {
  const uint32_t i = own_index();
  const int64_t x = a[i % 16], y = b[i / 16];
  int64_t r;
  if (x < y) {
    r = static_cast<int64_t>(static_cast<uint64_t>(x) << (y & 63));
    HIDE(r);
    if (y != 0) r += x / y;
  } else {
    r = static_cast<int64_t>(static_cast<uint64_t>(x) * static_cast<uint64_t>(y)) - (y >> 3);
    HIDE(r);
    const uint64_t sum = static_cast<uint64_t>(x) + static_cast<uint64_t>(y);
    if (sum < static_cast<uint64_t>(x)) r += 1;
  }
  out[i] = r;
}
// SPDX-License-Identifier: Apache-2.0
