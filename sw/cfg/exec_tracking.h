// SPDX-License-Identifier: Apache-2.0
// Where EXEC is known not to be empty: vector instructions there have at least one active work-item.
#pragma once

#include <vector>

#include "models/flow/flow_graph.h"
#include "sw/cfg/divergent_branch.h"

namespace pws::cfg {

class exec_tracking {
 public:
  // Assumes that the function is entered with work-items active.
  exec_tracking(const flow_graph& graph, const std::vector<divergent_branch>& branches);

  // True if some work-item is active whenever the instruction executes, in a wavefront as in each part of a split one:
  // a part takes the same skips by its own mask. False: not known.
  bool surely_active(size_t instruction) const { return active_[instruction]; }

  // The instruction that restores the EXEC of before branch `b`, in the block where it ends; code().instructions.size()
  // if there is none.
  static size_t restore_of(const flow_graph& graph, const divergent_branch& b);

 private:
  std::vector<bool> active_;  // per instruction, before it
};

}  // namespace pws::cfg
