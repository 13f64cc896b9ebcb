// SPDX-License-Identifier: Apache-2.0
// A kernel's code as the first passes of the analysis leave it, those that ask neither how branches are handled nor
// how long anything takes:
//
//   flow      find_flow()       which ways there are through the code
//   accesses  bound_accesses()  how many lines and passes each access takes; which ways the launch's wavefronts take
//   loops     find_loops()      how often each loop goes round
//   splits    find_splits()     which splits find a context, and which parts execute what
//
// For each scheme there follow block times (block_times.h), the flow problem (wavefront_problem.h) and its solution
// (wavefront_bound.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/flow/flow_graph.h"
#include "sw/cfg/divergent_branch.h"
#include "sw/cfg/marked_loop.h"
#include "sw/cfg/split_region.h"
#include "sw/wcet/accesses/access_pattern.h"
#include "sw/wcet/flow/guaranteed_splits.h"
#include "sw/wcet/kernel/barrier_check.h"
#include "sw/wcet/launch_facts.h"
#include "sw/wcet/loops/loop_bounds.h"

namespace pws::wcet {

// What the analysis asks of its surroundings.
struct code_facts {
  std::function<cfg::source_place(size_t instruction)> place;  // line 0: unknown
  std::vector<marked_loop> marked;
};

struct code_flow {
  std::vector<cfg::divergent_branch> branches;
  cfg::flow_graph graph;  // with the skips that clang left out; refers to the code
};
// Throws input_error for jumps that are not followed.
code_flow find_flow(const cfg::function_code& code);

// Throws input_error for a loop with two entries, with its place in the source.
cfg::loop_forest find_forest(const cfg::flow_graph& graph, const code_facts& facts);
// With the places of loops in the source. Loops without a bound are not an error yet (require_bounds).
std::vector<bounded_loop> find_loops(const cfg::flow_graph& graph, const cfg::loop_forest& forest,
                                     const code_facts& facts, const unmarked_bounds& unmarked);

struct code_splits {
  std::vector<cfg::split_region> regions;
  std::vector<split_point> points;
  std::vector<uint64_t> parts;    // per instruction: that may execute it
  std::vector<bool> sides_known;  // per instruction: of all splits that are open there
};
// `swf_contexts`: S. Throws input_error for splits that do not nest.
code_splits find_splits(const code_flow& flow, size_t swf_contexts);

class analysed_kernel {
 public:
  // Runs the passes. Refers to the code, and keeps facts.place.
  analysed_kernel(const cfg::function_code& code, const code_facts& facts, const launch_facts& launch,
                  const memory_shape& memory, size_t swf_contexts);
  analysed_kernel(const analysed_kernel&) = delete;
  analysed_kernel& operator=(const analysed_kernel&) = delete;

  const cfg::flow_graph& graph() const { return flow_.graph; }
  const std::vector<cfg::divergent_branch>& branches() const { return flow_.branches; }
  const std::vector<bounded_loop>& loops() const { return loops_; }
  const std::vector<marked_loop>& marked_loops() const { return facts_.marked; }
  const code_splits& splits() const { return splits_; }
  const std::vector<split_point>& split_points() const { return splits_.points; }
  const std::vector<access_bound>& accesses() const { return accesses_.bounds; }
  const std::optional<lane_paths>& paths() const { return accesses_.paths; }
  const barrier_check& barriers() const { return barriers_; }
  size_t swf_contexts() const { return swf_contexts_; }
  cfg::source_place place(size_t instruction) const { return facts_.place(instruction); }

  // For messages: where the block begins, as "+0x40"; "loop at k.hip:41", or "loop at kernel+0x40".
  std::string offset_of(size_t block) const;
  std::string name_of(const bounded_loop& l) const;
  // Throws input_error naming every loop without a bound, and every mark that the code contradicts.
  void require_bounds() const;

  // For questions of what would be if: loops bounded by other marks, which are as many and in the same places.
  std::vector<bounded_loop> loops_with(const std::vector<marked_loop>& marked) const;
  // What bounds are computed with from here on.
  struct assumed {
    std::vector<marked_loop> marked;
    std::vector<bounded_loop> loops;
    std::vector<access_bound> accesses;
  };
  assumed found() const { return {facts_.marked, loops_, accesses_.bounds}; }
  void assume(assumed what);

 private:
  unmarked_bounds find_unmarked(const launch_facts& launch) const;
  std::string contradiction(const bounded_loop& l) const;
  std::string uncounted(const bounded_loop& l) const;

  code_facts facts_;
  size_t swf_contexts_;
  code_flow flow_;
  cfg::loop_forest forest_;
  value_ranges ranges_;
  launch_accesses accesses_;
  unmarked_bounds unmarked_;
  std::vector<bounded_loop> loops_;
  code_splits splits_;
  barrier_check barriers_;
};

}  // namespace pws::wcet
