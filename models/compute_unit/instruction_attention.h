// SPDX-License-Identifier: Apache-2.0
// Counts the instructions of a machine as they begin, and picks the few of which an observer wants to hear: those from
// a position on, and those at some addresses. For the others nobody is called, so an engine may run as if nobody
// listened.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "models/compute_unit/execution_observer.h"
#include "models/context/wf_context.h"
#include "models/isa/inst.h"

namespace pws::models {

class instruction_attention {
 public:
  explicit instruction_attention(execution_observer& o) : observer_(o) {}

  // ---- What the observer asks for: it hears issuing() of those

  // All from this position on, which is how many have begun before. Also from signal handlers and other threads.
  void ask_from(uint64_t position) { from_ = position; }
  // Those at these addresses, in place of the ones before. It may hear of a few more.
  void ask_at(const std::vector<uint64_t>& addresses);

  // ---- What has begun. While the observer hears of an instruction, that one has not

  uint64_t begun() const { return begun_; }
  uint64_t latest_pc() const { return latest_pc_; }  // of the latest one
  cycle_t latest_at() const { return latest_at_; }   // timing fidelity: when it has
  // None has: for a machine that is new.
  void restart() { begun_ = latest_pc_ = latest_at_ = 0; }

  // ---- For engines: `i` begins in `c`. The observer hears before if it asks for that
  template <bool timed>
  void issues(uint32_t cu, wf_context& c, const isa::inst& i, cycle_t at) {
    if (asks_for(i.pc)) tell(cu, c, i, at);
    c.begun = ++begun_;
    latest_pc_ = i.pc;
    if (timed) latest_at_ = at;
  }

 private:
  // Apart, so that the engine's loop is short.
  [[gnu::cold]] void tell(uint32_t cu, const wf_context& c, const isa::inst& i, cycle_t at);
  bool asks_for(uint64_t pc) const {
    // Few are asked for by either.
    return __builtin_expect(begun_ >= from_.load(std::memory_order_relaxed), 0) ||
           __builtin_expect(places_[place_of(pc)], 0);
  }
  static constexpr size_t n_places = 4096;
  static size_t place_of(uint64_t pc) { return pc / sizeof(uint32_t) % n_places; }

  execution_observer& observer_;
  uint64_t begun_ = 0, latest_pc_ = 0;
  cycle_t latest_at_ = 0;
  std::atomic<uint64_t> from_{never};
  std::array<bool, n_places> places_{};  // by address, modulo as many dwords
};

}  // namespace pws::models
