// SPDX-License-Identifier: Apache-2.0
// Which of 64 contexts have something to do in this cycle: the compare that the scheduler of each unit makes in every
// cycle, for several levels of x86-64 (models/isa/levels).
#pragma once

#include <immintrin.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "models/machine/machine_config.h"

namespace pws::models {

struct due_contexts {
  uint64_t ready = 0, fetch_due = 0;  // a bit per context: its cycle in `ready_at`, in `fetch_at` has come
  cycle_t next = never;               // the first of the cycles that have not come; `never`: there is none
};

// Looks at the first `n` (1 to 64) cycles of both lists; what stands behind them does not matter. Both are aligned to
// 64 bytes and have room for 64.
using find_due = due_contexts (*)(const cycle_t* ready_at, const cycle_t* fetch_at, uint32_t n, cycle_t now);

// That of a level; nullptr: it has none of its own. The processor has to be of that level.
find_due find_due_of(const std::string& level);
// That of the level which runs here.
find_due find_due_here();

// On every processor, one after the other.
inline due_contexts find_due_by_number(const cycle_t* ready_at, const cycle_t* fetch_at, uint32_t n, cycle_t now) {
  due_contexts d;
  const auto look = [&d, n, now](const cycle_t* at) {
    uint64_t set = 0;
    for (uint32_t r = 0; r < n; ++r) {
      const bool later = at[r] > now;
      set |= uint64_t{!later} << r;
      d.next = later && at[r] < d.next ? at[r] : d.next;
    }
    return set;
  };
  d.ready = look(ready_at);
  d.fetch_due = look(fetch_at);
  return d;
}

// With AVX2. It compares signed numbers, so the highest bit of each is turned. What stands behind the first n counts as
// `never`.
__attribute__((target("avx2"))) inline due_contexts find_due_by_4(const cycle_t* ready_at, const cycle_t* fetch_at,
                                                                  uint32_t n, cycle_t now) {
  const __m256i turned = _mm256_set1_epi64x(INT64_MIN), last = _mm256_set1_epi64x(INT64_MAX);
  const __m256i limit = _mm256_set1_epi64x(static_cast<int64_t>(now ^ uint64_t{1} << 63));
  const __m256i count = _mm256_set1_epi64x(n), four = _mm256_set1_epi64x(4);
  __m256i index = _mm256_setr_epi64x(0, 1, 2, 3), next = last;
  due_contexts d;
  for (uint32_t r = 0; r < n; r += 4) {
    const __m256i used = _mm256_cmpgt_epi64(count, index);
    const __m256i ready = _mm256_xor_si256(_mm256_load_si256(reinterpret_cast<const __m256i*>(ready_at + r)), turned);
    const __m256i fetch = _mm256_xor_si256(_mm256_load_si256(reinterpret_cast<const __m256i*>(fetch_at + r)), turned);
    const __m256i not_ready = _mm256_cmpgt_epi64(ready, limit), not_fetch_due = _mm256_cmpgt_epi64(fetch, limit);
    const __m256i is_ready = _mm256_andnot_si256(not_ready, used),
                  is_fetch_due = _mm256_andnot_si256(not_fetch_due, used);
    d.ready |= static_cast<uint64_t>(_mm256_movemask_pd(_mm256_castsi256_pd(is_ready))) << r;
    d.fetch_due |= static_cast<uint64_t>(_mm256_movemask_pd(_mm256_castsi256_pd(is_fetch_due))) << r;
    const __m256i a = _mm256_blendv_epi8(last, ready, _mm256_and_si256(not_ready, used));
    const __m256i b = _mm256_blendv_epi8(last, fetch, _mm256_and_si256(not_fetch_due, used));
    const __m256i first = _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(a, b));
    next = _mm256_blendv_epi8(next, first, _mm256_cmpgt_epi64(next, first));
    index = _mm256_add_epi64(index, four);
  }
  alignas(32) int64_t lanes[4];
  _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), next);
  const int64_t first = std::min(std::min(lanes[0], lanes[1]), std::min(lanes[2], lanes[3]));
  d.next = static_cast<cycle_t>(first) ^ uint64_t { 1 } << 63;
  return d;
}

// With AVX-512.
__attribute__((target("avx512f"))) inline due_contexts find_due_by_8(const cycle_t* ready_at, const cycle_t* fetch_at,
                                                                     uint32_t n, cycle_t now) {
  const __m512i limit = _mm512_set1_epi64(static_cast<int64_t>(now));
  __m512i next = _mm512_set1_epi64(-1);
  const uint64_t used = ~uint64_t{0} >> (64 - n);
  due_contexts d;
  for (uint32_t r = 0; r < n; r += 8) {
    const auto here = static_cast<__mmask8>(used >> r);
    const __m512i ready = _mm512_load_si512(ready_at + r), fetch = _mm512_load_si512(fetch_at + r);
    const __mmask8 not_ready = _mm512_mask_cmpgt_epu64_mask(here, ready, limit);
    const __mmask8 not_fetch_due = _mm512_mask_cmpgt_epu64_mask(here, fetch, limit);
    d.ready |= static_cast<uint64_t>(here & static_cast<__mmask8>(~not_ready)) << r;
    d.fetch_due |= static_cast<uint64_t>(here & static_cast<__mmask8>(~not_fetch_due)) << r;
    next = _mm512_mask_min_epu64(next, not_ready, next, ready);
    next = _mm512_mask_min_epu64(next, not_fetch_due, next, fetch);
  }
  alignas(64) cycle_t lanes[8];
  _mm512_store_si512(lanes, next);
  for (const cycle_t lane : lanes) d.next = std::min(d.next, lane);
  return d;
}

}  // namespace pws::models
