// SPDX-License-Identifier: Apache-2.0
// Memory and LDS instructions in the pipeline: the ports that they keep busy, and when they are done.
#include <algorithm>

#include "models/compute_unit/pipeline.h"

namespace pws::models {

void pipeline::memory(wf_context& c, const isa::inst& i, cycle_t now) {
  c.front.write(i, c.state.mode, now, now + 1);  // the program waits with s_waitcnt; the scoreboard only orders
  const isa::memory_access& access = step_.access();
  if (access.where == isa::memory_access::space::lds) {
    local_memory(c, i, now);
    return;
  }
  switch (i.unit) {
    case isa::unit::scalar_memory:
      shared_busy(issue_port::scalar_memory, now + 1);
      c.front.add_lgkm(*cu_.mif.scalar_access(c.tdm_requester, operation_ticket(c), access, now + 1).operation);
      break;
    case isa::unit::vector_memory: {
      const auto asked = cu_.mif.vector_access(c.tdm_requester, operation_ticket(c), access, i.glc && !access.is_store,
                                               now + 1, isa::wave_size / config_.valu_lanes);
      shared_busy(issue_port::vector_memory, asked.free_at);
      c.front.add_vm(*asked.operation);
      break;
    }
    default:  // a DS instruction that touched nothing: no lane active, or data exchanged between lanes
      shared_busy(issue_port::lds, now + 1);
      c.front.add_lgkm(lds_operation(now));
      break;
  }
}

void pipeline::local_memory(wf_context& c, const isa::inst& i, cycle_t now) {
  const cycle_t busy = cu_.lds.cycles(step_.access());
  cycle_t last = 0;  // pass
  if (divides_time()) {
    last = lds_slots_.serve(c.tdm_requester.place, now, now, busy);
  } else {
    const cycle_t start = std::max(now, lds_free());
    shared_busy(issue_port::lds, start + busy);
    last = start + busy - 1;
  }
  c.front.add_lgkm(lds_operation(last));
  if (i.unit == isa::unit::vector_memory) {  // FLAT in the LDS aperture: passed through the address unit
    shared_busy(issue_port::vector_memory, now + valu_cycles_);
    c.front.add_vm(lds_operation(last));
  }
}

}  // namespace pws::models
