// SPDX-License-Identifier: Apache-2.0
// Runs components of a machine at their next events, those of one cycle in a fixed order: L2 banks and DRAM channels,
// and the compute units.
//
// SystemC leaves open in which order processes run that wake at the same time. What a bank answers first decides who
// gets its response port, and wavefronts of different compute units race for the same bytes. With one process for all
// of a kind, results depend on cycles alone: neither on the kernel's queue, and on what else is in it, nor on how far a
// compute unit has run ahead. A machine that has been saved goes on in the same order. It also saves an activation per
// component and cycle.
#pragma once

#include <cstddef>
#include <systemc>
#include <vector>

#include "base/state_archive.h"
#include "models/bus/gpu_clock.h"

namespace pws::models {

// Whom the sequencer calls.
class timed_component {
 public:
  virtual ~timed_component() = default;
  // Does what is due at `now`.
  virtual void run(cycle_t now) = 0;
};

// Who may run those that are due in a cycle, in place of the sequencer.
class pass_runner {
 public:
  // Runs them, each once; they may be armed meanwhile, each by the thread that runs it. False, and nothing is done:
  // they are to run one after the other.
  virtual bool run(const std::vector<size_t>& due, cycle_t now) = 0;

 protected:
  ~pass_runner() = default;
};

class event_sequencer : public sc_core::sc_module {
 public:
  // Whether components may be armed for the cycle that runs: `refused` is fatal where one is that has had its turn.
  enum class present_cycle : uint8_t { refused, allowed };
  event_sequencer(const sc_core::sc_module_name& name, const gpu_clock& clock,
                  present_cycle present = present_cycle::refused);

  // Components run in the order in which they were added, and must outlive it. Returns the number to arm() with.
  size_t add(timed_component& c);
  // Has the component run at cycle `at`, or earlier if it is armed for earlier; now, if that has come. Armed for now
  // while components run, it has its turn in the same pass if it is behind the one that runs, else in the next delta
  // cycle.
  void arm(size_t component, cycle_t at);
  // Whom to ask before components run; must outlive it.
  void set_runner(pass_runner& r) { runner_ = &r; }
  // The component is not armed.
  void disarm(size_t component) { at_[component] = never; }
  // Who is armed for when, and, if components run, which does. What has been restored goes on there.
  void keep(state_archive& a);

 private:
  static constexpr cycle_t never = ~cycle_t{0};
  void run();
  bool run_together(cycle_t now);
  void notify(cycle_t at);
  cycle_t next() const;

  const gpu_clock& clock_;
  const present_cycle present_;
  std::vector<timed_component*> components_;
  std::vector<cycle_t> at_;  // by component; `never`: it is not armed
  pass_runner* runner_ = nullptr;
  std::vector<size_t> due_;  // kept for its memory
  size_t first_ = 0;         // of the next pass
  size_t running_ = 0;       // from 1; 0: none
  cycle_t notified_ = never;
  sc_core::sc_event event_;
};

}  // namespace pws::models
