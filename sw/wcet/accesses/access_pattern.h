// SPDX-License-Identifier: Apache-2.0
// How many cache lines or LDS passes the memory instructions of a launch take, at most.
#pragma once

#include <optional>
#include <vector>

#include "models/flow/flow_graph.h"
#include "sw/wcet/accesses/access_bounder.h"
#include "sw/wcet/lanes/lane_paths.h"
#include "sw/wcet/lanes/value_ranges.h"
#include "sw/wcet/launch_facts.h"

namespace pws::wcet {

struct launch_accesses {
  // One per instruction of graph.code(), in order; default-constructed for those that access no memory or cannot be
  // reached.
  std::vector<access_bound> bounds;
  // Where the launch's wavefronts could be followed one by one: the edges and ways that any of them may take, and the
  // most executions and passes that one of them has. Nothing: they could not.
  std::optional<lane_paths> paths;
};

// Addresses are followed from the kernel's arguments and the work-item ids (sw/wcet/lanes/lane_value_analysis.h). Where
// the launch has few wavefronts, each of them is followed on its own as well, loops iteration by iteration; the smaller
// of the two results counts. Throws std::invalid_argument for a shape that is none.
// `ranges` takes what holds of all wavefronts together.
launch_accesses bound_accesses(const cfg::flow_graph& graph, const launch_facts& facts, const memory_shape& shape,
                               value_ranges* ranges = nullptr);

}  // namespace pws::wcet
