// SPDX-License-Identifier: Apache-2.0
// What generated kernels include: values travel as the low bits of 64-bit slots, and each operation of the generator
// has one name for all types.
#pragma once

#include <hip/hip_runtime.h>
#include <stdint.h>

using f16 = _Float16;
using f32 = float;
using f64 = double;
using i8 = int8_t;
using u8 = uint8_t;
using i16 = int16_t;
using u16 = uint16_t;
using i32 = int32_t;
using u32 = uint32_t;
using i64 = int64_t;
using u64 = uint64_t;

template <unsigned bytes>
struct word;
template <>
struct word<1> {
  using type = u8;
};
template <>
struct word<2> {
  using type = u16;
};
template <>
struct word<4> {
  using type = u32;
};
template <>
struct word<8> {
  using type = u64;
};

template <class T>
__device__ inline T from_slot(u64 slot) {
  return __builtin_bit_cast(T, static_cast<typename word<sizeof(T)>::type>(slot));
}
template <class T>
__device__ inline u64 to_slot(T x) {
  return __builtin_bit_cast(typename word<sizeof(T)>::type, x);
}
__device__ inline u64 to_slot(bool x) {
  return x ? 1 : 0;
}

extern "C" {
__device__ __attribute__((const)) f16 __ocml_fmod_f16(f16, f16);
__device__ __attribute__((const)) f16 __ocml_remainder_f16(f16, f16);
__device__ __attribute__((const)) f16 __ocml_ldexp_f16(f16, int);
__device__ __attribute__((const)) int __ocml_ilogb_f16(f16);
__device__ __attribute__((const)) f16 __ocml_logb_f16(f16);
__device__ __attribute__((const)) f16 __ocml_round_f16(f16);
__device__ __attribute__((const)) f16 __ocml_copysign_f16(f16, f16);
__device__ __attribute__((const)) f16 __ocml_fmin_f16(f16, f16);
__device__ __attribute__((const)) f16 __ocml_fmax_f16(f16, f16);
__device__ f16 __ocml_frexp_f16(f16, __attribute__((address_space(5))) int*);
__device__ f16 __ocml_modf_f16(f16, __attribute__((address_space(5))) f16*);
}

// FN is the name in HIP's float functions without its f.
#define SLOTS_UNARY(OURS, FN)         \
  __device__ inline f32 OURS(f32 x) { \
    return ::FN##f(x);                \
  }                                   \
  __device__ inline f64 OURS(f64 x) { \
    return ::FN(x);                   \
  }                                   \
  __device__ inline f16 OURS(f16 x) { \
    return __ocml_##FN##_f16(x);      \
  }
SLOTS_UNARY(f_sqrt, sqrt)
SLOTS_UNARY(f_trunc, trunc)
SLOTS_UNARY(f_floor, floor)
SLOTS_UNARY(f_ceil, ceil)
SLOTS_UNARY(f_rint, rint)
SLOTS_UNARY(f_round, round)
SLOTS_UNARY(f_logb, logb)
SLOTS_UNARY(f_abs, fabs)
#undef SLOTS_UNARY

#define SLOTS_BINARY(OURS, FN)               \
  __device__ inline f32 OURS(f32 x, f32 y) { \
    return ::FN##f(x, y);                    \
  }                                          \
  __device__ inline f64 OURS(f64 x, f64 y) { \
    return ::FN(x, y);                       \
  }                                          \
  __device__ inline f16 OURS(f16 x, f16 y) { \
    return __ocml_##FN##_f16(x, y);          \
  }
SLOTS_BINARY(f_fmod, fmod)
SLOTS_BINARY(f_remainder, remainder)
SLOTS_BINARY(f_copysign, copysign)
SLOTS_BINARY(f_min, fmin)
SLOTS_BINARY(f_max, fmax)
#undef SLOTS_BINARY

__device__ inline f32 f_fma(f32 x, f32 y, f32 z) {
  return ::fmaf(x, y, z);
}
__device__ inline f64 f_fma(f64 x, f64 y, f64 z) {
  return ::fma(x, y, z);
}
__device__ inline f16 f_fma(f16 x, f16 y, f16 z) {
  return __ocml_fma_f16(x, y, z);
}
__device__ inline f32 f_ldexp(f32 x, i32 n) {
  return ::ldexpf(x, n);
}
__device__ inline f64 f_ldexp(f64 x, i32 n) {
  return ::ldexp(x, n);
}
__device__ inline f16 f_ldexp(f16 x, i32 n) {
  return __ocml_ldexp_f16(x, n);
}
__device__ inline i32 f_ilogb(f32 x) {
  return ::ilogbf(x);
}
__device__ inline i32 f_ilogb(f64 x) {
  return ::ilogb(x);
}
__device__ inline i32 f_ilogb(f16 x) {
  return __ocml_ilogb_f16(x);
}
__device__ inline f32 f_frexp(f32 x, int* e) {
  return ::frexpf(x, e);
}
__device__ inline f64 f_frexp(f64 x, int* e) {
  return ::frexp(x, e);
}
__device__ inline f16 f_frexp(f16 x, int* e) {
  int exponent;
  const f16 m = __ocml_frexp_f16(x, (__attribute__((address_space(5))) int*)&exponent);
  *e = exponent;
  return m;
}
__device__ inline f32 f_modf(f32 x, f32* whole) {
  return ::modff(x, whole);
}
__device__ inline f64 f_modf(f64 x, f64* whole) {
  return ::modf(x, whole);
}
__device__ inline f16 f_modf(f16 x, f16* whole) {
  f16 w;
  const f16 r = __ocml_modf_f16(x, (__attribute__((address_space(5))) f16*)&w);
  *whole = w;
  return r;
}
template <class T>
__device__ inline T f_mantissa(T x) {
  int e;
  return f_frexp(x, &e);
}
template <class T>
__device__ inline i32 f_exponent(T x) {
  int e;
  f_frexp(x, &e);
  return e;
}
template <class T>
__device__ inline T f_fraction(T x) {
  T whole;
  return f_modf(x, &whole);
}
template <class T>
__device__ inline T f_whole(T x) {
  T whole;
  f_modf(x, &whole);
  return whole;
}

// A conversion to an integer is defined only in its range: 77 outside, and for NaN.
template <class I, class T>
__device__ inline I to_integer(T x) {
  constexpr int bits = 8 * sizeof(I) - (static_cast<I>(-1) < static_cast<I>(0) ? 1 : 0);
  constexpr f64 limit = static_cast<f64>(1ull << (bits - 1)) * 2;
  constexpr bool is_signed = static_cast<I>(-1) < static_cast<I>(0);
  // The limits are infinite in half precision where its range is the smaller one.
  const bool in_range =
      __builtin_isfinite(x) && x < static_cast<T>(limit) && (is_signed ? x >= static_cast<T>(-limit) : x >= T(0));
  return in_range ? static_cast<I>(x) : static_cast<I>(77);
}
