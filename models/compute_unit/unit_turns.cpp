// SPDX-License-Identifier: Apache-2.0
#include "models/compute_unit/unit_turns.h"

#include <algorithm>

namespace pws::models {

unit_turns::unit_turns(const sc_core::sc_module_name& name, const gpu_clock& clock) : sc_module(name), clock_(clock) {
  SC_HAS_PROCESS(unit_turns);
  SC_METHOD(run);
  sensitive << event_;
  dont_initialize();
}

size_t unit_turns::add(timed_component& unit) {
  units_.push_back(&unit);
  at_.push_back(never);
  return units_.size() - 1;
}

void unit_turns::ask(size_t unit, cycle_t at) {
  if (at >= at_[unit]) return;
  at_[unit] = at;
  if (!runs_) notify(at);
}

void unit_turns::notify(cycle_t at) {
  if (at >= notified_) return;
  notified_ = at;
  event_.notify(at <= clock_.now() ? sc_core::SC_ZERO_TIME : clock_.time_of(at) - sc_core::sc_time_stamp());
}

void unit_turns::run() {
  const cycle_t now = clock_.now();
  notified_ = never;
  for (size_t n = 0; n < units_.size(); ++n) {
    if (at_[n] > now) continue;
    at_[n] = never;
    runs_ = true;
    units_[n]->run(now);
  }
  runs_ = false;
  if (const cycle_t next = *std::min_element(at_.begin(), at_.end()); next != never) notify(next);
}

}  // namespace pws::models
