// SPDX-License-Identifier: Apache-2.0
// Where wavefronts of all compute units meet: barriers of the global wave sync unit (GCN3 ISA, "DS_GWS_BARRIER"), of
// which a launch that is cooperative has one. Whoever comes says how many others there are; the last lets all go on.
#pragma once

#include <vector>

#include "models/bus/gpu_clock.h"
#include "models/context/wf_context.h"

namespace pws::models {

class grid_barriers {
 public:
  // A compute unit, to which its wavefronts come back.
  class participant {
   public:
    // May go on, at that cycle or (functional fidelity) with that time.
    virtual void grid_barrier_passed(wf_context& c, cycle_t at) = 0;

   protected:
    ~participant() = default;
  };

  // A context has issued ds_gws_barrier at `at`, and waits; `others` besides it come. News take `latency` cycles from a
  // compute unit to another. May call grid_barrier_passed(), of this context too. Throws program_error: the launch is
  // not cooperative.
  void arrive(participant& unit, wf_context& c, uint32_t others, cycle_t at, cycle_t latency);
  // The launch has ended.
  void forget(const dispatch& launch);
  // Somebody waits.
  bool in_use() const { return !barriers_.empty(); }

 private:
  struct arrival {
    participant* unit;
    wf_context* context;
    cycle_t at;
  };
  struct barrier {
    const dispatch* launch;
    std::vector<arrival> here;
  };
  std::vector<barrier> barriers_;  // at which somebody waits
};

}  // namespace pws::models
