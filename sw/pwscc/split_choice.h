// SPDX-License-Identifier: Apache-2.0
// Which regions become split points.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/flow/flow_graph.h"
#include "sw/cfg/split_region.h"
#include "sw/pwscc/scalar_carry.h"
#include "sw/pwscc/split_pass.h"

namespace pws::pwscc {

// The iterations of the loop with that header block, if known: as many as the WCET analysis allows for, neither more
// nor fewer, since with a machine a loop's iterations are counted on both sides of the scales.
using loop_bound_function = std::function<std::optional<uint64_t>(size_t header)>;

struct region_choice {
  bool split = false;
  std::string reason;  // not split, and automatic: why
};

// Per region. `candidates`: those that may be. `carried`: per region. Choices marked and all: Select (paper, Algorithm
// 1) for options.swf_contexts; automatic: the set with the shortest worst case, or with a machine the one of
// choose_splits() for what is not exactly known. The graph is reducible.
std::vector<region_choice> choose_regions(const cfg::flow_graph& graph, const std::vector<cfg::split_region>& regions,
                                          const std::vector<carried_scalars>& carried,
                                          const std::vector<bool>& candidates, const pass_options& options,
                                          const loop_bound_function& loop_bound);

}  // namespace pws::pwscc
