// SPDX-License-Identifier: Apache-2.0
#include "models/compute_unit/timing_engine.h"

namespace pws::models {

void timing_engine::count_wait_at_barrier(wf_context& c, cycle_t at) {
  const cycle_t waited = at - 1 - c.front.issued_at;
  cu_.count_stall(c, stall::barrier, waited);
  c.front.issued_at += waited;
}

void timing_engine::release_barrier(resident_workgroup& g, cycle_t now) {
  if (g.barrier_complete()) pass_barrier(cu_, g, now, [&](wf_context& w) { leave_barrier(w, now + 1); });
}

pending_operation& timing_engine::completed_at(cycle_t at) {
  pending_operation& o = cu_.mif.operations().acquire();
  o.done = at;
  return o;
}

}  // namespace pws::models
