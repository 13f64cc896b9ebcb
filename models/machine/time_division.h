// SPDX-License-Identifier: Apache-2.0
// Time division: who may use a shared unit when, fixed by the configuration. What a context meets then depends on
// itself alone, so every wait has a bound that no other wavefront can move (docs/predictable.md).
//
// Slots, rounds, frames and ways are the machine's definition, as plain functions of its configuration: the model is
// built from them, and the analysis of worst cases takes them from here (platform/run/program). What each makes of them
// it has for itself: the analysis uses neither issue_rounds::next nor slot_server.
#pragma once

#include <algorithm>
#include <vector>

#include "base/state_archive.h"
#include "models/machine/machine_config.h"
#include "models/machine/occupancy.h"

namespace pws::models {

// Cycles from a fetch's issue to the issue of what it brings, besides the instruction cache's latency: decode,
// scoreboard, and the fetch's own cycle.
constexpr cycle_t fetch_to_issue = 3;

// Cycles that a full-rate vector instruction occupies the VALU, and a vector memory instruction the address unit.
inline cycle_t valu_cycles(const machine_config& c) {
  return isa::wave_size / c.valu_lanes;
}

// Issue slots (schedule: tdm): each SIMD and SpSIMD unit's contexts take turns, one instruction each. An instruction
// that occupies the VALU longer than a slot goes on in the context's next slots.
struct issue_rounds {
  cycle_t slot = 0;   // cycles that a full-rate vector instruction occupies the VALU
  cycle_t round = 0;  // from a context's slot to its next: at least what a fetch takes; 0: no slots

  // Cycle of the context's first slot at `at` or later.
  cycle_t next(uint32_t context, cycle_t at) const {
    const cycle_t offset = context * slot;
    if (at <= offset) return offset;
    const cycle_t into = (at - offset) % round;
    return into == 0 ? at : at + round - into;
  }
};
// The issue rounds of this machine; it has slots only if schedule is tdm.
inline issue_rounds issue_rounds_of(const machine_config& c) {
  if (c.schedule != schedule_policy::tdm) return {};
  const cycle_t slot = valu_cycles(c);
  return {slot, std::max<cycle_t>(c.n_wfc * slot, c.memory.instruction_cache.hit_latency + fetch_to_issue)};
}

// Whose request it is: a wavefront's place among those that take turns, and which of its parts.
struct requester {
  uint32_t place = 0;
  uint32_t part = 0;  // 0: the SIMD unit's context; SpSIMD unit n's SWF: n - 1
};

// LDS of a compute unit (schedule: tdm): one pass per slot, a slot for each of its contexts in every frame.
constexpr cycle_t lds_slot = 1;

// Predictable memory (memory.arbitration: tdm): one line per slot, a slot for each context of the machine in every
// frame. Closed page: a slot goes from activate to precharged.
struct line_slots {
  cycle_t slot = 0;
  uint64_t places = 0;    // wavefront contexts that have a slot
  cycle_t way_there = 0;  // compute unit to memory
  cycle_t way_back = 0;   // beginning of the slot to data at the compute unit
};
// The line slots of this machine, if its memory is predictable.
inline line_slots line_slots_of(const machine_config& c) {
  const dram_config& d = c.memory.dram;
  const cycle_t to_data = cycle_t{d.t_rcd} + d.t_cl + d.t_burst, one_way = c.memory.interconnect.latency;
  return {to_data + d.t_rp, contexts_of_machine(c), one_way, to_data + d.extra_latency + one_way};
}
// An atomic reads in one slot and writes in the next one.
constexpr uint32_t atomic_slots = 2;

// A unit that serves one request per slot. `places` wavefronts have a slot of `slot` cycles each in every frame. A
// wavefront's requests, those of all its parts, stand in one queue in the order in which they are made; its slot goes
// to the first of them that has arrived. So none of its slots passes while a request of it waits.
class slot_server {
 public:
  slot_server(cycle_t slot, uint32_t places) : slot_(slot), frame_(slot * places), queues_(places) {}

  cycle_t frame() const { return frame_; }

  // Serves the place's next request, which arrives at `arrival`: it takes the first `slots` slots from then on that no
  // earlier request has. Returns when the last one begins. No later request arrives before `earliest`.
  cycle_t serve(uint32_t place, cycle_t earliest, cycle_t arrival, uint64_t slots) {
    queue& q = queues_[place];
    const uint64_t gone = first_slot(place, earliest);
    const auto of_no_use = [&](const range& g) { return g.end <= gone || g.begin == g.end; };
    q.gaps.erase(std::remove_if(q.gaps.begin(), q.gaps.end(), of_no_use), q.gaps.end());
    const uint64_t from = first_slot(place, arrival);
    uint64_t last = 0;
    for (size_t k = 0; k < q.gaps.size() && slots != 0; ++k) {
      const range gap = q.gaps[k];
      const uint64_t first = std::max(gap.begin, from);
      if (first >= gap.end) continue;
      const uint64_t taken = std::min(slots, gap.end - first);
      slots -= taken;
      last = first + taken - 1;
      q.gaps[k].end = first;
      if (last + 1 != gap.end) q.gaps.insert(q.gaps.begin() + static_cast<std::ptrdiff_t>(++k), {last + 1, gap.end});
    }
    if (slots != 0) {
      const uint64_t first = std::max(q.end, from);
      if (first != q.end) q.gaps.push_back({q.end, first});
      q.end = first + slots;
      last = q.end - 1;
    }
    return slot_ * place + last * frame_;
  }

  // Its state, saved or restored.
  void keep(state_archive& a) {
    for (queue& q : queues_) {
      a(q.end);
      a.list(q.gaps, [](state_archive& b, range& g) { b(g.begin, g.end); });
    }
  }

 private:
  // Slots of one place, by number.
  struct range {
    uint64_t begin = 0, end = 0;
  };
  struct queue {
    uint64_t end = 0;         // the first slot behind all that are taken
    std::vector<range> gaps;  // before it, not taken, in order
  };
  // The place's first slot that begins at `at` or later.
  uint64_t first_slot(uint32_t place, cycle_t at) const {
    const cycle_t offset = slot_ * place;
    return at <= offset ? 0 : (at - offset + frame_ - 1) / frame_;
  }

  cycle_t slot_, frame_;
  std::vector<queue> queues_;  // by place
};

}  // namespace pws::models
