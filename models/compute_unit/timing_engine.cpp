#include "models/compute_unit/timing_engine.h"

#include "models/compute_unit/special_instructions.h"
#include "models/memory/cache.h"

namespace pws::models {

void timing_engine::maintain_caches(const isa::inst& i, cycle_t now) {
  if (caches.vector == nullptr) return;
  switch (cache_maintenance_of(i)) {
    case cache_maintenance::vector:
      caches.vector->invalidate(now);
      break;
    case cache_maintenance::scalar:
      caches.scalar->invalidate(now);
      break;
    case cache_maintenance::instruction:
      caches.instruction->invalidate(now);
      break;
    case cache_maintenance::none:
      break;
  }
}

}  // namespace pws::models
