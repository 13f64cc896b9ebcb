// SPDX-License-Identifier: Apache-2.0
// Dominators and post-dominators (Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm").
#pragma once

#include <cstddef>
#include <vector>

#include "models/flow/flow_graph.h"

namespace pws::cfg {

// The dominator tree of a flow graph.
class dominator_tree {
 public:
  // Seen from the entry, or from the end.
  enum class direction : uint8_t { dominators, post_dominators };
  static constexpr size_t none = static_cast<size_t>(-1);

  dominator_tree(const flow_graph& graph, direction d);

  // The nearest other block on every path from the entry to `block` (post-dominators: from `block` to the end of the
  // function; paths that never come there do not count). none: there is no such block, because it is the entry,
  // unreachable, ends the function itself, paths end at different places, or none of them ends. Post-dominators are
  // right in the graph of a region too; it has no entry for dominators to begin at.
  size_t immediate(size_t block) const { return immediate_[block] == virtual_ ? none : immediate_[block]; }
  // True for a block itself. Unreachable blocks dominate nothing but themselves.
  bool dominates(size_t a, size_t b) const;

 private:
  std::vector<size_t> immediate_;  // one more: the virtual exit
  std::vector<size_t> depth_;
  size_t virtual_;
};

}  // namespace pws::cfg
