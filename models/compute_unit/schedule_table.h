// What the scheduler of a SIMD or SpSIMD unit looks at in every cycle: from when each context can issue, and to which
// port, and from when it fetches. By rank and side by side, so that looking is a few vector operations; in blocks of
// 64, so that a unit may have any number of contexts.
#pragma once

#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "models/compute_unit/issue_port.h"
#include "models/machine/ids.h"

namespace pws::models {

class schedule_table {
 public:
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

  // Begins a cycle: finds who of the `in_use` contexts is ready and who fetches. Returns the first cycle at which
  // another one will be or will do so.
  cycle_t look(uint32_t in_use, cycle_t now);
  // Those found ready that want this port are the candidates now. What changes in this cycle changes neither. True if
  // there are any.
  bool choose(issue_port p);
  bool any_candidate() const;
  // Takes the first candidate from rank `from` on, or else the first of all, out of candidates and of those found
  // ready. There is one.
  context_rank take(uint32_t from);
  // Takes the next of those found to fetch, oldest first. False if there is none.
  bool take_hungry(context_rank& r);

  uint32_t turn = 0;  // round-robin: rank that is looked at first

 private:
  static constexpr uint32_t block_size = 64;
  struct block {
    alignas(64) std::array<cycle_t, block_size> ready_at;
    alignas(64) std::array<cycle_t, block_size> fetch_at;
    std::array<uint64_t, static_cast<size_t>(issue_port::count)> wanting{};  // by the port of the next instruction
    uint64_t ready = 0, hungry = 0, candidates = 0;                          // in this cycle
  };
  block& of(context_rank r) { return blocks_[r.value / block_size]; }
  const block& of(context_rank r) const { return blocks_[r.value / block_size]; }
  // Ranks of the first `n` whose cycle in `at` has come; `next` is lowered to the first of the others.
  static uint64_t due(const std::array<cycle_t, block_size>& at, uint32_t n, cycle_t now, cycle_t& next);

  std::vector<block> blocks_;
  size_t looked_at_ = 0;  // blocks that have contexts in use
};

inline uint64_t schedule_table::due(const std::array<cycle_t, block_size>& at, uint32_t n, cycle_t now, cycle_t& next) {
  uint64_t set = 0;
#ifdef __AVX512F__
  __m512i first = _mm512_set1_epi64(static_cast<long long>(next));
  const __m512i limit = _mm512_set1_epi64(static_cast<long long>(now));
  for (uint32_t r = 0; r < n; r += 8) {
    const __m512i v = _mm512_load_si512(&at[r]);
    const __mmask8 later = _mm512_cmpgt_epu64_mask(v, limit);
    set |= uint64_t{static_cast<uint8_t>(~later)} << r;
    first = _mm512_mask_min_epu64(first, later, first, v);
  }
  alignas(64) std::array<cycle_t, 8> firsts;
  _mm512_store_si512(firsts.data(), first);
  for (const cycle_t f : firsts) next = std::min(next, f);
#else
  for (uint32_t r = 0; r < n; ++r) {
    const bool later = at[r] > now;
    set |= uint64_t{!later} << r;
    next = later && at[r] < next ? at[r] : next;
  }
#endif
  return set;
}

inline cycle_t schedule_table::look(uint32_t in_use, cycle_t now) {
  cycle_t next = never;
  looked_at_ = (in_use + block_size - 1) / block_size;
  for (size_t k = 0; k < looked_at_; ++k, in_use -= block_size) {
    block& b = blocks_[k];
    const uint32_t n = std::min(in_use, block_size);
    b.ready = due(b.ready_at, n, now, next);
    b.hungry = due(b.fetch_at, n, now, next);
  }
  return next;
}

inline bool schedule_table::choose(issue_port p) {
  uint64_t any = 0;
  for (size_t k = 0; k < looked_at_; ++k) {
    block& b = blocks_[k];
    any |= b.candidates = b.ready & b.wanting[static_cast<size_t>(p)];
  }
  return any != 0;
}

inline bool schedule_table::any_candidate() const {
  uint64_t any = 0;
  for (size_t k = 0; k < looked_at_; ++k) any |= blocks_[k].candidates;
  return any != 0;
}

inline context_rank schedule_table::take(uint32_t from) {
  size_t k = from / block_size;
  uint64_t left = k < looked_at_ ? blocks_[k].candidates & ~uint64_t{0} << from % block_size : 0;
  while (left == 0) {
    if (++k >= looked_at_) k = 0;
    left = blocks_[k].candidates;
  }
  const uint64_t bit = left & -left;
  blocks_[k].candidates &= ~bit;
  blocks_[k].ready &= ~bit;
  return context_rank(static_cast<uint32_t>(k * block_size) + static_cast<uint32_t>(__builtin_ctzll(bit)));
}

inline bool schedule_table::take_hungry(context_rank& r) {
  for (size_t k = 0; k < looked_at_; ++k) {
    uint64_t& left = blocks_[k].hungry;
    if (left == 0) continue;
    r = context_rank(static_cast<uint32_t>(k * block_size) + static_cast<uint32_t>(__builtin_ctzll(left)));
    left &= left - 1;
    return true;
  }
  return false;
}

}  // namespace pws::models
