// SPDX-License-Identifier: Apache-2.0
// E_WF: the worst case of one wavefront, by IPET over its control flow graph (PWS paper 4.2 and 5, Lemma 5.1).
//
// Where a split is guaranteed, each part of the wavefront takes one side. The paper removes the edge to the cheaper
// side (Prune, Algorithm 2) and solves the rest. Here the ILP has both sides and the constraint that they are taken
// together at most as often as the branch: the same value for one execution of the branch, and right for branches in
// loops too, where iterations differ. Its solution says which edge Prune would have removed. Parts of a wavefront share
// its memory and LDS slots, so these are counted for both sides (sw/wcet/flow/two_walks.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sw/wcet/flow/ipet.h"
#include "sw/wcet/kernel/barrier_check.h"
#include "sw/wcet/kernel/block_times.h"
#include "sw/wcet/kernel/kernel_code.h"

namespace pws::wcet {

struct removed_side {
  size_t split = 0;         // index of the split point
  size_t from = 0, to = 0;  // blocks: the edge to the cheaper side
};

struct wavefront_bound {
  scheme of_scheme = scheme::none;
  block_times times;
  // As solved, with what early ends add. Of parts that share slots: of the critical walk.
  flow_problem problem;
  ipet_result path;                   // counts of the worst path; of two walks: of the critical one
  std::vector<uint64_t> work_count;   // by node: executions by all parts together, one side after the other
  std::vector<removed_side> removed;  // pws
  uint64_t splitting = 0;             // static: of `cycles`, what split and merge take, waits there included
  size_t swfs = 0;                    // that the wavefront has at the same time, at most; 0 without splitting
  // What several wavefronts wait for one another. Measured times have that in them.
  barrier_effect barriers;
  // Prune (Algorithm 2) on the C_BSB, loops folded (bound times the longest iteration): F by block, 0 in loops, and
  // F[entry], which is E_WF if there are no loops. Empty where these do not fit in 64 bits: what is known of a launch
  // bounds E_WF, not them.
  std::vector<uint64_t> f;
  std::optional<uint64_t> pruned_cycles;
  // E_WF, first issue to the end of its last memory operation: of a wavefront among those of its workgroup. That of its
  // longest path alone, barriers.factor times.
  uint64_t cycles = 0;

  const std::vector<uint64_t>& block_cycles() const { return cycles_of_blocks(times); }
};

// Throws input_error naming every loop without a bound, and bounds that are too small or too large to tell.
wavefront_bound bound_wavefront(const analysed_kernel& code, scheme s, block_times times);
// With static times.
wavefront_bound bound_wavefront(const analysed_kernel& code, scheme s, const machine_timing& machine);

}  // namespace pws::wcet
