// SPDX-License-Identifier: Apache-2.0
// Natural loops: a back edge to a block that dominates it, and all that reaches that edge without passing the header.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "models/flow/dominators.h"
#include "models/flow/flow_graph.h"

namespace pws::cfg {

struct natural_loop {
  static constexpr size_t none = static_cast<size_t>(-1);
  size_t header = 0;            // block
  std::vector<size_t> latches;  // blocks with an edge back to the header
  std::vector<size_t> blocks;   // ascending, header and inner loops' blocks included
  size_t parent = none;         // the innermost loop around it
  size_t depth = 1;             // 1: no loop around it
  bool contains(size_t block) const;
};

class loop_forest {
 public:
  loop_forest(const flow_graph& graph, const dominator_tree& dominators);

  // Loops that share a header are one. An outer loop comes before the loops in it.
  const std::vector<natural_loop>& loops() const { return loops_; }
  // The innermost loop that holds the block, or natural_loop::none.
  size_t innermost(size_t block) const { return innermost_[block]; }
  // False if there is a cycle that is no natural loop: one with two entries.
  bool reducible() const { return !irreducible_block_; }
  // Then: a block of that cycle that is gone back to and does not dominate the way.
  std::optional<size_t> irreducible_block() const { return irreducible_block_; }

 private:
  std::vector<natural_loop> loops_;
  std::vector<size_t> innermost_;
  std::optional<size_t> irreducible_block_;
};

}  // namespace pws::cfg
