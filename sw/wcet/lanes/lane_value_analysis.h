// What the registers of a kernel's wavefronts hold before each instruction, as far as code and launch say: a forward
// abstract interpretation of the machine code over its control flow graph.
#pragma once

#include <functional>

#include "models/flow/flow_graph.h"
#include "sw/wcet/lanes/lane_launch.h"
#include "sw/wcet/lanes/lane_transfer.h"

namespace pws::wcet {

// Calls `visit` once for every instruction that can be reached, in the order of the code's blocks, with what holds
// whenever a wavefront of that kind (or a part of a split one) executes it.
void analyse_lane_values(const cfg::flow_graph& graph, const launch_facts& facts, const wave_kind& kind,
                         const std::function<void(size_t instruction, const lane_state& before)>& visit);

}  // namespace pws::wcet
