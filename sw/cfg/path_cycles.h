// SPDX-License-Identifier: Apache-2.0
// The longest path through a cost_graph, kept node by node for those who change it step by step.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/cfg/region_tree.h"

namespace pws::cfg {

// Cycles, at worst, that a wavefront takes from the entry to an end if the branches `chosen` are split: the longest
// path. On it a serialised branch takes the cycles of its node u and of its BSB (in an if with else), and
//   not split: those of its then side and of its else side
//   split:     split_cycles, the branch's overhead, and those of the longer side; u and the BSB are of both SWFs
// A loop takes its node's own cycles, once, and `bound` times its body. So a split in a loop is charged in each
// iteration. Slots are not counted. Every split of `chosen` is taken to find a context: that is so if the choice needs
// at most S at one time (choose_splits).
//
// Cycles saturate at 2^64 - 1, a result that means "at least that".
class path_cycles {
 public:
  // `split_cycles`: e_s + e_m. Takes O(n log n) for n nodes and edges.
  path_cycles(const region_tree& tree, const split_set& chosen, uint64_t split_cycles);

  // Cycles of the whole graph.
  uint64_t total() const { return of_region(region_tree::whole); }
  // Cycles from behind the node to the end of its region.
  uint64_t behind(size_t node) const;
  // Cycles of the node, with all that is in it if a branch begins there or it is a loop.
  uint64_t weight(size_t node) const { return weight_[node]; }
  // Cycles of a side of a branch.
  uint64_t of_region(size_t region) const;
  // Cycles of a branch, computed from its sides as they are now.
  uint64_t of_branch(size_t branch, bool split) const;

  // Sets a node's weight. What comes before the node is not brought up to date.
  void set_weight(size_t node, uint64_t cycles);

 private:
  const region_tree& tree_;
  uint64_t split_cycles_;
  std::vector<uint64_t> weight_;
  std::vector<uint64_t> from_;
};

}  // namespace pws::cfg
