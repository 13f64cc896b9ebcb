// SPDX-License-Identifier: Apache-2.0
// Where a loop of the machine code is in the source, for messages.
#pragma once

#include <functional>

#include "models/flow/flow_graph.h"
#include "sw/cfg/marked_loop.h"
#include "sw/cfg/natural_loops.h"

namespace pws::wcet {

// The first line of what decides the loop's branches back and out: mostly its statement's. Where that
// has none, place_near its header.
cfg::source_place place_of_loop(const cfg::flow_graph& graph, const cfg::natural_loop& loop,
                                const std::function<cfg::source_place(size_t)>& place);

// The place of the first instruction with a line from the beginning of a block on, on whichever way it comes; else that
// of the nearest before it. Lines of the file that the function's end is in come first: others are of what it calls
// inline. Line 0: the function has none.
cfg::source_place place_near(const cfg::flow_graph& graph, size_t block,
                             const std::function<cfg::source_place(size_t instruction)>& place);

}  // namespace pws::wcet
