// Time division: who may use a shared unit when, fixed by the configuration. What a context meets then depends on
// itself alone, so every wait has a bound that no other wavefront can move (docs/predictable.md).
//
// Slots, rounds, frames and ways are the machine's definition, as plain functions of its configuration: the model is
// built from them, and the analysis of worst cases takes them from here (platform/timing). What each makes of them it
// has for itself: the analysis uses neither issue_rounds::next nor slot_server.
#pragma once

#include <algorithm>
#include <vector>

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
inline issue_rounds issue_rounds_of(const machine_config& c) {
  if (c.schedule != schedule_policy::tdm) return {};
  const cycle_t slot = valu_cycles(c);
  return {slot, std::max<cycle_t>(c.n_wfc * slot, c.memory.instruction_cache.hit_latency + fetch_to_issue)};
}

// Whose request it is: a wavefront's place among those that take turns, and while it is split which of its parts.
struct requester {
  uint32_t place = 0;
  uint32_t part = 0;   // 0: the SIMD unit's context; SpSIMD unit n's SWF: n - 1
  bool split = false;  // the wavefront has several parts: they take its slots in turn
};

// Parts that share a wavefront's slots while it is split: itself and its SWFs on SpSIMD units, or in its second slot
// (dpe). SWFs in wavefront contexts (dws) have slots of their own.
inline uint32_t parts_of_wavefront(const machine_config& c) {
  return contexts_per_wavefront(c) + std::min(spsimds_per_simd(c), c.split_points);
}

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
inline line_slots line_slots_of(const machine_config& c) {
  const dram_config& d = c.memory.dram;
  const cycle_t to_data = cycle_t{d.t_rcd} + d.t_cl + d.t_burst, one_way = c.memory.interconnect.latency;
  return {to_data + d.t_rp, contexts_of_machine(c), one_way, to_data + d.extra_latency + one_way};
}
// An atomic reads in one slot and writes in the next one.
constexpr uint32_t atomic_slots = 2;

// A unit that serves one request per slot. `places` wavefronts have a slot of `slot` cycles each in every frame.
class slot_server {
 public:
  slot_server(cycle_t slot, uint32_t places, uint32_t parts)
      : slot_(slot), frame_(slot * places), parts_(parts), next_(size_t{places} * parts, 0) {}

  cycle_t frame() const { return frame_; }
  uint32_t parts() const { return parts_; }

  // Takes the requester's first `slots` slots from `arrival` on that it has not taken yet, and returns when the last
  // one begins.
  cycle_t serve(const requester& r, cycle_t arrival, uint64_t slots) {
    const cycle_t period = r.split ? frame_ * parts_ : frame_;
    const cycle_t offset = slot_ * r.place + (r.split ? frame_ * r.part : 0);
    cycle_t& next = next_[size_t{r.place} * parts_ + r.part];
    const cycle_t from = std::max(arrival, next);
    const cycle_t into = from > offset ? (from - offset) % period : 0;
    const cycle_t first = from <= offset ? offset : into == 0 ? from : from + period - into;
    const cycle_t last = first + (slots - 1) * period;
    next = last + 1;
    return last;
  }

 private:
  cycle_t slot_, frame_;
  uint32_t parts_;
  std::vector<cycle_t> next_;  // by place and part: the first cycle that is not taken
};

}  // namespace pws::models
