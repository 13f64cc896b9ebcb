// SPDX-License-Identifier: Apache-2.0
// What the scheduler of a SIMD or SpSIMD unit looks at in every cycle: from when each context can issue, and to which
// port, and from when it fetches. By rank and side by side, so that looking is a few vector operations; in blocks of
// 64, so that a unit may have many contexts.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "models/compute_unit/due_contexts.h"
#include "models/compute_unit/rank_set.h"
#include "models/isa/inst.h"
#include "models/machine/ids.h"
#include "models/machine/occupancy.h"

namespace pws::models {

// Where an instruction issues to: one instruction per cycle each, but for `none`, which needs no unit. The three vector
// rates share the VALU, branches go through the SALU; memory and LDS are the compute unit's.
enum class issue_port : uint8_t { valu, salu, scalar_memory, vector_memory, lds, none, count };
constexpr issue_port port_of(isa::unit u) {
  switch (u) {
    case isa::unit::valu:
    case isa::unit::valu_trans:
    case isa::unit::valu_f64:
      return issue_port::valu;
    case isa::unit::salu:
    case isa::unit::branch:
    case isa::unit::split:
    case isa::unit::merge:
      return issue_port::salu;
    case isa::unit::scalar_memory:
      return issue_port::scalar_memory;
    case isa::unit::vector_memory:
      return issue_port::vector_memory;
    case isa::unit::lds:
      return issue_port::lds;
    default:
      return issue_port::none;
  }
}

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
    for (uint64_t& w : b.issuing_to) w &= ~bit;
    b.issuing_to[static_cast<size_t>(p)] |= bit;
    b.ready_at[r.value % block_size] = at;
  }
  void set_not_ready(context_rank r) { of(r).ready_at[r.value % block_size] = never; }
  void set_fetch(context_rank r, cycle_t at) { of(r).fetch_at[r.value % block_size] = at; }
  // The context of this rank has left: those that came after it move up.
  void remove(context_rank r);

  // Finds who of the `in_use` contexts is ready in this cycle and who fetches. Returns the first cycle at which another
  // one will be or will do so. What changes afterwards changes neither set.
  template <uint32_t words>
  cycle_t look(uint32_t in_use, cycle_t now, rank_set<words>& ready, rank_set<words>& fetch_due) const;
  // Those of `ranks` that want this port.
  template <uint32_t words>
  rank_set<words> issuing_to(issue_port p, const rank_set<words>& ranks) const;

  uint32_t turn = 0;  // round-robin: rank that is looked at first

 private:
  static constexpr uint32_t block_size = rank_set<1>::word_bits;
  struct block {
    alignas(64) std::array<cycle_t, block_size> ready_at;
    alignas(64) std::array<cycle_t, block_size> fetch_at;
    // By the port of the next instruction.
    std::array<uint64_t, static_cast<size_t>(issue_port::count)> issuing_to{};
  };
  block& of(context_rank r) { return blocks_[r.value / block_size]; }
  const block& of(context_rank r) const { return blocks_[r.value / block_size]; }
  // In a build for one processor alone the compiler puts the code of that one in place; else there is a call.
  due_contexts due(const block& b, uint32_t n, cycle_t now) const {
#if defined(__AVX512F__)
    return find_due_by_8(b.ready_at.data(), b.fetch_at.data(), n, now);
#elif defined(__AVX2__)
    return find_due_by_4(b.ready_at.data(), b.fetch_at.data(), n, now);
#else
    return find_due_(b.ready_at.data(), b.fetch_at.data(), n, now);
#endif
  }

  std::vector<block> blocks_;
  [[maybe_unused]] find_due find_due_ = find_due_here();
};

template <uint32_t words>
inline cycle_t schedule_table::look(uint32_t in_use, cycle_t now, rank_set<words>& ready,
                                    rank_set<words>& fetch_due) const {
  cycle_t next = never;
  for (uint32_t k = 0; k < words && in_use != 0; ++k) {
    const uint32_t n = std::min(in_use, block_size);
    const due_contexts d = due(blocks_[k], n, now);
    ready[k] = d.ready;
    fetch_due[k] = d.fetch_due;
    next = std::min(next, d.next);
    in_use -= n;
  }
  return next;
}

template <uint32_t words>
inline rank_set<words> schedule_table::issuing_to(issue_port p, const rank_set<words>& ranks) const {
  rank_set<words> set;
  const uint32_t blocks = words == 1 ? 1 : static_cast<uint32_t>(blocks_.size());
  for (uint32_t k = 0; k < blocks; ++k) set[k] = ranks[k] & blocks_[k].issuing_to[static_cast<size_t>(p)];
  return set;
}

}  // namespace pws::models
