// SPDX-License-Identifier: Apache-2.0
// The two instructions whose time is in their code.
#pragma once

#include "models/isa/predicates.h"

namespace pws::isa {

// Cycles for which s_nop and s_sleep keep their wavefront from issuing; 0 for everything else. (GCN3 ISA, SOPP: s_nop
// SIMM16[3:0] + 1 wait states; s_sleep about 64 * SIMM16[6:0] clocks, here exactly.)
inline uint64_t idle_cycles(const inst& i) {
  if (operation_of(i) == operation::nop) return static_cast<uint64_t>(i.simm & 0xf) + 1;
  if (operation_of(i) == operation::sleep) return static_cast<uint64_t>(i.simm & 0x7f) * 64;
  return 0;
}

}  // namespace pws::isa
