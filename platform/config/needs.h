// SPDX-License-Identifier: Apache-2.0
// What watches a run, and what it needs of the machine and of the launches. Which requests are refused follows from
// that.
#pragma once

#include <string>
#include <vector>

#include "models/machine/machine_config.h"

namespace pws::platform {

// What watching needs, as bits.
struct need {
  // The needs, to be combined.
  enum bit : unsigned {
    time = 1,           // launches of timing fidelity
    one_device = 2,     // in the process
    one_launch = 4,     // on the machine at a time
    rtl = 8,            // that runs
    allocations = 16,   // which accesses stay in
    paths_stay = 32,    // in the contexts in which they began
    exec_at_once = 64,  // behind each instruction
    one_machine = 128,  // it does not go on with another one in its place
    whole_waves = 256,  // no wavefront is split or cut
    one_thread = 512,   // of the host, so that instructions come one after the other
  };
};

// Who watches, and what it needs.
struct watcher {
  const char* what;  // "a waveform", in front of "is of one machine"
  unsigned needs;
};

// A run, as far as needs are concerned.
struct run_conditions {
  const models::machine_config& machine;
  bool timed = true;             // there may be launches of timing fidelity
  const char* how_to_time = "";  // what to do where there are none
  uint32_t devices = 1;
};

// A need that a run does not meet.
struct unmet_need {
  std::string why;                // a sentence that names the key to change
  std::vector<std::string> keys;  // of the machine, that it is about
};
// Only those of `among` are looked at.
std::vector<unmet_need> unmet_needs(const watcher& w, const run_conditions& c, unsigned among = ~0U);

// A bound of each launch's execution time (exec --wcet).
constexpr watcher bound_watcher{"a bound", need::one_device | need::one_launch | need::allocations};

// The limit study of reconvergence (exec.reconvergence).
constexpr watcher reconvergence_watcher{"a trace of work-items", need::one_device | need::one_machine |
                                                                     need::one_launch | need::exec_at_once |
                                                                     need::whole_waves | need::one_thread};

// What a key of the machine asks for.
struct machine_watcher {
  std::vector<std::string> keys;  // "check.loop_bounds"
  bool (*on)(const models::machine_config&);
  watcher watches;
};
const std::vector<machine_watcher>& machine_watchers();

}  // namespace pws::platform
