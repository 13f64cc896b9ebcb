// SPDX-License-Identifier: Apache-2.0
// The workgroups of a compute unit in the state of a machine: their wavefronts and SWFs with registers, and their LDS.
#pragma once

#include <vector>

#include "base/state_archive.h"
#include "models/compute_unit/cu_parts.h"

namespace pws::models {

// Workgroups and contexts; who has which context has been kept already (context_file::keep). `launches`: those in
// service, of which workgroups are. In functional fidelity, or while no workgroup is there: what wavefronts have under
// way in timing fidelity is not kept.
void keep_workgroups(state_archive& a, cu_parts& cu, const std::vector<dispatch*>& launches,
                     const isa::global_memory& memory);

}  // namespace pws::models
