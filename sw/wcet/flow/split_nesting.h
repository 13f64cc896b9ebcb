// SPDX-License-Identifier: Apache-2.0
// Where a wavefront may be split: which splits are open at each instruction of code with split and merge in it.
#pragma once

#include <vector>

#include "models/flow/flow_graph.h"

namespace pws::wcet {

class split_nesting {
 public:
  static constexpr size_t none = static_cast<size_t>(-1);

  // Throws input_error naming the place where paths meet with different splits open, a merge without a split, or an end
  // with a split open.
  explicit split_nesting(const cfg::flow_graph& graph);

  // The split instructions, by index in the code, in its order.
  const std::vector<size_t>& splits() const { return splits_; }
  // The innermost split open before the instruction, as an index into splits(); none: the wavefront is whole. Of a
  // split or merge instruction: before it.
  size_t innermost(size_t instruction) const { return innermost_[instruction]; }
  // The split around a split.
  size_t parent(size_t split) const { return parent_[split]; }

 private:
  std::vector<size_t> splits_;
  std::vector<size_t> parent_;
  std::vector<size_t> innermost_;
};

}  // namespace pws::wcet
