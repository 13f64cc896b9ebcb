// SPDX-License-Identifier: Apache-2.0
// What `pwsvp wcet` prints and writes.
#pragma once

#include <array>
#include <optional>
#include <ostream>
#include <string>

#include "base/output/report_part.h"
#include "platform/wcet/wcet_analysis.h"

namespace pws::platform {

// Parts of E_WF, summed over the worst path, in cycles. All 0 where block times were measured.
struct e_wf_parts {
  uint64_t issue = 0, memory = 0, wait = 0;  // memory: memory and LDS slots
};
e_wf_parts parts_of(const wcet_result& r, const wcet::wavefront_bound& b);

// What bounds a loop: "at most 8 iterations (PWS_LOOP_BOUND)".
std::string limits_text(const wcet_result& r, const wcet::bounded_loop& l);

// One screen for each launch, and the sum where there are several. Times are cycles.
void print(std::ostream& out, const wcet_program& p);

// Launches run one after the other, so a program's bound is the sum of theirs.
struct launch_sums {
  std::array<uint64_t, 3> e_kernel{};  // by scheme
  std::optional<uint64_t> bound;       // of the machine's scheme; nothing: it has none
  std::optional<uint64_t> observed;    // cycles that they took; nothing: not all were run to their ends
};
launch_sums sums_of(const wcet_program& p);

// The report, in wcet_part.cpp. Everything, intermediates included: blocks with e_bb, edges, loops, split points with
// S_B, removed edges, the worst path's counts, the size of the ILP, and the symbols of the paper's section 5. Of
// several launches a list, and the sums.
const report_part<wcet_program>& wcet_part();

// The control flow graph with times, marks, removed edges and the worst path, for Graphviz.
std::string to_dot(const wcet_result& r, wcet::scheme s);

// The worst case in time, as P Fig. 9b draws it: Chrome trace JSON (opens in Perfetto), a row per workgroup that runs
// in parallel, d and E_WF one after the other in each. The first 64 rows and dispatches; all are the same.
std::string worst_case_timeline(const wcet_result& r, wcet::scheme s);

// False if a kernel was run and failed, or took longer than its scheme's bound.
bool holds(const wcet_program& p);

struct wcet_outputs {
  std::string report, dot, svg, timeline, annotate, callgrind;  // files to write; empty: none
  std::optional<wcet::scheme> drawn;                            // in drawings and timelines PWS if it is not chosen
};
// Throws input_error for files that cannot be written, and where Graphviz (dot) is needed and missing.
void write(const wcet_program& p, const wcet_outputs& outputs);

}  // namespace pws::platform
