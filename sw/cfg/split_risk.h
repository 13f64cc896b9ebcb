// What splitting can cost where the memory accesses and loops are not exactly known: how far the slots that a split
// wavefront's parts take in turn can lengthen one side, against what running beside the other side saves for sure.
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
  side_range(const region_tree& tree, uint64_t parts);

  // Cycles of a side that the longest path through an unsplit wavefront has at the least: no access takes a slot, and a
  // loop of unknown count runs only until it can be left for the first time.
  uint64_t least(size_t region) const { return at_entry(least_, region); }
  // Cycles, at the most, by which any path through a side is longer inside a split, without splits of its own.
  uint64_t more(size_t region) const { return at_entry(more_, region); }
  // Of one node's own accesses.
  uint64_t more_at(size_t node) const;
  const side_range& body(size_t loop) const { return bodies_[loop]; }

 private:
  uint64_t at_entry(const std::vector<uint64_t>& from, size_t region) const;
  void find_least_to_leave();

  const region_tree& tree_;
  uint64_t parts_;
  std::vector<side_range> bodies_;
  std::vector<uint64_t> least_, more_;  // by node: from it, or past it, to the end of its region
  std::vector<uint64_t> own_least_;     // by node: with all that is in it
  uint64_t least_to_leave_ = 0;         // of a loop's body: its last iteration, which need not be a whole one
};

// A branch, split alone: by how much at the most the parts that take one of its sides are longer, and what the other
// side saves them at the least. Of the two sides the one that is worse off. never_ending: there is no limit.
struct split_risk {
  uint64_t costs = 0;
  uint64_t slots = 0;  // of these: what sharing the slots costs
  uint64_t saves = 0;
};
// Of every splittable branch, by id.
std::map<size_t, split_risk> split_risks(const cost_graph& graph, split_costs costs);

}  // namespace pws::cfg
