// E_WF: the worst case of one wavefront, by IPET over its control flow graph (PWS paper 4.2 and 5, Lemma 5.1).
//
// Where a split is guaranteed, each part of the wavefront takes one side. The paper removes the edge to the cheaper
// side (Prune, Algorithm 2) and solves the rest. Here the ILP has both sides and the constraint that they are taken
// together at most as often as the branch: the same value for one execution of the branch, and right for branches in
// loops too, where iterations differ. Its solution says which edge Prune would have removed. Parts of a wavefront share
// its memory and LDS slots, so these are counted for both sides (sw/wcet/flow/two_walks.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/flow/flow_graph.h"
#include "sw/cfg/divergent_branch.h"
#include "sw/cfg/natural_loops.h"
#include "sw/cfg/source_place.h"
#include "sw/wcet/flow/guaranteed_splits.h"
#include "sw/wcet/flow/ipet.h"
#include "sw/wcet/instructions/instruction_time.h"
#include "sw/wcet/instructions/paid_waits.h"
#include "sw/wcet/kernel/barrier_check.h"
#include "sw/wcet/launch_facts.h"
#include "sw/wcet/loops/loop_bounds.h"

namespace pws::wcet {

// What the analysis asks of its surroundings.
struct code_facts {
  std::function<cfg::source_place(size_t instruction)> place;  // line 0: unknown
  std::vector<marked_loop> marked;
};

struct removed_side {
  size_t split = 0;         // index of the split point
  size_t from = 0, to = 0;  // blocks: the edge to the cheaper side
};

struct wavefront_bound {
  scheme of_scheme = scheme::none;
  std::vector<instruction_time> times;  // per instruction; pws: with the slots of all parts that may execute it
  shared_waits waits;                   // of them: that are not paid in every execution
  std::vector<uint64_t> block_cycles;   // e_bb, every wait paid
  // Its nodes are the blocks, then one for each branch edge that costs extra. Static and pws, if there are splits: of
  // the critical walk, without slots; else with all.
  flow_problem problem;
  ipet_result path;                   // counts of the worst path; of two walks: of the critical one
  std::vector<uint64_t> work_count;   // by node: executions by all parts together, one side after the other
  std::vector<removed_side> removed;  // pws
  uint64_t splitting = 0;             // static: of `cycles`, what split and merge take, waits there included
  size_t swfs = 0;                    // that the wavefront has at the same time, at most; 0 without splitting
  barrier_effect barriers;            // static times: of several wavefronts that wait for one another
  // Prune (Algorithm 2) on the C_BSB, loops folded (bound times the longest iteration): F by block, 0 in loops, and
  // F[entry], which is E_WF if there are no loops. Empty where these do not fit in 64 bits: what is known of a launch
  // bounds E_WF, not them.
  std::vector<uint64_t> f;
  std::optional<uint64_t> pruned_cycles;
  // E_WF, first issue to the end of its last memory operation: of a wavefront among those of its workgroup. That of its
  // longest path alone, barriers.factor times.
  uint64_t cycles = 0;
};

// A kernel's code with all that does not depend on the scheme. Refers to the code, and keeps facts.place.
class kernel_code {
 public:
  // `swf_contexts`: S. Throws input_error for code that has no analysis: calls, loops with two entries, splits that do
  // not nest. Loops without a bound are not an error yet.
  kernel_code(const cfg::function_code& code, const code_facts& facts, const launch_facts& launch,
              const machine_timing& machine, size_t swf_contexts);

  const cfg::flow_graph& graph() const { return graph_; }
  const std::vector<cfg::divergent_branch>& branches() const { return branches_; }
  const std::vector<bounded_loop>& loops() const { return loops_; }
  const std::vector<marked_loop>& marked_loops() const { return marked_; }
  const std::vector<split_point>& split_points() const { return splits_; }
  const std::vector<access_bound>& accesses() const { return accesses_; }
  cfg::source_place place(size_t instruction) const { return place_(instruction); }

  // Static: times from the machine's constants. Throws input_error naming every loop without a bound.
  wavefront_bound bound(scheme s) const;
  // From block times measured elsewhere: one per block (0: never executed).
  wavefront_bound bound(scheme s, const std::vector<uint64_t>& block_cycles) const;

  // L_w of an SWF (thesis 5.2.4): the longest path from the branch serialization block to where it meets its parent
  // again, for a split point whose sides are known; 0 if no wavefront gets there. `whole`: of scheme pws.
  uint64_t part_cycles(const wavefront_bound& whole, const split_point& split) const;

 private:
  void find_loops();
  void require_bounds() const;
  void set_edges(wavefront_bound& b, const std::vector<uint64_t>& extra_when_taken) const;
  std::string name_of(const bounded_loop& l) const;
  std::string largest_nest() const;
  flow_problem::limit passes_of(const flow_problem& p, const bounded_loop& l) const;
  void limit_loops(flow_problem& p) const;
  void limit_paths(flow_problem& p) const;
  void limit_ways(flow_problem& p) const;
  void solve_within_limits(wavefront_bound& b) const;
  void solve(wavefront_bound& b) const;
  ipet_result solve_shared(wavefront_bound& b, std::vector<flow_problem::limit> sides) const;
  void prune_too(wavefront_bound& b) const;

  const cfg::function_code& code_;
  std::function<cfg::source_place(size_t)> place_;
  std::vector<marked_loop> marked_;
  machine_timing machine_;
  size_t swf_contexts_;
  std::vector<cfg::divergent_branch> branches_;
  cfg::flow_graph graph_;
  std::vector<bounded_loop> loops_;
  std::vector<cfg::split_region> regions_;
  std::vector<split_point> splits_;
  std::vector<uint64_t> parts_;    // per instruction: that may execute it
  std::vector<bool> sides_known_;  // per instruction: of all splits that are open there
  std::vector<access_bound> accesses_;
  std::optional<lane_paths> paths_;
  bool counts_whole_runs_ = false;  // no barrier joins pieces of several wavefronts' executions
  std::optional<barrier_check> barriers_;
};

}  // namespace pws::wcet
