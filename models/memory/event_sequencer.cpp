// SPDX-License-Identifier: Apache-2.0
#include "models/memory/event_sequencer.h"

#include <algorithm>

namespace pws::models {

event_sequencer::event_sequencer(const sc_core::sc_module_name& name, const gpu_clock& clock)
    : sc_module(name), clock_(clock) {
  SC_HAS_PROCESS(event_sequencer);
  SC_METHOD(run);
  sensitive << event_;
  dont_initialize();
}

size_t event_sequencer::add(timed_component& c) {
  entries_.push_back({&c, never});
  return entries_.size() - 1;
}

void event_sequencer::arm(size_t component, cycle_t at) {
  entry& e = entries_[component];
  if (at >= e.at) return;
  e.at = at;
  if (at >= armed_) return;
  armed_ = at;
  event_.notify(clock_.time_of(at) - sc_core::sc_time_stamp());
}

void event_sequencer::run() {
  const cycle_t now = clock_.now();
  armed_ = now;  // nobody needs to notify while everybody is asked below
  cycle_t next = never;
  for (entry& e : entries_) {
    if (e.at <= now) {
      e.at = never;
      e.component->run(now);
    }
  }
  for (const entry& e : entries_) next = std::min(next, e.at);
  if (next <= now) SC_REPORT_FATAL(name(), "a component wants to run in a cycle that has passed");
  armed_ = next;
  if (next != never) event_.notify(clock_.time_of(next) - sc_core::sc_time_stamp());
}

}  // namespace pws::models
