// SPDX-License-Identifier: Apache-2.0
// What `pwsvp wcet` prints and writes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>

#include "platform/wcet/wcet_analysis.h"

namespace pws::platform {

// Parts of E_WF, summed over the worst path, in cycles. All 0 where block times were measured.
struct e_wf_parts {
  uint64_t issue = 0, memory = 0, wait = 0;  // memory: memory and LDS slots
};
e_wf_parts parts_of(const wcet_result& r, const wcet::wavefront_bound& b);

// One screen for each launch, and the sum where there are several. Times are cycles.
void print(std::ostream& out, const wcet_program& p);

// Everything, intermediates included: blocks with e_bb, edges, loops, split points with S_B, removed edges, the worst
// path's counts, the size of the ILP, and the symbols of the paper's section 5. Of several launches a list, and the
// sums.
nlohmann::ordered_json to_json(const wcet_program& p);

// The control flow graph with times, marks, removed edges and the worst path, for Graphviz.
std::string to_dot(const wcet_result& r, wcet::scheme s);

// The worst case in time, as P Fig. 9b draws it: Chrome trace JSON (opens in Perfetto), a row per workgroup that runs
// in parallel, d and E_WF one after the other in each. The first 64 rows and dispatches; all are the same.
std::string worst_case_timeline(const wcet_result& r, wcet::scheme s);

// False if a kernel was run and failed, or took longer than its scheme's bound.
bool holds(const wcet_program& p);

struct wcet_outputs {
  std::string report, dot, svg, timeline;  // files to write; empty: none
  wcet::scheme drawn = wcet::scheme::pws;
};
// Throws input_error for files that cannot be written, and where Graphviz (dot) is needed and missing.
void write(const wcet_program& p, const wcet_outputs& outputs);

}  // namespace pws::platform
