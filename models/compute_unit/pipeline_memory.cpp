// Memory and LDS instructions in the pipeline: their effect, the ports that they keep busy, and when they are done.
#include <algorithm>

#include "models/compute_unit/pipeline.h"
#include "models/compute_unit/special_instructions.h"
#include "models/memory/cache.h"

namespace pws::models {

void pipeline::memory(wf_context& c, const isa::inst& i, cycle_t now) {
  c.front.retire(now);
  access_.touches_nothing();
  c.state.access = &access_;
  refuse_unallocated_registers(i, c.state);
  perform(unit_of(c), c, i, now);
  c.state.access = nullptr;
  if (cu_.tells.accessed != nullptr) cu_.tells.accessed->accessed(cu_.index, c, i, access_, now);
  c.front.write(i, now, now + 1);  // the program waits with s_waitcnt; the scoreboard only orders
  maintain_caches(i, now);
  if (access_.where == isa::memory_access::space::lds) {
    local_memory(c, i, now);
    return;
  }
  switch (i.unit) {
    case isa::unit::scalar_memory:
      shared_busy(issue_port::scalar_memory, now + 1);
      cu_.mif.scalar_access(c, access_, now + 1);
      break;
    case isa::unit::vector_memory:
      shared_busy(issue_port::vector_memory,
                  cu_.mif.vector_access(c, access_, i.glc && !access_.is_store, now + 1, config_.valu_lanes));
      break;
    default:  // a DS instruction that touched nothing: no lane active, or data exchanged between lanes
      shared_busy(issue_port::lds, now + 1);
      c.front.add_lgkm(completed(now + config_.latency.lds));
      break;
  }
}

// An operation of which it is known when it is done.
pending_operation& pipeline::completed(cycle_t at) {
  pending_operation& o = cu_.mif.operations().acquire();
  o.done = at;
  return o;
}

void pipeline::local_memory(wf_context& c, const isa::inst& i, cycle_t now) {
  const cycle_t busy = cu_.lds.cycles(access_);
  cycle_t last = 0;  // pass
  if (divides_time()) {
    last = lds_slots_.serve(c.takes_turn_as.place, now, now, busy);
  } else {
    const cycle_t start = std::max(now, cu_.units.front()->port_free[static_cast<size_t>(issue_port::lds)]);
    shared_busy(issue_port::lds, start + busy);
    last = start + busy - 1;
  }
  c.front.add_lgkm(completed(last + config_.latency.lds));
  if (i.unit == isa::unit::vector_memory) {  // FLAT in the LDS aperture: passed through the address unit
    shared_busy(issue_port::vector_memory, now + valu_cycles_);
    c.front.add_vm(completed(last + config_.latency.lds));
  }
}

// With issue slots a memory instruction goes into its context's own queue.
void pipeline::shared_busy(issue_port p, cycle_t until) {
  if (divides_time()) return;
  for (const auto& s : cu_.units) s->busy(p, until);
}

}  // namespace pws::models
