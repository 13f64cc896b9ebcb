// Which lanes' vector registers an instruction reaches beside those that EXEC chooses: v_readlane, v_writelane and
// v_readfirstlane name a lane, DPP and ds_swizzle, ds_permute, ds_bpermute move data between lanes.
#pragma once

#include <cstdint>

#include "models/isa/inst.h"
#include "models/isa/wave_state.h"

namespace pws::isa {

// Bit per lane, for the state before the instruction executes; 0 for every other instruction. Lanes are reached whether
// they are active or not: that an inactive one gives 0 does not count.
uint64_t reached_lanes(const inst& i, const wave_state& s);

// The lane that `lane` reads under DPP control `ctrl`, or -1 where there is none (GCN3 ISA, "DPP_CTRL"). Throws
// program_error for reserved controls.
int dpp_source(unsigned ctrl, int lane);

// The register that M0 names for a v_movrel* operand: `o` plus M0, which is unsigned and does not wrap around. Throws
// program_error where it is outside of the wavefront's.
operand relative_vector_register(const wave_state& s, const inst& i, const operand& o);

}  // namespace pws::isa
