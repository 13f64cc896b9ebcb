// The few instructions on which the machine itself acts, recognised by their rows.
#pragma once

#include "models/isa/idle_cycles.h"
#include "models/isa/inst.h"
#include "models/isa/wave_state.h"
#include "models/machine/machine_config.h"

namespace pws::models {

// Which cache an instruction drops.
enum class cache_maintenance : uint8_t { none, vector, scalar, instruction };

// buffer_wbinvl1(_vol): vector L1. s_dcache_inv(_vol): scalar cache. s_icache_inv: instruction cache.
cache_maintenance cache_maintenance_of(const isa::inst& i);
[[noreturn]] void refuse_registers(const isa::inst& i, const isa::wave_state& s);
// Throws program_error where a memory instruction names a VGPR that its wavefront does not have. (The vector ALU's
// executors look themselves.)
inline void refuse_unallocated_registers(const isa::inst& i, const isa::wave_state& s) {
  if (i.vgpr_end > s.n_vgprs) refuse_registers(i, s);
}
// s_sendmsg of MSG_INTERRUPT: wakes host software; M0 says what about.
bool is_host_interrupt(const isa::inst& i);
// s_trap, s_sethalt and messages that the machine has no receiver for: throws program_error. s_sendmsg of an empty
// message passes.
void refuse_message(const isa::inst& i);

}  // namespace pws::models
