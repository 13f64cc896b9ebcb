// Run-time check that the SWFs of a wavefront do not meet in the vector registers they share (check.split_isolation):
// v_readlane, v_writelane, v_readfirstlane, DPP and the ds_permute family reach lanes that EM and SpM do not choose.
#pragma once

#include "models/isa/inst.h"
#include "models/isa/wave_state.h"

namespace pws::models {

// Throws program_error with the lane if `i`, about to execute on the state of an SWF, would read or write a vector
// register in a lane outside the SWF's split mask.
void refuse_broken_isolation(const isa::inst& i, const isa::wave_state& s);

}  // namespace pws::models
