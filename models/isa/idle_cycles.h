// The two instructions whose time is in their code.
#pragma once

#include "models/isa/opcode_row.h"

namespace pws::isa {

// Cycles for which s_nop and s_sleep keep their wavefront from issuing; 0 for everything else. (GCN3 ISA, SOPP: s_nop
// SIMM16[3:0] + 1 wait states; s_sleep about 64 * SIMM16[6:0] clocks, here exactly.)
inline uint64_t idle_cycles(const inst& i) {
  constexpr unsigned nop = 0, sleep = 14;
  if (i.native != format::sopp) return 0;
  if (i.row->opcode == nop) return static_cast<uint64_t>(i.simm & 0xf) + 1;
  if (i.row->opcode == sleep) return static_cast<uint64_t>(i.simm & 0x7f) * 64;
  return 0;
}

}  // namespace pws::isa
