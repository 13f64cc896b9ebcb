// SPDX-License-Identifier: Apache-2.0
// What splitting can cost where the memory accesses and loops are not exactly known. The slots of both sides add up
// with and without a split, so that only the split itself costs anything, and what both parts execute between the
// sides; that is held against what running beside the other side saves for sure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "sw/cfg/path_cycles.h"
#include "sw/cfg/region_tree.h"

namespace pws::cfg {

// True if the graph's cycles are exactly known: no access, and no loop of an unknown count.
bool is_exact(const cost_graph& graph);

// By region of one graph, whatever the accesses and the unknown counts turn out to be.
class side_range {
 public:
  explicit side_range(const region_tree& tree);

  // Cycles of a side that every path through it has, if all inner sides are executed too: the path that has the most
  // slots, of which nothing is saved, can be any. A loop of unknown count runs only until it can be left for the first
  // time.
  uint64_t least(size_t region) const { return at_entry(least_, region); }
  const side_range& body(size_t loop) const { return bodies_[loop]; }

 private:
  uint64_t at_entry(const std::vector<uint64_t>& from, size_t region) const;
  uint64_t least_of_following(const std::vector<uint64_t>& from, size_t node) const;
  void find_least_to_leave();

  const region_tree& tree_;
  std::vector<side_range> bodies_;
  std::vector<uint64_t> least_;      // by node: from it, or past it, to the end of its region
  std::vector<uint64_t> own_least_;  // by node: with all that is in it
  uint64_t least_to_leave_ = 0;      // of a loop's body: its last iteration, which need not be a whole one
};

// A branch, split alone: what that costs, and what a part is sure to save that need not wait for the other side; of the
// two sides the one that is worse off.
struct split_risk {
  uint64_t costs = 0;
  uint64_t saves = 0;
};
// The risk of every splittable branch, by id. `split_cycles`: e_s + e_m.
std::map<size_t, split_risk> split_risks(const cost_graph& graph, uint64_t split_cycles);

}  // namespace pws::cfg
