// SPDX-License-Identifier: Apache-2.0
#include "models/memory/event_sequencer.h"

#include <algorithm>
#include <utility>

namespace pws::models {

event_sequencer::event_sequencer(const sc_core::sc_module_name& name, const gpu_clock& clock, present_cycle present)
    : sc_module(name), clock_(clock), present_(present) {
  SC_HAS_PROCESS(event_sequencer);
  SC_METHOD(run);
  sensitive << event_;
  dont_initialize();
}

size_t event_sequencer::add(timed_component& c) {
  components_.push_back(&c);
  at_.push_back(never);
  return components_.size() - 1;
}

void event_sequencer::arm(size_t component, cycle_t at) {
  if (at >= at_[component]) return;
  at_[component] = at;
  if (running_ == 0) notify(at);
}

void event_sequencer::notify(cycle_t at) {
  if (at >= notified_) return;
  notified_ = at;
  event_.notify(at <= clock_.now() ? sc_core::SC_ZERO_TIME : clock_.time_of(at) - sc_core::sc_time_stamp());
}

cycle_t event_sequencer::next() const {
  return at_.empty() ? never : *std::min_element(at_.begin(), at_.end());
}

void event_sequencer::run() {
  const cycle_t now = clock_.now();
  notified_ = never;
  const size_t first = std::exchange(first_, 0);
  if (first != 0 || runner_ == nullptr || !run_together(now))
    for (size_t n = first; n < components_.size(); ++n) {
      if (at_[n] > now) continue;
      at_[n] = never;
      running_ = n + 1;
      components_[n]->run(now);
    }
  running_ = 0;
  const cycle_t again = next();
  if (again <= now && present_ == present_cycle::refused)
    SC_REPORT_FATAL(name(), "a component wants to run in a cycle that has passed");
  if (again != never) notify(again);
}

bool event_sequencer::run_together(cycle_t now) {
  due_.clear();
  for (size_t n = 0; n < components_.size(); ++n)
    if (at_[n] <= now) due_.push_back(n);
  for (const size_t n : due_) at_[n] = never;
  running_ = components_.size();
  if (runner_->run(due_, now)) return true;
  for (const size_t n : due_) at_[n] = now;
  return false;
}

void event_sequencer::keep(state_archive& a) {
  a.section("sequencer");
  a.bytes(at_.data(), at_.size());
  uint64_t running = running_;
  a.index(running, components_.size() + 1);
  if (!a.restores()) return;
  if (running != 0) {
    first_ = running - 1;
    at_[first_] = clock_.now();
  }
  if (const cycle_t again = next(); again != never) notify(again);
}

}  // namespace pws::models
