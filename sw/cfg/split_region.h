// SPDX-License-Identifier: Apache-2.0
// What lies between a split and its merge: the blocks of both sides, where they join, and how regions nest.
#pragma once

#include <string>
#include <vector>

#include "models/flow/dominators.h"
#include "models/flow/flow_graph.h"
#include "sw/cfg/divergent_branch.h"
#include "sw/cfg/scalar_set.h"

namespace pws::cfg {

struct split_region {
  static constexpr size_t none = static_cast<size_t>(-1);

  divergent_branch branch;
  size_t block = 0;            // that the split ends
  size_t first_side = 0;       // block: SuccBB of the branch; `bsb` if the side is empty
  size_t bsb = 0;              // block
  size_t second_side = 0;      // block: SuccBB of the BSB; `join` if the side is empty
  size_t join = 0;             // block where all paths of the region meet
  std::vector<size_t> blocks;  // between, ascending; neither `block` nor `join`
  // The merge goes behind an instruction of the join block, if nothing else than the region leads there; else into a
  // block of its own on the edges from the region to the join.
  bool joins_in_place = false;
  size_t merge_after = 0;      // in place: that instruction
  bool exec_restored = false;  // at the merge EXEC is what it was before the branch
  size_t parent = none;        // the innermost region around it
  std::string refusal;         // why the branch cannot be a split point; empty: it can

  bool contains(size_t b) const;
  bool refused() const { return !refusal.empty(); }
  // Instructions that execute between split and merge.
  template <typename function>
  void for_each_instruction(const flow_graph& graph, function visit) const {
    for (const size_t b : blocks)
      for (size_t k = graph[b].first; k < graph[b].end; ++k) visit(k);
    if (joins_in_place)
      for (size_t k = graph[join].first; k <= merge_after; ++k) visit(k);
  }
};

// One for each branch, in the same order; those without two sides, or whose sides do not form a region with one entry
// and one exit, are refused.
std::vector<split_region> find_regions(const flow_graph& graph, const std::vector<divergent_branch>& branches);

}  // namespace pws::cfg
