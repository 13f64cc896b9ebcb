// SPDX-License-Identifier: Apache-2.0
// Counts the instructions of a machine as they begin, and picks the few of which an observer wants to hear: those from
// a position on, and those at some addresses. For the others nobody is called, so an engine may run as if nobody
// listened.
#pragma once

#include <algorithm>
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
  // What has begun is to be known while an instruction executes, too, and not only when it hears of one, of a path or
  // of a fault.
  void ask_always(bool asks) { asks_always_ = asks; }

  // ---- What has begun. While the observer hears of an instruction, that one has not

  uint64_t begun() const { return begun_; }
  uint64_t latest_pc() const { return latest_pc_; }  // of the latest one
  cycle_t latest_at() const { return latest_at_; }   // timing fidelity: when it has
  // None has: for a machine that is new.
  void restart() { begun_ = latest_pc_ = latest_at_ = 0; }

  // ---- For engines

  // So many of the next instructions may begin without a word, and be counted when they have. Those from which it asks
  // may come earlier by then, at most by `most_quiet`.
  static constexpr uint64_t most_quiet = 4096;
  uint64_t quiet() const {
    const uint64_t from = from_.load(std::memory_order_relaxed);
    return asks_always_ || has_places_ || from <= begun_ ? 0 : std::min(from - begun_, most_quiet);
  }
  // So many have begun in `c`; nullptr: the address of the latest one is not known.
  void have_begun(wf_context& c, uint64_t count, const isa::inst* latest) {
    c.begun = begun_ += count;
    if (latest != nullptr) latest_pc_ = latest->pc;
  }
  // `i` begins in `c`. The observer hears before if it asks for that.
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
  bool asks_always_ = false, has_places_ = false;
  std::array<bool, n_places> places_{};  // by address, modulo as many dwords
};

}  // namespace pws::models
