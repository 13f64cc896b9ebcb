// SPDX-License-Identifier: Apache-2.0
// When an instruction can issue and how long it takes, as far as that is the same for every front end.
#pragma once

#include <algorithm>

#include "models/context/front_end.h"
#include "models/isa/inst.h"
#include "models/machine/machine_config.h"

namespace pws::models {

// Bytes that arrive in one cycle are decoded in the next and pass the scoreboard in the one after.
constexpr cycle_t decode_depth = 2;

// The first cycle at which an instruction can issue, and what it waits for longest.
struct issue_time {
  cycle_t at;
  stall reason = stall::other;
  void wait_for(cycle_t until, stall why) {
    if (until <= at) return;
    at = until;
    reason = why;
  }
};

// The s_waitcnt counters that an instruction waits for: it issues when no more than that many operations are
// outstanding.
struct counter_limits {
  unsigned vm = any, lgkm = any;
  static constexpr unsigned any = ~0u;
};
inline bool uses_counters(const isa::inst& i) {
  return i.unit == isa::unit::waitcnt || i.is_memory();
}
inline counter_limits counter_limits_of(const isa::inst& i) {
  constexpr unsigned one_more = outstanding::capacity - 1;
  switch (i.unit) {
    case isa::unit::waitcnt: {
      const isa::waitcnt_fields w = isa::waitcnt(i);  // expcnt: stores read their data when they issue
      return {w.vmcnt, w.lgkmcnt};
    }
    case isa::unit::vector_memory:  // FLAT may count with both
      return {one_more, one_more};
    default:
      return {counter_limits::any, one_more};
  }
}
// First cycle at which an instruction that uses counters may issue: `counters` are a path's own or those that its slot
// sees.
template <class Counters>
cycle_t counters_ready(const Counters& counters, const isa::inst& i) {
  const counter_limits limit = counter_limits_of(i);
  return std::max(counters.vm_at_most(limit.vm), counters.lgkm_at_most(limit.lgkm));
}

// By what its path itself knows: the instruction before allows it from `earliest` on and leaves that in MODE, and its
// bytes are here from `here` on (0: they were in the buffer).
inline issue_time issue_time_of(const front_end& f, const isa::inst& i, uint32_t mode, cycle_t earliest, cycle_t here) {
  issue_time t{earliest};
  t.wait_for(here == 0 ? 0 : here + decode_depth, stall::fetch);
  if (f.results.all_ready() > t.at) t.wait_for(f.results.ready(i, mode), stall::operand);
  if (uses_counters(i)) t.wait_for(counters_ready(f, i), stall::memory);
  return t;
}

// What a vector ALU instruction takes: passes of the whole wavefront or warp through the ALU, and cycles from issue to
// result.
struct vector_alu_time {
  uint32_t passes, latency;
};
inline vector_alu_time vector_alu_time_of(const isa::inst& i, const latency_config& l) {
  switch (i.unit) {
    case isa::unit::valu_trans:
      return {4, l.valu_trans};
    case isa::unit::valu_f64:
      return {2, l.valu_f64};
    default:
      return {1, l.valu};
  }
}

}  // namespace pws::models
