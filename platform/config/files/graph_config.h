// SPDX-License-Identifier: Apache-2.0
// A control flow graph as a user describes it in YAML, for `pwsvp graph`: blocks with their times, serialised branches,
// and what the bounds need to know of the machine and the launch.
#pragma once

#include <string>
#include <vector>

#include "platform/config/field.h"
#include "sw/cfg/cost_graph.h"
#include "sw/pwscc/split_pass.h"
#include "sw/wcet/kernel/kernel_bound.h"

namespace pws::platform {

struct graph_config {
  std::string file;
  std::vector<std::string> files;   // all YAML files that this was read from
  std::vector<std::string> blocks;  // names, in the order of graph.nodes
  cfg::cost_graph graph;            // branches have their block's index as id, and their marks
  pwscc::split_choice split = pwscc::split_choice::all;
  wcet::kernel_bound_inputs inputs;  // without what the graph decides
};

// Throws config_error with every problem.
graph_config load_graph(const std::string& path, const std::vector<std::string>& overrides = {});

// The keys of such a file, for `pwsvp params`.
const std::vector<field>& graph_fields();

}  // namespace pws::platform
