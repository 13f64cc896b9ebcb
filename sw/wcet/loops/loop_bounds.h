// SPDX-License-Identifier: Apache-2.0
// How often the loops of the machine code repeat, from the flow facts of the source's loops.
//
// The compiler rotates, peels, unrolls, fuses and copies loops, so a loop of the machine code need not be one of the
// source. What holds whatever it does is what the anchors say (sw/pwscc/anchor_text.h): between two entries of a loop
// statement, no work-item begins its body more often than its bound. So for each loop of the machine code, from the
// innermost on, an ILP over its blocks asks: how often can one work-item be at the header between coming in and going
// out, without passing any statement's anchors more often than that? This is also the wavefront's number: in each of
// its passes, each work-item that is still in the loop makes one of its own, and the wavefront leaves with the last of
// them. docs/wcet.md has the argument in full.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/flow/flow_graph.h"
#include "sw/cfg/marked_loop.h"
#include "sw/cfg/natural_loops.h"
#include "sw/wcet/loops/counted_loops.h"

namespace pws::wcet {

using cfg::marked_loop;

// A loop of the machine code. Counts are for each time it is entered from outside.
struct bounded_loop {
  size_t header = 0;  // block
  std::vector<size_t> blocks;
  cfg::source_place place;  // line 0: unknown
  // Passes: executions of the header. Nothing: nothing bounds them. The least of what follows.
  std::optional<uint64_t> passes;
  std::optional<uint64_t> by_marks;    // from flow facts of the source and of the run file
  std::optional<uint64_t> by_code;     // counted by the code (counted_loops.h)
  std::optional<uint64_t> by_launch;   // what wavefronts that were followed one by one make (lane_paths::passes)
  bool exactly = false;                // every wavefront comes to it, and makes `by_code` passes
  std::string counted;                 // how it is counted, or why not
  std::optional<size_t> unknown_from;  // then: the instruction that gives what is not known
  // Blocks in this loop, but in no inner one, that no work-item reaches in its last passes.
  std::vector<block_limit> limits;
  // Indices of the marked loops whose iterations are in it (and in no inner one).
  std::vector<size_t> marks;
  // Why a loop has no bound: a block on a cycle that no anchor counts; or work-items that have left the loop may come
  // back to it, so that what bounds each of them does not bound the wavefront.
  size_t uncounted = 0;
  bool returned_to = false;
};

// The instruction is executed at most `bound` times each time the innermost loop around it is entered. Throws
// input_error if it is in no loop, and for a loop with two entries.
marked_loop bound_around(const cfg::function_code& code, size_t instruction, uint64_t bound, const std::string& from);

// What is known of loops without marks: how the code counts them, in the order of the forest; and by block what the
// launch's wavefronts make of them. Either may be empty.
struct unmarked_bounds {
  std::vector<counted_loop> counted;
  std::vector<std::optional<uint64_t>> launched;
};
// In the order of `forest`. `forest` has to be reducible.
std::vector<bounded_loop> bound_loops(const cfg::flow_graph& graph, const cfg::loop_forest& forest,
                                      const std::vector<marked_loop>& marked, const unmarked_bounds& unmarked = {});

// What has been found, as bounds that a run can be held to (loop_counter.h): of each loop's header and limited blocks.
std::vector<marked_loop> checks_of(const cfg::flow_graph& graph, const std::vector<bounded_loop>& loops);

// Whether all work-items that are together at an entry of the statement stay together up to each of its iterations: no
// instruction between writes EXEC. Then a wavefront too passes its anchors no more often than the bound says.
bool stays_together(const cfg::flow_graph& graph, const marked_loop& m);

}  // namespace pws::wcet
