// SPDX-License-Identifier: Apache-2.0
#include "models/compute_unit/instruction_step.h"

#include "models/memory/cache.h"

namespace pws::models {

// buffer_wbinvl1(_vol), s_dcache_inv(_vol), s_icache_inv.
void instruction_step::maintain_caches(const isa::inst& i, cycle_t now) {
  if (cu_.caches.vector == nullptr) return;
  switch (isa::operation_of(i)) {
    case isa::operation::invalidate_vector_cache:
      cu_.caches.vector->invalidate(now);
      break;
    case isa::operation::invalidate_scalar_cache:
      cu_.caches.scalar->invalidate(now);
      break;
    case isa::operation::invalidate_instruction_cache:
      cu_.caches.instruction->invalidate(now);
      break;
    default:
      break;
  }
}

}  // namespace pws::models
