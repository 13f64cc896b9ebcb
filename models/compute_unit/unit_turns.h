// SPDX-License-Identifier: Apache-2.0
// Runs the compute units of a machine when they ask for it, those of one instant in the order of their numbers.
//
// SystemC leaves open in which order processes run that wake at the same time. Wavefronts of different compute units
// see that order where they race for the same bytes. With one process for all units, what they see depends on cycles
// alone: neither on the kernel's queue nor on what else is in it, and a machine that has been saved goes on in the same
// order.
#pragma once

#include <cstddef>
#include <systemc>
#include <vector>

#include "base/state_archive.h"
#include "models/bus/gpu_clock.h"
#include "models/memory/event_sequencer.h"

namespace pws::models {

class unit_turns : public sc_core::sc_module {
 public:
  unit_turns(const sc_core::sc_module_name& name, const gpu_clock& clock);

  // Units are numbered in the order in which they are added, from 0. They must outlive it.
  size_t add(timed_component& unit);
  // Has the unit run at cycle `at`, or earlier if it has asked for earlier; now, if that has come. A unit that asks for
  // now while units run has its turn in the same pass if it is behind the one that runs, else in the next delta cycle.
  void ask(size_t unit, cycle_t at);
  // The unit has not asked for anything.
  void forget(size_t unit) { at_[unit] = never; }
  // Who has asked for when, and, if units run, which does. What has been restored goes on there.
  void keep(state_archive& a);

 private:
  static constexpr cycle_t never = ~cycle_t{0};
  void run();
  void notify(cycle_t at);

  const gpu_clock& clock_;
  std::vector<timed_component*> units_;
  std::vector<cycle_t> at_;  // by unit; `never`: it has not asked
  size_t first_ = 0;         // of the next pass
  size_t running_ = 0;       // from 1; 0: none
  cycle_t notified_ = never;
  sc_core::sc_event event_;
};

}  // namespace pws::models
