// Lane masks and rows: a 64-bit mask has one bit per lane, a row one dword per lane (64-byte aligned). These few functions
// are where SIMD intrinsics are used, because compilers do not turn bit masks into vector masks; all have a portable form.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__AVX512F__) || defined(__SSE2__)
#include <immintrin.h>
#endif

#include "models/isa/wave_state.h"

namespace pws::isa {

constexpr uint64_t all_lanes = ~uint64_t{0};

// to[l] = from[l] for the lanes in `mask`.
inline void copy_lanes(uint32_t* to, const uint32_t* from, uint64_t mask) {
#if defined(__AVX512F__)
  for (unsigned k = 0; k < 4; ++k)
    _mm512_mask_store_epi32(to + 16 * k, static_cast<__mmask16>(mask >> (16 * k)), _mm512_load_si512(from + 16 * k));
#else
  for (unsigned h = 0; h < 2; ++h) {
    const auto m = static_cast<uint32_t>(mask >> (32 * h));
    uint32_t* t = to + 32 * h;
    const uint32_t* f = from + 32 * h;
#pragma GCC ivdep
    for (unsigned l = 0; l < 32; ++l) t[l] = (m & (1u << l)) != 0 ? f[l] : t[l];
  }
#endif
}

// to[l] = mask bit l ? if_set[l] : if_clear[l]; `to` may be either of the sources.
inline void select_lanes(uint32_t* to, const uint32_t* if_clear, const uint32_t* if_set, uint64_t mask) {
#if defined(__AVX512F__)
  for (unsigned k = 0; k < 4; ++k)
    _mm512_store_si512(to + 16 * k, _mm512_mask_blend_epi32(static_cast<__mmask16>(mask >> (16 * k)),
                                                            _mm512_load_si512(if_clear + 16 * k),
                                                            _mm512_load_si512(if_set + 16 * k)));
#else
  for (unsigned h = 0; h < 2; ++h) {
    const auto m = static_cast<uint32_t>(mask >> (32 * h));
    uint32_t* t = to + 32 * h;
    const uint32_t* c = if_clear + 32 * h;
    const uint32_t* s = if_set + 32 * h;
#pragma GCC ivdep
    for (unsigned l = 0; l < 32; ++l) t[l] = (m & (1u << l)) != 0 ? s[l] : c[l];
  }
#endif
}

// row[l] = mask bit l (0 or 1).
inline void expand_mask(uint64_t mask, uint32_t* row) {
#if defined(__AVX512F__)
  for (unsigned k = 0; k < 4; ++k)
    _mm512_store_si512(row + 16 * k, _mm512_maskz_set1_epi32(static_cast<__mmask16>(mask >> (16 * k)), 1));
#else
  for (unsigned h = 0; h < 2; ++h) {
    const auto m = static_cast<uint32_t>(mask >> (32 * h));
    for (unsigned l = 0; l < 32; ++l) row[32 * h + l] = (m & (1u << l)) != 0 ? 1 : 0;
  }
#endif
}

// Bit l = row[l] is not 0. Rows hold all-zero or all-one dwords.
inline uint64_t pack_mask(const uint32_t* row) {
#if defined(__AVX512F__)
  uint64_t mask = 0;
  for (unsigned k = 0; k < 4; ++k) {
    const __m512i v = _mm512_load_si512(row + 16 * k);
    mask |= static_cast<uint64_t>(_mm512_test_epi32_mask(v, v)) << (16 * k);
  }
  return mask;
#elif defined(__SSE2__)
  uint64_t mask = 0;
  for (unsigned k = 0; k < 4; ++k) {
    const auto* p = reinterpret_cast<const __m128i*>(row + 16 * k);
    const __m128i low = _mm_packs_epi32(_mm_load_si128(p), _mm_load_si128(p + 1));
    const __m128i high = _mm_packs_epi32(_mm_load_si128(p + 2), _mm_load_si128(p + 3));
    mask |= static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high)))) << (16 * k);
  }
  return mask;
#else
  uint64_t mask = 0;
  for (unsigned l = 0; l < wave_size; ++l) mask |= static_cast<uint64_t>(row[l] & 1) << l;
  return mask;
#endif
}

// A 64-bit operand is two rows of dwords; lane loops work on 64 consecutive qwords.
// to[l] = {row[64 + l], row[l]}.
inline void join_halves(uint64_t* to, const uint32_t* row) {
#if defined(__AVX512F__)
  const __m512i first = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
  const __m512i second = _mm512_set_epi32(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8);
  for (unsigned k = 0; k < 4; ++k) {
    const __m512i low = _mm512_load_si512(row + 16 * k);
    const __m512i high = _mm512_load_si512(row + wave_size + 16 * k);
    _mm512_store_si512(to + 16 * k, _mm512_permutex2var_epi32(low, first, high));
    _mm512_store_si512(to + 16 * k + 8, _mm512_permutex2var_epi32(low, second, high));
  }
#else
  for (unsigned l = 0; l < wave_size; ++l) to[l] = row[l] | static_cast<uint64_t>(row[l + wave_size]) << 32;
#endif
}
// The inverse, for the lanes in `mask`.
inline void split_halves(uint32_t* row, const uint64_t* from, uint64_t mask) {
#if defined(__AVX512F__)
  const __m512i even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  const __m512i odd = _mm512_set_epi32(31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1);
  for (unsigned k = 0; k < 4; ++k) {
    const auto m = static_cast<__mmask16>(mask >> (16 * k));
    const __m512i first = _mm512_load_si512(from + 16 * k);
    const __m512i second = _mm512_load_si512(from + 16 * k + 8);
    _mm512_mask_store_epi32(row + 16 * k, m, _mm512_permutex2var_epi32(first, even, second));
    _mm512_mask_store_epi32(row + wave_size + 16 * k, m, _mm512_permutex2var_epi32(first, odd, second));
  }
#else
  alignas(64) uint32_t halves[2 * wave_size];
  for (unsigned l = 0; l < wave_size; ++l) {
    halves[l] = static_cast<uint32_t>(from[l]);
    halves[l + wave_size] = static_cast<uint32_t>(from[l] >> 32);
  }
  copy_lanes(row, halves, mask);
  copy_lanes(row + wave_size, halves + wave_size, mask);
#endif
}

inline void broadcast(uint32_t* row, uint32_t value) {
  for (unsigned l = 0; l < wave_size; ++l) row[l] = value;
}

}  // namespace pws::isa
