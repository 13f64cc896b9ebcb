// SPDX-License-Identifier: Apache-2.0
// What a warp scheduler counts. Plain data; the report adds the SIMD units up.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "models/isa/wave_state.h"
#include "models/machine/counter_list.h"

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
  // Slots in which from `first` to `last` work-items were active.
  uint64_t slots_with(uint32_t first, uint32_t last) const {
    uint64_t n = 0;
    for (uint32_t k = first; k <= last; ++k) n += slots[k];
    return n;
  }

  static const counter_list<formation_statistics>& rows();
};

}  // namespace pws::models
