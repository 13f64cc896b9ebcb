// SPDX-License-Identifier: Apache-2.0
// What code costs a wavefront of the predictable machine as far as it can be said without a launch: the times that the
// WCET analysis takes, with any number of lines for an access, and the instructions that a split brings with it.
#pragma once

#include <vector>

#include "models/flow/flow_graph.h"
#include "sw/cfg/region_costs.h"
#include "sw/cfg/split_region.h"
#include "sw/pwscc/scalar_carry.h"
#include "sw/wcet/instructions/machine_timing.h"

namespace pws::pwscc {

// `carried`: per region. e_s and e_m are in the overhead.
cfg::code_costs machine_costs(const cfg::flow_graph& graph, const std::vector<cfg::split_region>& regions,
                              const std::vector<carried_scalars>& carried, const wcet::machine_timing& machine);

}  // namespace pws::pwscc
