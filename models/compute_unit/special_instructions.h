// SPDX-License-Identifier: Apache-2.0
// The few instructions on which the machine itself acts, recognised by their rows.
#pragma once

#include "models/isa/idle_cycles.h"
#include "models/isa/inst.h"
#include "models/isa/wave_state.h"
#include "models/machine/machine_config.h"

namespace pws::models {

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
// ds_gws_barrier where paths issue as warps: throws program_error.
[[noreturn]] void refuse_grid_barrier();

}  // namespace pws::models
