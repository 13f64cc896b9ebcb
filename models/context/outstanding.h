// The memory operations of one context that its s_waitcnt counters count (GCN3 ISA, "S_WAITCNT"). An entry holds the
// cycle at which the operation completes once that is known; a counter's value at a cycle is the number of entries not
// complete by then.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/machine/machine_config.h"

namespace pws::models {

class outstanding {
 public:
  // Both counters are four bits wide on GCN3; an instruction that would count to 16 waits before it issues.
  static constexpr unsigned capacity = 15;
  enum class order : uint8_t {
    in_order,  // vmcnt: an operation counts as complete when all before it are
    any        // lgkmcnt: LDS and scalar memory overtake each other
  };
  explicit outstanding(order o) : order_(o) {}

  bool full() const { return count_ >= capacity; }
  unsigned count() const { return count_; }
  // Adds an operation; its completion is given later by complete(), with the returned slot.
  unsigned add() {
    unsigned slot = tail_;
    while (used_ & (1u << slot)) slot = (slot + 1) % slots;
    tail_ = (slot + 1) % slots;
    used_ |= 1u << slot;
    done_[slot] = never;
    fifo_[count_++] = static_cast<uint8_t>(slot);
    return slot;
  }
  void complete(unsigned slot, cycle_t at) { done_[slot] = at; }

  // Forgets operations that are complete at `now`.
  void retire(cycle_t now) {
    unsigned kept = 0;
    bool blocked = false;
    for (unsigned i = 0; i < count_; ++i) {
      const unsigned slot = fifo_[i];
      if (!blocked && done_[slot] <= now) {
        used_ &= ~(1u << slot);
      } else {
        fifo_[kept++] = static_cast<uint8_t>(slot);
        blocked = order_ == order::in_order;
      }
    }
    count_ = kept;
  }

  // First cycle at which at most `limit` operations are outstanding; `never` while that is not known.
  cycle_t when_at_most(unsigned limit) const {
    if (count_ <= limit) return 0;
    const unsigned must_finish = count_ - limit;
    if (order_ == order::in_order) {
      cycle_t latest = 0;
      for (unsigned i = 0; i < must_finish; ++i) latest = std::max(latest, done_[fifo_[i]]);
      return latest;
    }
    std::array<cycle_t, slots> sorted;
    for (unsigned i = 0; i < count_; ++i) sorted[i] = done_[fifo_[i]];
    std::nth_element(sorted.begin(), sorted.begin() + must_finish - 1, sorted.begin() + count_);
    return sorted[must_finish - 1];
  }
  void clear() {
    count_ = 0;
    used_ = 0;
    tail_ = 0;
  }

 private:
  static constexpr unsigned slots = 16;
  order order_;
  std::array<cycle_t, slots> done_{};
  std::array<uint8_t, slots> fifo_{};
  uint32_t used_ = 0;
  unsigned tail_ = 0;
  unsigned count_ = 0;
};

}  // namespace pws::models
