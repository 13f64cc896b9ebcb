// SPDX-License-Identifier: Apache-2.0
// Transactions in order of the cycle at which they arrive, however early the call that announced them was made.
// A component with several initiators needs it: calls carry annotated delays and come out of order.
#pragma once

#include <algorithm>
#include <tlm>
#include <vector>

#include "models/machine/machine_config.h"

namespace pws::models {

class arrival_queue {
 public:
  bool empty() const { return heap_.empty(); }
  size_t size() const { return heap_.size(); }
  cycle_t next() const { return heap_.front().cycle; }
  // Requests for the same cycle are served by port, the lowest first, and those of one port in the order in which they
  // were announced. The order of announcements over all ports does not count: it depends on how far initiators run
  // ahead.
  void push(tlm::tlm_generic_payload& t, cycle_t cycle, uint32_t port) {
    heap_.push_back({cycle, port, sequence_++, &t});
    std::push_heap(heap_.begin(), heap_.end(), later);
  }
  // Takes the earliest out.
  tlm::tlm_generic_payload& pop() {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    tlm::tlm_generic_payload* t = heap_.back().trans;
    heap_.pop_back();
    return *t;
  }

 private:
  struct item {
    cycle_t cycle;
    uint32_t port;
    uint64_t sequence;
    tlm::tlm_generic_payload* trans;
  };
  static bool later(const item& a, const item& b) {
    if (a.cycle != b.cycle) return a.cycle > b.cycle;
    return a.port != b.port ? a.port > b.port : a.sequence > b.sequence;
  }
  std::vector<item> heap_;
  uint64_t sequence_ = 0;
};

}  // namespace pws::models
