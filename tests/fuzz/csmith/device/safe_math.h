// SPDX-License-Identifier: Apache-2.0
// What a generated program expects of its run-time library: arithmetic without undefined behaviour, in host and device
// code alike. Where an operation has no defined result, the left operand is the result; any total function would do,
// and this one keeps a branch in the generated code. Compiled for the GPU without any system header.
#pragma once

using int8_t = signed char;
using uint8_t = unsigned char;
using int16_t = short;
using uint16_t = unsigned short;
using int32_t = int;
using uint32_t = unsigned int;
using int64_t = long;
using uint64_t = unsigned long;
static_assert(sizeof(int64_t) == 8 && sizeof(int32_t) == 4, "LP64 on both sides");

namespace fuzz {

template <typename T>
constexpr bool is_signed = T(-1) < T(0);
template <typename T>
constexpr T lowest = is_signed<T> ? T(uint64_t{1} << (8 * sizeof(T) - 1)) : T(0);

// Signed overflow gives the left operand, unsigned arithmetic wraps.
template <typename T>
T add(T a, T b) {
  T r;
  return __builtin_add_overflow(a, b, &r) && is_signed<T> ? a : r;
}
template <typename T>
T sub(T a, T b) {
  T r;
  return __builtin_sub_overflow(a, b, &r) && is_signed<T> ? a : r;
}
template <typename T>
T mul(T a, T b) {
  T r;
  return __builtin_mul_overflow(a, b, &r) && is_signed<T> ? a : r;
}
template <typename T>
bool cannot_divide(T a, T b) {
  return b == T(0) || (is_signed<T> && a == lowest<T> && b == T(-1));
}
// LLVM 15 computes some operations wrongly when it sees where an operand comes from. Here it sees nothing.
template <typename T>
T hidden(T a) {
#ifdef __HIP__
  if constexpr (sizeof(T) >= 4) __asm__("" : "+v"(a));
#endif
  return a;
}
// AMDGPUCodeGenPrepare (getDivNumBits) takes an unsigned operand with many sign bits for a small number, and 64-bit
// operands that are sign-extended words for numbers of 24 bits: it then divides in single precision, and wrongly.
template <typename T>
T div(T a, T b) {
  return cannot_divide(a, b) ? a : T(hidden(a) / hidden(b));
}
template <typename T>
T mod(T a, T b) {
  return cannot_divide(a, b) ? a : T(hidden(a) % hidden(b));
}
template <typename T>
T minus(T a) {
  return is_signed<T> && a == lowest<T> ? a : T(T(0) - a);
}
// A shift of a negative value, by a negative count, or by as many bits as the type has.
template <typename T, typename C>
bool cannot_shift(T a, C count) {
  return a < T(0) || count < C(0) || static_cast<uint64_t>(count) >= 8 * sizeof(T);
}
template <typename T, typename C>
T shl(T a, C count) {
  if (cannot_shift(a, count)) return a;
  if (is_signed<T> && a > T(T(~lowest<T>) >> count)) return a;  // into the sign
  return T(a << count);
}
template <typename T, typename C>
T shr(T a, C count) {
  return cannot_shift(a, count) ? a : T(a >> count);
}

// The bit counts that are undefined for 0.
inline int clz(uint32_t a) {
  return a == 0 ? 32 : __builtin_clz(a);
}
inline int clzl(uint64_t a) {
  return a == 0 ? 64 : __builtin_clzl(a);
}
inline int ctz(uint32_t a) {
  return a == 0 ? 32 : __builtin_ctz(a);
}
inline int ctzl(uint64_t a) {
  return a == 0 ? 64 : __builtin_ctzl(a);
}
// CRC-32C of one byte (what the x86 instruction of that name computes).
inline uint32_t crc32c(uint32_t crc, uint8_t byte) {
  crc ^= byte;
  for (int k = 0; k < 8; ++k) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82F63B78u : 0);
  return crc;
}

}  // namespace fuzz

#define __builtin_clz(a) fuzz::clz(a)
#define __builtin_clzl(a) fuzz::clzl(a)
#define __builtin_clzll(a) fuzz::clzl(a)
#define __builtin_ctz(a) fuzz::ctz(a)
#define __builtin_ctzl(a) fuzz::ctzl(a)
#define __builtin_ctzll(a) fuzz::ctzl(a)
#define __builtin_ia32_crc32qi(crc, byte) fuzz::crc32c(crc, byte)

// The generator's names: type of the operation, then s or u for each operand. Operands are converted first.
#define FUZZ_ARITHMETIC(T, S)                                \
  inline T safe_add_func_##T##_##S##_##S(T a, T b) {         \
    return fuzz::add<T>(a, b);                               \
  }                                                          \
  inline T safe_sub_func_##T##_##S##_##S(T a, T b) {         \
    return fuzz::sub<T>(a, b);                               \
  }                                                          \
  inline T safe_mul_func_##T##_##S##_##S(T a, T b) {         \
    return fuzz::mul<T>(a, b);                               \
  }                                                          \
  inline T safe_div_func_##T##_##S##_##S(T a, T b) {         \
    return fuzz::div<T>(a, b);                               \
  }                                                          \
  inline T safe_mod_func_##T##_##S##_##S(T a, T b) {         \
    return fuzz::mod<T>(a, b);                               \
  }                                                          \
  inline T safe_unary_minus_func_##T##_##S(T a) {            \
    return fuzz::minus<T>(a);                                \
  }                                                          \
  inline T safe_lshift_func_##T##_##S##_s(T a, int32_t b) {  \
    return fuzz::shl<T>(a, b);                               \
  }                                                          \
  inline T safe_lshift_func_##T##_##S##_u(T a, uint32_t b) { \
    return fuzz::shl<T>(a, b);                               \
  }                                                          \
  inline T safe_rshift_func_##T##_##S##_s(T a, int32_t b) {  \
    return fuzz::shr<T>(a, b);                               \
  }                                                          \
  inline T safe_rshift_func_##T##_##S##_u(T a, uint32_t b) { \
    return fuzz::shr<T>(a, b);                               \
  }
FUZZ_ARITHMETIC(int8_t, s)
FUZZ_ARITHMETIC(int16_t, s)
FUZZ_ARITHMETIC(int32_t, s)
FUZZ_ARITHMETIC(int64_t, s)
FUZZ_ARITHMETIC(uint8_t, u)
FUZZ_ARITHMETIC(uint16_t, u)
FUZZ_ARITHMETIC(uint32_t, u)
FUZZ_ARITHMETIC(uint64_t, u)
