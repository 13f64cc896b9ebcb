// SPDX-License-Identifier: Apache-2.0
#include "models/compute_unit/instruction_step.h"

#include <string>

#include "base/error.h"
#include "models/isa/predicates.h"
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

using isa::operation;

void refuse_registers(const isa::inst& i, const isa::wave_state& s) {
  throw program_error("v" + std::to_string(i.vgpr_end - 1) + " is not among the " + std::to_string(s.n_vgprs) +
                      " vector registers that the kernel descriptor asks for");
}

bool is_host_interrupt(const isa::inst& i) {
  constexpr int32_t interrupt = 1;  // message identifier, bits [3:0]
  return operation_of(i) == operation::send_message && (i.simm & 0xf) == interrupt;
}

void refuse_message(const isa::inst& i) {
  switch (operation_of(i)) {
    case operation::trap:
      throw program_error("the program trapped");
    case operation::halt:
    case operation::send_message_and_halt:
      throw program_error("the program halted its wavefront; nothing here resumes it");
    default:
      break;
  }
  if ((i.simm & 0xf) != 0)
    throw program_error("message " + std::to_string(i.simm & 0xf) + " has no receiver on this machine");
}

void refuse_grid_barrier() {
  throw program_error("barriers of the grid are for wavefronts: machine.divergence forms warps");
}

}  // namespace pws::models
