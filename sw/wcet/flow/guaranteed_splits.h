// SPDX-License-Identifier: Apache-2.0
// Which splits of machine code are sure to find an SWF context, and how the wavefront's two parts then go different
// ways.
#pragma once

#include <string>
#include <vector>

#include "models/flow/flow_graph.h"
#include "sw/cfg/split_region.h"
#include "sw/wcet/flow/split_nesting.h"

namespace pws::wcet {

struct split_point {
  size_t instruction = 0;  // the split
  size_t block = 0;        // u, that it ends
  // Edges into the two sides: u -> SuccBB(u), BSB(u) -> SuccBB(BSB(u)). `recognised`: they are known, and each part
  // takes at most one of them, since EXEC is the first side's when it parts the work-items.
  bool recognised = false;
  size_t region = 0;  // recognised: its index
  size_t first_side = 0, bsb = 0, second_side = 0, join = 0;
  bool first_empty = false, second_empty = false;  // no side there: SuccBB is the BSB, or the join
  // SWF contexts that must exist so that this split finds one whatever else the wavefront's parts have open: its own
  // and all that can be taken then, by the splits around it and by what runs beside it.
  size_t contexts_needed = 0;
  bool guaranteed = false;  // recognised, and contexts_needed are there
};

// One per split of the nesting, in its order. `swf_contexts`: S, of one wavefront.
std::vector<split_point> find_split_points(const cfg::flow_graph& graph, const split_nesting& nesting,
                                           const std::vector<cfg::split_region>& regions, size_t swf_contexts);

// SWFs that a wavefront has at the same time, at most, if it has that many contexts.
size_t swfs_at_most(const std::vector<split_point>& points, size_t swf_contexts);

// How many parts may execute each instruction where a wavefront that is not split executes it once: twice as many for
// each split that is open there, unless it is in a side of that one, which only one of its two parts takes.
std::vector<uint64_t> executing_parts(const cfg::flow_graph& graph, const split_nesting& nesting,
                                      const std::vector<split_point>& points);

}  // namespace pws::wcet
