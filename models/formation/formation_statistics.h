// What a warp scheduler counts. Plain data; the report adds the SIMD units up.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "models/isa/wave_state.h"

namespace pws::models {

struct formation_statistics {
  // ---- Formation
  uint64_t formed = 0;     // warps
  uint64_t joined = 0;     // work-items that came to a warp that others had opened
  uint64_t conflicts = 0;  // work-items that opened another warp at their PC because their home lane, or the warp, was
                           // taken
  uint64_t cuts = 0;       // paths cut because only some of their work-items found room in a warp
  uint64_t lut_hits = 0, lut_misses = 0;
  uint64_t lut_displaced = 0;   // entries that gave way to another PC; their warps grow no more
  uint64_t pool_full = 0;       // groups of work-items that waited a cycle because no warp was free
  uint64_t updates_waited = 0;  // groups that waited a cycle for an update register
  uint64_t not_counted = 0;     // groups whose PC found the majority table full
  // In use, at most and summed over issued warps.
  struct level {
    uint64_t most = 0, sum = 0;
    void sample(uint64_t now) {
      most = std::max(most, now);
      sum += now;
    }
  };
  level lut, pool, majority;

  // ---- Issue. Every cycle in which a SIMD unit has a wavefront is in one of these.
  std::array<uint64_t, isa::wave_size + 1> slots{};  // one or more issued: by the work-items that were active
  uint64_t stalled = 0;                              // warps were ready, and the unit that they needed was not
  uint64_t empty = 0;                                // no work-item was ready
  uint64_t issued = 0;                               // warps; mimd: groups of work-items at one PC
  uint64_t work_items = 0;      // instructions of work-items: active ones, summed over issued warps
  uint64_t paths = 0;           // summed over issued warps
  uint64_t bank_conflicts = 0;  // cycles that warps took longer because work-items share a home lane
  uint64_t away = 0;            // work-items that issued in a lane that is not their home lane

  uint64_t cycles() const {
    uint64_t n = stalled + empty;
    for (const uint64_t s : slots) n += s;
    return n;
  }
  // Calls `f` with every count of `a` and the same one of `b`; the most that a level had is none.
  template <class F>
  static void for_each_count(formation_statistics& a, const formation_statistics& b, F f) {
    using s = formation_statistics;
    for (uint64_t s::*m : {&s::formed, &s::joined, &s::conflicts, &s::cuts, &s::lut_hits, &s::lut_misses,
                           &s::lut_displaced, &s::pool_full, &s::updates_waited, &s::not_counted, &s::stalled,
                           &s::empty, &s::issued, &s::work_items, &s::paths, &s::bank_conflicts, &s::away})
      f(a.*m, b.*m);
    for (level s::*l : {&s::lut, &s::pool, &s::majority}) f((a.*l).sum, (b.*l).sum);
    for (size_t k = 0; k < a.slots.size(); ++k) f(a.slots[k], b.slots[k]);
  }
  formation_statistics& operator+=(const formation_statistics& o) {
    for_each_count(*this, o, [](uint64_t& to, uint64_t from) { to += from; });
    raise_levels(o);
    return *this;
  }
  void raise_levels(const formation_statistics& o) {
    for (level formation_statistics::*l :
         {&formation_statistics::lut, &formation_statistics::pool, &formation_statistics::majority})
      (this->*l).most = std::max((this->*l).most, (o.*l).most);
  }
};

}  // namespace pws::models
