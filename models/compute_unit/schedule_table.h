// What the scheduler of a SIMD or SpSIMD unit looks at in every cycle: from when each context can issue, and to which
// port, and from when it fetches. By rank and side by side, so that looking is a few vector operations; in blocks of
// 64, so that a unit may have many contexts.
#pragma once

#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "models/compute_unit/issue_port.h"
#include "models/compute_unit/rank_set.h"
#include "models/machine/ids.h"
#include "models/machine/occupancy.h"

namespace pws::models {

class schedule_table {
 public:
  // The words of a rank_set for the largest unit.
  static constexpr uint32_t most_words = most_contexts_per_unit / rank_set<1>::word_bits;

  // At most 64 * most_words contexts.
  explicit schedule_table(uint32_t contexts);

  // The next instruction can issue, its port being free; `never`: not known.
  cycle_t ready_at(context_rank r) const { return of(r).ready_at[r.value % block_size]; }
  // The context asks for its next fetch.
  cycle_t fetch_at(context_rank r) const { return of(r).fetch_at[r.value % block_size]; }

  void set_ready(context_rank r, issue_port p, cycle_t at) {
    block& b = of(r);
    const uint64_t bit = uint64_t{1} << r.value % block_size;
    for (uint64_t& w : b.wanting) w &= ~bit;
    b.wanting[static_cast<size_t>(p)] |= bit;
    b.ready_at[r.value % block_size] = at;
  }
  void set_not_ready(context_rank r) { of(r).ready_at[r.value % block_size] = never; }
  void set_fetch(context_rank r, cycle_t at) { of(r).fetch_at[r.value % block_size] = at; }
  // The context of this rank has left: those that came after it move up.
  void remove(context_rank r);

  // Finds who of the `in_use` contexts is ready in this cycle and who fetches. Returns the first cycle at which another
  // one will be or will do so. What changes afterwards changes neither set.
  template <uint32_t words>
  cycle_t look(uint32_t in_use, cycle_t now, rank_set<words>& ready, rank_set<words>& hungry) const;
  // Those of `ranks` that want this port.
  template <uint32_t words>
  rank_set<words> wanting(issue_port p, const rank_set<words>& ranks) const;

  uint32_t turn = 0;  // round-robin: rank that is looked at first

 private:
  static constexpr uint32_t block_size = rank_set<1>::word_bits;
  struct block {
    alignas(64) std::array<cycle_t, block_size> ready_at;
    alignas(64) std::array<cycle_t, block_size> fetch_at;
    // By the port of the next instruction.
    std::array<uint64_t, static_cast<size_t>(issue_port::count)> wanting{};
  };
  block& of(context_rank r) { return blocks_[r.value / block_size]; }
  const block& of(context_rank r) const { return blocks_[r.value / block_size]; }
  // The first of many cycles.
  struct first_cycle {
#ifdef __AVX512F__
    __m512i of_lanes = _mm512_set1_epi64(static_cast<long long>(never));
    cycle_t get() const {
      alignas(64) std::array<cycle_t, 8> lanes;
      _mm512_store_si512(lanes.data(), of_lanes);
      cycle_t first = lanes[0];
      for (const cycle_t l : lanes) first = std::min(first, l);
      return first;
    }
#else
    cycle_t cycle = never;
    cycle_t get() const {
      return cycle;
    }
#endif
  };
  // Ranks of the first `n` whose cycle in `at` has come; `next` is lowered to the first of the others.
  static uint64_t due(const std::array<cycle_t, block_size>& at, uint32_t n, cycle_t now, first_cycle& next);

  std::vector<block> blocks_;
};

inline uint64_t schedule_table::due(const std::array<cycle_t, block_size>& at, uint32_t n, cycle_t now,
                                    first_cycle& next) {
  uint64_t set = 0;
#ifdef __AVX512F__
  const __m512i limit = _mm512_set1_epi64(static_cast<long long>(now));
  for (uint32_t r = 0; r < n; r += 8) {
    const __m512i v = _mm512_load_si512(&at[r]);
    const __mmask8 later = _mm512_cmpgt_epu64_mask(v, limit);
    set |= uint64_t{static_cast<uint8_t>(~later)} << r;
    next.of_lanes = _mm512_mask_min_epu64(next.of_lanes, later, next.of_lanes, v);
  }
#else
  for (uint32_t r = 0; r < n; ++r) {
    const bool later = at[r] > now;
    set |= uint64_t{!later} << r;
    next.cycle = later && at[r] < next.cycle ? at[r] : next.cycle;
  }
#endif
  return set;
}

template <uint32_t words>
inline cycle_t schedule_table::look(uint32_t in_use, cycle_t now, rank_set<words>& ready,
                                    rank_set<words>& hungry) const {
  first_cycle next;
  for (uint32_t k = 0; k < words && in_use != 0; ++k) {
    const uint32_t n = std::min(in_use, block_size);
    ready[k] = due(blocks_[k].ready_at, n, now, next);
    hungry[k] = due(blocks_[k].fetch_at, n, now, next);
    in_use -= n;
  }
  return next.get();
}

template <uint32_t words>
inline rank_set<words> schedule_table::wanting(issue_port p, const rank_set<words>& ranks) const {
  rank_set<words> set;
  const uint32_t blocks = words == 1 ? 1 : static_cast<uint32_t>(blocks_.size());
  for (uint32_t k = 0; k < blocks; ++k) set[k] = ranks[k] & blocks_[k].wanting[static_cast<size_t>(p)];
  return set;
}

}  // namespace pws::models
