// SPDX-License-Identifier: Apache-2.0
// Run-time check that the paths of a wavefront do not meet in the vector registers they share (check.split_isolation,
// and always where a wavefront is cut for good): v_readlane, v_writelane, v_readfirstlane, DPP and the ds_permute
// family reach lanes that EM and SpM do not choose.
#pragma once

#include "models/context/wf_context.h"
#include "models/isa/inst.h"

namespace pws::models {

// The path of the wavefront of `c` that has `lane`; nullptr if it stands on a stack, without a context, or has ended.
const wf_context* path_of_lane(unsigned lane, const wf_context& c);

// Throws program_error with the lane, and the path that it belongs to, if `i`, about to execute on the path in `c`,
// would read or write a vector register in a lane outside the path's split mask.
void refuse_broken_isolation(const isa::inst& i, const wf_context& c, const machine_config& config);

}  // namespace pws::models
