// SPDX-License-Identifier: Apache-2.0
// `convergence`: convergence barriers with independent thread scheduling, as NVIDIA has them since Volta (Volta
// whitepaper, "Independent Thread Scheduling"; US patent 10,067,768). A path issues until it comes to its merge, ends,
// or yields; then it is the next one's turn. One that yields is not waited for at barriers until it has its turn again.
// So whatever a path waits for, every other path gets on: a work-item may wait for another one of its wavefront.
//
// In GCN3 code a path yields at s_sleep, with which a program says itself that it waits, and after a number of taken
// backward branches (convergence.yield_branches).
#pragma once

#include "models/divergence/path_turns.h"

namespace pws::models {

class convergence_barriers : public path_turns {
 public:
  convergence_barriers(const machine_config& c, context_map& contexts);

  bool yields(wf_context& w, const isa::inst& i, swf_scheduler& s) override;

 private:
  const uint32_t yield_branches_;
};

}  // namespace pws::models
