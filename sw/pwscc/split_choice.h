// Which regions become split points.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "sw/cfg/flow_graph.h"
#include "sw/pwscc/split_pass.h"
#include "sw/pwscc/split_region.h"

namespace pws::pwscc {

// The iterations of the loop with that header block, if known.
using loop_bound_function = std::function<std::optional<uint64_t>(size_t header)>;

// Per region. `candidates`: those that may be. Choices marked and all: Select (paper, Algorithm 1) for
// options.swf_contexts; automatic: the set with the shortest worst case. The graph is reducible.
std::vector<bool> choose_regions(const cfg::flow_graph& graph, const std::vector<split_region>& regions,
                                 const std::vector<bool>& candidates, const pass_options& options,
                                 const loop_bound_function& loop_bound);

}  // namespace pws::pwscc
