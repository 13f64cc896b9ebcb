// The longest path through a cost_graph, kept node by node for those who change it step by step.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/cfg/region_tree.h"

namespace pws::cfg {

class path_cycles {
 public:
  // `split_cycles`: e_s + e_m.
  path_cycles(const region_tree& tree, const split_set& chosen, uint64_t split_cycles);

  // Cycles of the whole graph.
  uint64_t total() const { return of_region(region_tree::whole); }
  // Cycles from the node, or from behind it, to the end of its region.
  uint64_t from(size_t node) const { return from_[node]; }
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
