// SPDX-License-Identifier: Apache-2.0
// Whether the work-items of a wavefront only get fewer from one pass of a loop to the next.
#pragma once

#include "models/flow/flow_graph.h"
#include "sw/cfg/natural_loops.h"

namespace pws::cfg {

// True if EXEC at the loop's header is, in each pass but the first, a subset of what it was in the pass before: who is
// in the n-th pass has been in all passes before it. False: that cannot be seen from the code. Masks are followed
// through scalar registers and through vector registers that scalars are spilled to (v_writelane, v_readlane).
bool work_items_only_leave(const flow_graph& graph, const natural_loop& loop);

}  // namespace pws::cfg
