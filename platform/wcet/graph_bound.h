// SPDX-License-Identifier: Apache-2.0
// Bounds of a control flow graph that is given as such, without a program or a machine: what `pwsvp graph` does. For
// examples on paper, and for graphs whose block times come from elsewhere.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "base/output/report_part.h"
#include "platform/config/files/graph_config.h"
#include "sw/wcet/flow/prune.h"
#include "sw/wcet/kernel/kernel_bound.h"

namespace pws::platform {

struct graph_bounds {
  cfg::split_set marked;    // P, if only marked branches may be split
  cfg::split_set selected;  // S_B
  wcet::pruned pruned;
  uint64_t serial = 0, longest = 0;  // IPET(C), IPET(C_out)
  wcet::kernel_bounds kernel;
};
// Select (or the best set), Prune, IPET and Lemmas 5.1 to 5.7 of the PWS paper.
graph_bounds bound_graph(const graph_config& g);

void print(std::ostream& out, const graph_config& g, const graph_bounds& b);
// For the report.
struct graph_result {
  const graph_config& graph;
  const graph_bounds& bounds;
};
const report_part<graph_result>& graph_part();

}  // namespace pws::platform
