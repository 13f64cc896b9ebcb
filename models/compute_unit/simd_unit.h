// A SIMD unit: its wavefront contexts, vector register file, and vector and scalar ALU. An SpSIMD unit is the same
// module without vector registers: its contexts (SWF contexts) run SWFs of its SIMD unit's wavefronts and use that
// unit's vector register file (PWS paper, Fig. 4). Contexts and registers are the context_file's; what the schedulers
// look at is here.
#pragma once

#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <systemc>
#include <vector>

#include "models/compute_unit/issue_port.h"
#include "models/context/context_file.h"

namespace pws::models {

class spsimd_executor;

class simd_unit : public sc_core::sc_module, public context_file {
 public:
  simd_unit(const sc_core::sc_module_name& name, const machine_config& c, const place& where, cycle_t& attention_slot);

  void release(wf_context& context);

  uint64_t valu_busy = 0;      // cycles
  uint64_t swf_occupancy = 0;  // context cycles of SWFs that have left

  // What the scheduler looks at in every cycle, by rank and side by side, so that looking is a few vector operations.
  static constexpr size_t max_contexts = 64;
  alignas(64) std::array<cycle_t, max_contexts> ready_at;  // the next instruction can issue, its port being free;
                                                           // `never`: unknown
  alignas(64) std::array<cycle_t, max_contexts> fetch_at;  // the context asks for its next fetch
  using rank_set = uint64_t;                               // a bit per rank
  std::array<rank_set, static_cast<size_t>(issue_port::count)>
      wanting{};  // the port of each context's next instruction
  std::array<cycle_t, static_cast<size_t>(issue_port::count)> port_free{};  // from when a port takes an instruction
  cycle_t fetch_free = 0;
  uint32_t turn = 0;  // round-robin: rank that is looked at first
  cycle_t& attention;
  spsimd_executor* executor = nullptr;  // in place of the model, or beside it

  // The context's next instruction goes to port `p` and can issue from `at` on.
  void set_ready(const wf_context& c, issue_port p, cycle_t at) {
    const rank_set bit = rank_set{1} << c.rank;
    for (rank_set& w : wanting) w &= ~bit;
    wanting[static_cast<size_t>(p)] |= bit;
    ready_at[c.rank] = at;
    attention = std::min(attention, std::max(at, port_free[static_cast<size_t>(p)]));
  }
  void set_not_ready(const wf_context& c) { ready_at[c.rank] = never; }
  void set_fetch(const wf_context& c, cycle_t at) {
    fetch_at[c.rank] = at;
    attention = std::min(attention, at);
  }
  // Ranks whose cycle in `at` has come; `next` is lowered to the first of the others.
  rank_set due(const std::array<cycle_t, max_contexts>& at, cycle_t now, cycle_t& next) const;

  void busy(issue_port p, cycle_t until) { port_free[static_cast<size_t>(p)] = until; }
  bool is_busy(issue_port p, cycle_t now) const { return port_free[static_cast<size_t>(p)] > now; }
};

inline simd_unit::rank_set simd_unit::due(const std::array<cycle_t, max_contexts>& at, cycle_t now,
                                          cycle_t& next) const {
  const size_t n = order.size();
  rank_set set = 0;
#ifdef __AVX512F__
  __m512i first = _mm512_set1_epi64(static_cast<long long>(next));
  const __m512i limit = _mm512_set1_epi64(static_cast<long long>(now));
  for (size_t r = 0; r < n; r += 8) {
    const __m512i v = _mm512_load_si512(&at[r]);
    const __mmask8 later = _mm512_cmpgt_epu64_mask(v, limit);
    set |= rank_set{static_cast<uint8_t>(~later)} << r;
    first = _mm512_mask_min_epu64(first, later, first, v);
  }
  alignas(64) std::array<cycle_t, 8> firsts;
  _mm512_store_si512(firsts.data(), first);
  for (const cycle_t f : firsts) next = std::min(next, f);
#else
  for (size_t r = 0; r < n; ++r) {
    const bool later = at[r] > now;
    set |= rank_set{!later} << r;
    next = later && at[r] < next ? at[r] : next;
  }
#endif
  return set;
}

}  // namespace pws::models
