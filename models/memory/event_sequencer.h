// SPDX-License-Identifier: Apache-2.0
// Runs the shared memory components (L2 banks, DRAM channels) at their next events, those of one cycle in a fixed
// order.
//
// SystemC leaves open in which order processes run that wake at the same time, and what a bank answers first decides
// who gets its response port. With one process for all of them, results depend on cycles alone: neither on the kernel's
// queue nor on how far a compute unit has run ahead. It also saves an activation per component and cycle.
#pragma once

#include <systemc>
#include <vector>

#include "models/bus/gpu_clock.h"

namespace pws::models {

// Whom the sequencer calls.
class timed_component {
 public:
  virtual ~timed_component() = default;
  // Does what is due at `now`.
  virtual void run(cycle_t now) = 0;
};

class event_sequencer : public sc_core::sc_module {
 public:
  event_sequencer(const sc_core::sc_module_name& name, const gpu_clock& clock);

  // Components run in the order in which they were added. Returns the number to arm() with.
  size_t add(timed_component& c);
  // Has the component run at cycle `at`, or earlier if it is armed for earlier. `at` lies after the present cycle.
  void arm(size_t component, cycle_t at);
  static constexpr cycle_t never = ~cycle_t{0};  // no cycle
  // The cycle that the component is armed for; `never`: none.
  cycle_t armed_for(size_t component) const { return entries_[component].at; }

 private:
  void run();
  const gpu_clock& clock_;
  struct entry {
    timed_component* component;
    cycle_t at;
  };
  std::vector<entry> entries_;
  sc_core::sc_event event_;
  cycle_t armed_ = never;
};

}  // namespace pws::models
