// SPDX-License-Identifier: Apache-2.0
// `subwarps`: subwarp interleaving (Damani, Stephenson, Rangan, Johnson, Kulkarni, Keckler: GPU Subwarp Interleaving,
// HPCA 2022). Paths of a wavefront hide one another's memory latency: where the one that issues waits for memory, it is
// set aside, and the next one that can issue has its turn. Nobody yields: all wait at convergence barriers until the
// others are there.
//
// A path that is set aside is `stalled` until its data is here, and `ready` from then on. It has its turn again when
// the one that issues stops, or waits for memory itself.
#pragma once

#include "models/divergence/path_turns.h"

namespace pws::models {

class subwarp_interleaving : public path_turns {
 public:
  subwarp_interleaving(const machine_config& c, context_map& contexts);

  bool wants_stalls() const override { return true; }
  bool stalls(wf_context& w, swf_scheduler& s) override;
  void data_is_here(wf_context& w, cycle_t now, swf_scheduler& s) override;
  bool wants_long_operations() const override { return at_issue_; }
  void long_operation_issued(wf_context& w, swf_scheduler& s) override;

 private:
  const bool at_issue_;
};

}  // namespace pws::models
