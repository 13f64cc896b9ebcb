// SPDX-License-Identifier: Apache-2.0
// The regions of a cost_graph: which side of which branch each node is in. What the functions over cost graphs share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "sw/cfg/cost_graph.h"

namespace pws::cfg {

// Cycles saturate: a result of never_ending says "at least that much".
constexpr uint64_t never_ending = std::numeric_limits<uint64_t>::max();
inline uint64_t add_cycles(uint64_t a, uint64_t b) {
  return a > never_ending - b ? never_ending : a + b;
}
inline uint64_t times_cycles(uint64_t a, uint64_t b) {
  return b != 0 && a > never_ending / b ? never_ending : a * b;
}

// Regions of one graph, and a tree of its own for each of its loops. Refers to the graph. Region 0 is the whole graph;
// each branch has two more. A BSB of a branch with two sides is in no region: it belongs to its branch, as both SWFs,
// and the unsplit wavefront once, go through it.
class region_tree {
 public:
  static constexpr size_t none = cost_graph::none;
  static constexpr size_t whole = 0;

  // Throws std::invalid_argument as check() documents.
  explicit region_tree(const cost_graph& graph) : region_tree(graph, "") { check_ids(); }

  const cost_graph& graph() const { return *graph_; }
  size_t nodes() const { return graph_->nodes.size(); }
  size_t regions() const { return exit_.size(); }
  static size_t then_of(size_t branch) { return 1 + 2 * branch; }
  static size_t else_of(size_t branch) { return 2 + 2 * branch; }
  static size_t branch_of(size_t region) { return (region - 1) / 2; }
  static bool is_else(size_t region) { return region % 2 == 0; }
  // none: a BSB that belongs to its branch.
  size_t region_of(size_t node) const { return region_of_[node]; }
  // The branch, as its index, that begins at the node; or none.
  size_t branch_at(size_t node) const { return branch_at_[node]; }
  const region_tree& body(size_t loop) const { return bodies_[loop]; }
  // First node of a region, or none if the region is empty.
  size_t entry(size_t region) const;
  // What the branch costs besides its sides: the blocks of the branch and of its BSB.
  uint64_t frame_cycles(const cost_graph::serial_branch& b) const;

  // What comes after a node in its region; a branch and its sides are one step. Nothing at the region's end.
  template <typename function>
  void for_each_following(size_t node, function visit) const {
    const size_t exit = exit_[region_of_[node]];
    if (branch_at_[node] != none) {
      const size_t join = graph_->branches[branch_at_[node]].reconv;
      if (join != exit) visit(join);
      return;
    }
    for (const size_t s : graph_->nodes[node].successors)
      if (s != exit) visit(s);
  }

  // Throws std::invalid_argument for an id in `chosen` that no branch has.
  void require_known(const split_set& chosen) const;
  void collect_ids(std::vector<size_t>& ids) const;

 private:
  region_tree(const cost_graph& graph, const std::string& around);

  [[noreturn]] void fail(size_t node, const std::string& problem) const;
  void check_ids() const;
  void check_edges() const;
  void check_loops() const;
  void place_branches();
  void check_branch(const cost_graph::serial_branch& b) const;
  void check_ends(const cost_graph::serial_branch& b) const;
  void assign_regions();
  void enter(size_t from, size_t node, size_t region);

  const cost_graph* graph_;
  std::string around_;             // "in the loop at node 3: "
  std::vector<size_t> region_of_;  // by node
  std::vector<size_t> branch_at_;  // by node
  std::vector<size_t> bsb_of_;     // by node: the branch with else that it is the BSB of
  std::vector<size_t> exit_;       // by region: the node that it leads to
  std::vector<region_tree> bodies_;
};

}  // namespace pws::cfg
