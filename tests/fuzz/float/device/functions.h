// SPDX-License-Identifier: Apache-2.0
// What kernels that call the device library include besides slots.h.
#pragma once

#include "slots.h"

// Half precision that the HIP header does not declare; what it declares is pure or const likewise.
extern "C" {
__device__ __attribute__((pure)) f16 __ocml_acos_f16(f16);
__device__ __attribute__((pure)) f16 __ocml_acosh_f16(f16);
__device__ __attribute__((pure)) f16 __ocml_asin_f16(f16);
__device__ __attribute__((pure)) f16 __ocml_asinh_f16(f16);
__device__ __attribute__((pure)) f16 __ocml_atan_f16(f16);
__device__ __attribute__((pure)) f16 __ocml_atanh_f16(f16);
__device__ __attribute__((pure)) f16 __ocml_cbrt_f16(f16);
__device__ __attribute__((pure)) f16 __ocml_rcbrt_f16(f16);
__device__ __attribute__((pure)) f16 __ocml_cosh_f16(f16);
__device__ __attribute__((pure)) f16 __ocml_cospi_f16(f16);
__device__ __attribute__((pure)) f16 __ocml_erf_f16(f16);
__device__ __attribute__((pure)) f16 __ocml_erfc_f16(f16);
__device__ __attribute__((pure)) f16 __ocml_expm1_f16(f16);
__device__ __attribute__((pure)) f16 __ocml_log1p_f16(f16);
__device__ __attribute__((pure)) f16 __ocml_sinh_f16(f16);
__device__ __attribute__((pure)) f16 __ocml_sinpi_f16(f16);
__device__ __attribute__((pure)) f16 __ocml_tan_f16(f16);
__device__ __attribute__((pure)) f16 __ocml_tanh_f16(f16);
__device__ __attribute__((pure)) f16 __ocml_tgamma_f16(f16);
__device__ __attribute__((pure)) f16 __ocml_atan2_f16(f16, f16);
__device__ __attribute__((pure)) f16 __ocml_fdim_f16(f16, f16);
__device__ __attribute__((pure)) f16 __ocml_hypot_f16(f16, f16);
__device__ __attribute__((pure)) f16 __ocml_pow_f16(f16, f16);
}

__device__ inline f32 sine_of_pair(f32 x) {
  f32 s, c;
  ::sincosf(x, &s, &c);
  return s;
}
__device__ inline f64 cosine_of_pair(f64 x) {
  f64 s, c;
  ::sincos(x, &s, &c);
  return c;
}
