// SPDX-License-Identifier: Apache-2.0
// The lane loops that every memory executor shares: an access is a host window, one 32-bit byte offset per lane and a
// mask. Nothing here checks bounds; callers have checked the lowest and the highest offset before (memory_lds.h,
// memory_global.h).
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "models/isa/vector/lane_mask.h"
#include "models/isa/wave_state.h"

namespace pws::isa {

// Offsets within a window stay below this, because hardware gathers take them as signed numbers.
constexpr uint32_t max_window = uint32_t{1} << 31;

// What one lane moves between memory and registers: `rows` registers of 32 bits, `bytes` of memory. load and store move
// one lane's, load_run and store_run 64 consecutive ones. A byte or short: zero- or sign-extended into the register as
// T is unsigned or signed.
template <class T>
struct narrow {
  static constexpr uint32_t bytes = sizeof(T);
  static constexpr uint32_t rows = 1;
  static void load(const uint8_t* p, uint32_t* v) {
    T t;
    std::memcpy(&t, p, sizeof t);
    v[0] = static_cast<uint32_t>(int32_t{t});  // extended as T is
  }
  static void store(uint8_t* p, const uint32_t* v) {
    const T t = static_cast<T>(v[0]);
    std::memcpy(p, &t, sizeof t);
  }
  static void load_run(const uint8_t* p, vgpr_row* dst) {
    T t[wave_size];
    std::memcpy(t, p, sizeof t);
    for (int l = 0; l < wave_size; ++l) dst->lane[l] = static_cast<uint32_t>(int32_t{t[l]});
  }
  static void store_run(uint8_t* p, const vgpr_row* src) {
    T t[wave_size];
    for (int l = 0; l < wave_size; ++l) t[l] = static_cast<T>(src->lane[l]);
    std::memcpy(p, t, sizeof t);
  }
};

template <unsigned N>
struct dwords {
  static constexpr uint32_t bytes = 4 * N;
  static constexpr uint32_t rows = N;
  // Two dwords at once: programs have atomic loads and stores of 64 bits.
  static void load(const uint8_t* p, uint32_t* v) {
    if constexpr (N == 2) {
      uint64_t both;
      std::memcpy(&both, p, bytes);
      v[0] = static_cast<uint32_t>(both);
      v[1] = static_cast<uint32_t>(both >> 32);
    } else {
      std::memcpy(v, p, bytes);
    }
  }
  static void store(uint8_t* p, const uint32_t* v) {
    if constexpr (N == 2) {
      const uint64_t both = v[0] | uint64_t{v[1]} << 32;
      std::memcpy(p, &both, bytes);
    } else {
      std::memcpy(p, v, bytes);
    }
  }
  static void load_run(const uint8_t* p, vgpr_row* dst) { std::memcpy(dst->lane, p, sizeof dst->lane); }
  static void store_run(uint8_t* p, const vgpr_row* src) { std::memcpy(p, src->lane, sizeof src->lane); }
};

// The distance of consecutive lanes' accesses in a run that load_run and store_run move at once; 0: the shape has none
// (moving several rows at once is not faster than lane by lane).
template <class Shape>
constexpr uint32_t run_step = Shape::rows == 1 ? Shape::bytes : 0;

// Calls f(lane) for the set bits of `mask`, lowest first: the order in which overlapping stores and atomics happen.
template <class F>
inline void for_each_lane(uint64_t mask, F f) {
  if (mask == all_lanes) {
    for (int l = 0; l < wave_size; ++l) f(l);
    return;
  }
  for (; mask != 0; mask &= mask - 1) f(__builtin_ctzll(mask));
}

// dst[l] = the lane's value where active, else `other`.
inline void active_or(const uint32_t* value, uint64_t mask, uint32_t other, uint32_t* dst) {
#if defined(__AVX512F__)
  const __m512i o = _mm512_set1_epi32(static_cast<int>(other));
  for (int l = 0; l < wave_size; l += 16)
    _mm512_storeu_si512(dst + l, _mm512_mask_loadu_epi32(o, static_cast<__mmask16>(mask >> l), value + l));
#else
  for (int h = 0; h < wave_size; h += 32) {
    const uint32_t half = static_cast<uint32_t>(mask >> h);
    for (int l = 0; l < 32; ++l) dst[h + l] = (half >> l & 1u) != 0 ? value[h + l] : other;
  }
#endif
}

// dst[l] = value for the lanes in `mask`.
inline void fill_lanes(uint32_t value, uint64_t mask, uint32_t* dst) {
  if (mask == all_lanes) return broadcast(dst, value);
  alignas(64) uint32_t row[wave_size];
  broadcast(row, value);
  copy_lanes(dst, row, mask);
}

// Offsets with the inactive lanes' replaced by an active lane's, so that loops need no mask: `row` itself if all are
// active, else `buffer`. mask is not 0.
inline const uint32_t* active_offsets(const uint32_t* row, uint64_t mask, uint32_t* buffer) {
  if (mask == all_lanes) return row;
  active_or(row, mask, row[__builtin_ctzll(mask)], buffer);
  return buffer;
}

struct lane_range {
  uint32_t low, high;
  uint32_t bits;  // OR of all offsets, as far as it concerns alignment to the access's size
  bool run;       // offset[l] == low + step * l
};

// True if offset[l] == offset[0] + step * l, without wrapping around.
inline bool is_run(const uint32_t* offset, uint32_t step) {
  uint32_t differ = 0;
  for (uint32_t l = 0; l < wave_size; ++l) differ |= offset[l] ^ (offset[0] + step * l);
  return differ == 0 && offset[0] <= ~(step * (wave_size - 1));
}

// step: of a run worth recognising (all lanes active), or 0. A run's range needs no search.
inline lane_range range_of(const uint32_t* offset, uint64_t mask, uint32_t step) {
  if (mask == all_lanes && step != 0 && is_run(offset, step))
    return {offset[0], offset[0] + step * (wave_size - 1), offset[0], true};
  lane_range r{offset[0], offset[0], 0, false};
  for (int l = 0; l < wave_size; ++l) {
    r.low = offset[l] < r.low ? offset[l] : r.low;
    r.high = offset[l] > r.high ? offset[l] : r.high;
    r.bits |= offset[l];
  }
  return r;
}

// Every active lane loads from window + offset[lane]. All 64 offsets are valid ones (active_offsets). `offset` may be a
// row of dst: a lane's offset is read before the lane is written.
template <class Shape>
inline void gather(const uint8_t* window, const uint32_t* offset, uint64_t mask, vgpr_row* dst) {
  for_each_lane(mask, [&](int l) {
    uint32_t v[Shape::rows];
    Shape::load(window + offset[l], v);
    for (unsigned k = 0; k < Shape::rows; ++k) dst[k].lane[l] = v[k];
  });
}

#if defined(__AVX512F__)
template <>
inline void gather<dwords<1>>(const uint8_t* window, const uint32_t* offset, uint64_t mask, vgpr_row* dst) {
  for (int l = 0; l < wave_size; l += 16) {
    const auto k = static_cast<__mmask16>(mask >> l);
    if (k == 0) continue;
    const __m512i old = _mm512_load_si512(dst->lane + l);
    _mm512_store_si512(dst->lane + l, _mm512_mask_i32gather_epi32(old, k, _mm512_loadu_si512(offset + l), window, 1));
  }
}

template <>
inline void gather<dwords<2>>(const uint8_t* window, const uint32_t* offset, uint64_t mask, vgpr_row* dst) {
  const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  const __m512i odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
  const __m512i zero = _mm512_setzero_si512();
  const auto pairs = [&](int l) {
    const __m256i at = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(offset + l));
    return _mm512_mask_i32gather_epi64(zero, 0xff, at, window, 1);
  };
  for (int l = 0; l < wave_size; l += 16) {
    const auto k = static_cast<__mmask16>(mask >> l);
    if (k == 0) continue;
    const __m512i a = pairs(l), b = pairs(l + 8);
    _mm512_mask_store_epi32(dst[0].lane + l, k, _mm512_permutex2var_epi32(a, even, b));
    _mm512_mask_store_epi32(dst[1].lane + l, k, _mm512_permutex2var_epi32(a, odd, b));
  }
}

// 16 bytes per lane: 128-bit loads and a 4x4 transposition within each 128-bit slot are cheaper than four gathers.
// (The zero-masking forms of the intrinsics are the ones that gcc 12 compiles without false warnings.)
template <>
inline void gather<dwords<4>>(const uint8_t* window, const uint32_t* offset, uint64_t mask, vgpr_row* dst) {
  // Register n of a block holds the quads of lanes n, n + 4, n + 8 and n + 12.
  const auto quads = [&](int l) {
    const auto quad = [&](int m) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(window + offset[l + m])); };
    __m512i q = _mm512_zextsi128_si512(quad(0));
    q = _mm512_maskz_inserti32x4(0xffff, q, quad(4), 1);
    q = _mm512_maskz_inserti32x4(0xffff, q, quad(8), 2);
    return _mm512_maskz_inserti32x4(0xffff, q, quad(12), 3);
  };
  for (int l = 0; l < wave_size; l += 16) {
    const auto k = static_cast<__mmask16>(mask >> l);
    if (k == 0) continue;
    const __m512i a = quads(l), b = quads(l + 1), c = quads(l + 2), d = quads(l + 3);
    const __m512i ab_low = _mm512_maskz_unpacklo_epi32(0xffff, a, b),
                  ab_high = _mm512_maskz_unpackhi_epi32(0xffff, a, b);
    const __m512i cd_low = _mm512_maskz_unpacklo_epi32(0xffff, c, d),
                  cd_high = _mm512_maskz_unpackhi_epi32(0xffff, c, d);
    _mm512_mask_store_epi32(dst[0].lane + l, k, _mm512_maskz_unpacklo_epi64(0xff, ab_low, cd_low));
    _mm512_mask_store_epi32(dst[1].lane + l, k, _mm512_maskz_unpackhi_epi64(0xff, ab_low, cd_low));
    _mm512_mask_store_epi32(dst[2].lane + l, k, _mm512_maskz_unpacklo_epi64(0xff, ab_high, cd_high));
    _mm512_mask_store_epi32(dst[3].lane + l, k, _mm512_maskz_unpackhi_epi64(0xff, ab_high, cd_high));
  }
}
#endif

// Every active lane stores to window + offset[lane], lowest lane first.
template <class Shape>
inline void scatter(uint8_t* window, const uint32_t* offset, uint64_t mask, const vgpr_row* src) {
  for_each_lane(mask, [&](int l) {
    uint32_t v[Shape::rows];
    for (unsigned k = 0; k < Shape::rows; ++k) v[k] = src[k].lane[l];
    Shape::store(window + offset[l], v);
  });
}

#if defined(__AVX512F__)
// Hardware scatters keep the order of overlapping elements.
template <>
inline void scatter<dwords<2>>(uint8_t* window, const uint32_t* offset, uint64_t mask, const vgpr_row* src) {
  const __m512i first = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const __m512i second = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  const auto pairs = [&](int l, __m512i v) {
    const __m256i at = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(offset + l));
    _mm512_mask_i32scatter_epi64(window, static_cast<__mmask8>(mask >> l), at, v, 1);
  };
  for (int l = 0; l < wave_size; l += 16) {
    if ((mask >> l & 0xffff) == 0) continue;
    const __m512i low = _mm512_load_si512(src[0].lane + l), high = _mm512_load_si512(src[1].lane + l);
    pairs(l, _mm512_permutex2var_epi32(low, first, high));
    pairs(l + 8, _mm512_permutex2var_epi32(low, second, high));
  }
}

// gather<dwords<4>> backwards.
template <>
inline void scatter<dwords<4>>(uint8_t* window, const uint32_t* offset, uint64_t mask, const vgpr_row* src) {
  for (int l = 0; l < wave_size; l += 16) {
    const auto k = static_cast<uint32_t>(mask >> l & 0xffff);
    if (k == 0) continue;
    const __m512i x = _mm512_load_si512(src[0].lane + l), y = _mm512_load_si512(src[1].lane + l);
    const __m512i z = _mm512_load_si512(src[2].lane + l), w = _mm512_load_si512(src[3].lane + l);
    const __m512i xy_low = _mm512_maskz_unpacklo_epi32(0xffff, x, y),
                  xy_high = _mm512_maskz_unpackhi_epi32(0xffff, x, y);
    const __m512i zw_low = _mm512_maskz_unpacklo_epi32(0xffff, z, w),
                  zw_high = _mm512_maskz_unpackhi_epi32(0xffff, z, w);
    // Row n holds the quads of lanes n, n + 4, n + 8 and n + 12.
    alignas(64) uint32_t quads[4][16];
    _mm512_store_si512(quads[0], _mm512_maskz_unpacklo_epi64(0xff, xy_low, zw_low));
    _mm512_store_si512(quads[1], _mm512_maskz_unpackhi_epi64(0xff, xy_low, zw_low));
    _mm512_store_si512(quads[2], _mm512_maskz_unpacklo_epi64(0xff, xy_high, zw_high));
    _mm512_store_si512(quads[3], _mm512_maskz_unpackhi_epi64(0xff, xy_high, zw_high));
    for (int m = 0; m < 16; ++m)
      if ((k >> m & 1) != 0) std::memcpy(window + offset[l + m], &quads[m & 3][m & 12], 16);
  }
}
#endif

// gather() with the shortcuts for the two commonest patterns: consecutive lanes at consecutive addresses, and all lanes
// at one.
template <class Shape>
inline void load_lanes(const uint8_t* window, const uint32_t* offset, const lane_range& range, uint64_t mask,
                       vgpr_row* dst) {
  if (range.run) {
    Shape::load_run(window + range.low, dst);
  } else if (range.low == range.high) {
    uint32_t v[Shape::rows];
    Shape::load(window + range.low, v);
    for (unsigned k = 0; k < Shape::rows; ++k) fill_lanes(v[k], mask, dst[k].lane);
  } else {
    gather<Shape>(window, offset, mask, dst);
  }
}

template <class Shape>
inline void store_lanes(uint8_t* window, const uint32_t* offset, const lane_range& range, uint64_t mask,
                        const vgpr_row* src) {
  if (range.run)
    Shape::store_run(window + range.low, src);
  else
    scatter<Shape>(window, offset, mask, src);
}

// A lane's value of 32 or 64 bits.
template <class T>
inline T lane_value(const wave_state& s, unsigned row, int l) {
  if constexpr (sizeof(T) == 8)
    return s.vgpr[row].lane[l] | T{s.vgpr[row + 1].lane[l]} << 32;
  else
    return s.vgpr[row].lane[l];
}
template <class T>
inline void set_lane_value(wave_state& s, unsigned row, int l, T v) {
  s.vgpr[row].lane[l] = static_cast<uint32_t>(v);
  if constexpr (sizeof(T) == 8) s.vgpr[row + 1].lane[l] = static_cast<uint32_t>(v >> 32);
}

}  // namespace pws::isa
