// SPDX-License-Identifier: Apache-2.0
#include "models/compute_unit/unit_turns.h"

#include <algorithm>
#include <utility>

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
  if (running_ == 0) notify(at);
}

void unit_turns::notify(cycle_t at) {
  if (at >= notified_) return;
  notified_ = at;
  event_.notify(at <= clock_.now() ? sc_core::SC_ZERO_TIME : clock_.time_of(at) - sc_core::sc_time_stamp());
}

void unit_turns::run() {
  const cycle_t now = clock_.now();
  notified_ = never;
  for (size_t n = std::exchange(first_, 0); n < units_.size(); ++n) {
    if (at_[n] > now) continue;
    at_[n] = never;
    running_ = n + 1;
    units_[n]->run(now);
  }
  running_ = 0;
  if (const cycle_t next = *std::min_element(at_.begin(), at_.end()); next != never) notify(next);
}

void unit_turns::keep(state_archive& a) {
  a.section("turns");
  a.bytes(at_.data(), at_.size());
  uint64_t running = running_;
  a.index(running, units_.size() + 1);
  if (!a.restores()) return;
  if (running != 0) {
    first_ = running - 1;
    at_[first_] = clock_.now();
  }
  if (const cycle_t next = *std::min_element(at_.begin(), at_.end()); next != never) notify(next);
}

}  // namespace pws::models
