// SPDX-License-Identifier: Apache-2.0
// How often loops of the machine code go round by what the code itself counts: no mark says it.
//
// A compare decides a loop if no work-item comes to another pass without it, and only with one result. If one of its
// operands is a counter (recurrence.h) that begins in a known range, and the other one is in a known range, then
// arithmetic says how often the result can be that one in a row (pass_count.h). docs/wcet.md, "Loops without marks",
// has the argument.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/flow/flow_graph.h"
#include "sw/cfg/natural_loops.h"
#include "sw/wcet/lanes/value_ranges.h"

namespace pws::wcet {

// A block is executed at most this number of times each time its loop is entered.
struct block_limit {
  size_t block = 0;
  uint64_t executions = 0;
};

struct counted_loop {
  // Each time the loop is entered, a work-item makes at most this number of passes (executions of the header). Nothing:
  // the code does not say, for the reason below.
  std::optional<uint64_t> passes;
  // Every wavefront comes to it, and makes just that many.
  bool exactly = false;
  // Only blocks in this loop and in no inner one. Behind a test in the header, all but the last pass come to them.
  std::vector<block_limit> limits;
  size_t decided_at = 0;  // the compare, if there is one
  // What counts, as "s4 goes from 0 by 1 up to below 64"; or what is missing for a count.
  std::string text;
  unsigned clue = 0;  // of two reasons the one with more says more
  // Without a count: the instruction that gives what is not known, if one does.
  std::optional<size_t> unknown_from;
};

// In the order of `forest`, which has to be reducible. `ranges`: of all wavefronts of the launch. `known`: passes that
// are known otherwise, by block (lane_paths::passes); how far counters go in a loop follows from these too.
std::vector<counted_loop> count_loops(const cfg::flow_graph& graph, const cfg::loop_forest& forest,
                                      const value_ranges& ranges, const std::vector<std::optional<uint64_t>>& known);

}  // namespace pws::wcet
