// SPDX-License-Identifier: Apache-2.0
// A workgroup in a compute unit, and what of it still runs.
#pragma once

#include <cstdint>
#include <vector>

#include "models/context/workgroup.h"

namespace pws::models {

struct wf_context;

struct resident_workgroup {
  workgroup launch;
  std::vector<wf_context*> waves;  // launch wavefronts
  std::vector<wf_context*> swfs;   // SWFs split off them
  // Kept by wf_context::become().
  uint32_t running = 0;     // wavefronts, SWFs and paths without a context that have not reached s_endpgm
  uint32_t at_barrier = 0;  // of those running
  uint32_t unfinished = 0;  // launch wavefronts that have not, or with memory operations or SWFs still under way
  uint32_t lds_first = 0;
  bool live = false;

  // Everybody who is still to come to the barrier has.
  bool barrier_complete() const { return running != 0 && at_barrier == running; }
};

}  // namespace pws::models
