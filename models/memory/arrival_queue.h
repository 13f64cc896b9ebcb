// Transactions in order of the cycle at which they arrive, however early the call that announced them was made.
// A component with several initiators needs it: calls carry annotated delays and come out of order.
#pragma once

#include <algorithm>
#include <tlm>
#include <vector>

#include "models/machine_config.h"

namespace pws::models {

class arrival_queue {
 public:
  bool empty() const { return heap_.empty(); }
  size_t size() const { return heap_.size(); }
  cycle_t next() const { return heap_.front().cycle; }
  void push(tlm::tlm_generic_payload& t, cycle_t cycle) {
    heap_.push_back({cycle, sequence_++, &t});
    std::push_heap(heap_.begin(), heap_.end(), later);
  }
  tlm::tlm_generic_payload& pop() {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    tlm::tlm_generic_payload* t = heap_.back().trans;
    heap_.pop_back();
    return *t;
  }

 private:
  struct item {
    cycle_t cycle;
    uint64_t sequence;  // equal cycles: first announced, first served; keeps runs deterministic
    tlm::tlm_generic_payload* trans;
  };
  static bool later(const item& a, const item& b) {
    return a.cycle != b.cycle ? a.cycle > b.cycle : a.sequence > b.sequence;
  }
  std::vector<item> heap_;
  uint64_t sequence_ = 0;
};

}  // namespace pws::models
