// SPDX-License-Identifier: Apache-2.0
// Lane masks and rows: a 64-bit mask has one bit per lane, a row one dword per lane (64-byte aligned). These few
// functions are where SIMD intrinsics are used, because compilers do not turn bit masks into vector masks; all have a
// portable form.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__AVX512F__) || defined(__SSE2__)
#include <immintrin.h>
#endif

#include "models/isa/wave_state.h"

namespace pws::isa {

constexpr uint64_t all_lanes = ~uint64_t{0};

// Before a lane loop: no lane's result is another lane's source. (A compiler must be told; rows may be the same row.)
#if defined(__clang__)
#define PWS_INDEPENDENT_LANES _Pragma("clang loop vectorize(assume_safety)")
#else
#define PWS_INDEPENDENT_LANES _Pragma("GCC ivdep")
#endif

#if !defined(__AVX512F__)
// Bit l & 31, from a table: instruction sets before AVX2 have no shift by a different count in every lane.
struct alignas(64) lane_bits {
  uint32_t bit[32];
};
constexpr lane_bits make_lane_bits() {
  lane_bits t{};
  for (unsigned l = 0; l < 32; ++l) t.bit[l] = uint32_t{1} << l;
  return t;
}
inline constexpr lane_bits bit_of_lane = make_lane_bits();

// All ones if bit l of the mask's half is set; values are chosen by masking, since loads under a condition do not
// vectorise.
inline uint32_t lane_select(uint32_t half, unsigned l) {
  return (half & bit_of_lane.bit[l]) != 0 ? ~uint32_t{0} : 0;
}
#endif

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
    PWS_INDEPENDENT_LANES
    for (unsigned l = 0; l < 32; ++l) t[l] ^= (t[l] ^ f[l]) & lane_select(m, l);
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
    for (unsigned l = 0; l < 32; ++l) row[32 * h + l] = (m & bit_of_lane.bit[l]) != 0 ? 1 : 0;
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

// Is any lane's value, its sign bit aside, above `limit`? For floats and the bits of infinity: is any a NaN? The sign
// bit is the top bit of `limit`'s format: bit 15 of a dword row for half precision, else the row's own.
inline bool any_lane_above(const uint32_t* row, uint32_t limit) {
  const uint32_t magnitude = limit <= 0x7fff ? 0x7fffu : 0x7fffffffu;
#if defined(__AVX512F__)
  const __m512i m = _mm512_set1_epi32(static_cast<int>(magnitude)), top = _mm512_set1_epi32(static_cast<int>(limit));
  // The forms with a mask: GCC 12 warns of its own headers in the others.
  const auto part = [&](unsigned k) { return _mm512_and_si512(_mm512_load_si512(row + 16 * k), m); };
  const __m512i highest = _mm512_maskz_max_epu32(0xffff, _mm512_maskz_max_epu32(0xffff, part(0), part(1)),
                                                 _mm512_maskz_max_epu32(0xffff, part(2), part(3)));
  return _mm512_cmpgt_epu32_mask(highest, top) != 0;
#else
  uint32_t any = 0;
  for (unsigned l = 0; l < wave_size; ++l) any |= (row[l] & magnitude) > limit ? 1u : 0u;
  return any != 0;
#endif
}
inline bool any_lane_above(const uint64_t* row, uint64_t limit) {
  constexpr uint64_t magnitude = ~(uint64_t{1} << 63);
#if defined(__AVX512F__)
  const __m512i m = _mm512_set1_epi64(static_cast<long long>(magnitude));
  const __m512i top = _mm512_set1_epi64(static_cast<long long>(limit));
  const auto part = [&](unsigned k) { return _mm512_and_si512(_mm512_load_si512(row + 8 * k), m); };
  const auto two = [&](unsigned k) { return _mm512_maskz_max_epu64(0xff, part(k), part(k + 1)); };
  const __m512i highest = _mm512_maskz_max_epu64(0xff, _mm512_maskz_max_epu64(0xff, two(0), two(2)),
                                                 _mm512_maskz_max_epu64(0xff, two(4), two(6)));
  return _mm512_cmpgt_epu64_mask(highest, top) != 0;
#else
  uint64_t any = 0;
  for (unsigned l = 0; l < wave_size; ++l) any |= (row[l] & magnitude) > limit ? 1u : 0u;
  return any != 0;
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
#elif defined(__SSE2__)
  for (unsigned l = 0; l < wave_size; l += 4) {
    const __m128i low = _mm_load_si128(reinterpret_cast<const __m128i*>(row + l));
    const __m128i high = _mm_load_si128(reinterpret_cast<const __m128i*>(row + wave_size + l));
    _mm_store_si128(reinterpret_cast<__m128i*>(to + l), _mm_unpacklo_epi32(low, high));
    _mm_store_si128(reinterpret_cast<__m128i*>(to + l + 2), _mm_unpackhi_epi32(low, high));
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
#if defined(__SSE2__)
  for (unsigned l = 0; l < wave_size; l += 4) {
    const __m128 first = _mm_castsi128_ps(_mm_load_si128(reinterpret_cast<const __m128i*>(from + l)));
    const __m128 second = _mm_castsi128_ps(_mm_load_si128(reinterpret_cast<const __m128i*>(from + l + 2)));
    const __m128i low = _mm_castps_si128(_mm_shuffle_ps(first, second, _MM_SHUFFLE(2, 0, 2, 0)));
    const __m128i high = _mm_castps_si128(_mm_shuffle_ps(first, second, _MM_SHUFFLE(3, 1, 3, 1)));
    _mm_store_si128(reinterpret_cast<__m128i*>(halves + l), low);
    _mm_store_si128(reinterpret_cast<__m128i*>(halves + wave_size + l), high);
  }
#else
  for (unsigned l = 0; l < wave_size; ++l) {
    halves[l] = static_cast<uint32_t>(from[l]);
    halves[l + wave_size] = static_cast<uint32_t>(from[l] >> 32);
  }
#endif
  copy_lanes(row, halves, mask);
  copy_lanes(row + wave_size, halves + wave_size, mask);
#endif
}

inline void broadcast(uint32_t* row, uint32_t value) {
  for (unsigned l = 0; l < wave_size; ++l) row[l] = value;
}

}  // namespace pws::isa
