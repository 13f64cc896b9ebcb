// A bound that is stated of the machine code: an instruction is executed at most so often each time the innermost loop
// of the machine code around it is entered, whichever work-items are active.
#pragma once

#include <cstdint>
#include <optional>

#include "sw/cfg/flow_graph.h"
#include "sw/pwscc/marked_loop.h"

namespace pws::wcet {

// `offset`: of the instruction, from the code's beginning on. Nothing: none begins there, or it is in no loop.
std::optional<pwscc::marked_loop> machine_loop_at(const cfg::flow_graph& graph, uint64_t offset, uint64_t bound);

}  // namespace pws::wcet
