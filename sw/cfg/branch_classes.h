// SPDX-License-Identifier: Apache-2.0
// What the conditional branches of machine code are for (paper 004, Table I: SBU, RBU, LC).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/flow/flow_graph.h"

namespace pws::cfg {

enum class branch_class : uint8_t {
  uniform,         // on SCC or VCC: the compiler has proved that all active work-items go the same way (SBU)
  run_time_check,  // on EXEC: skips code that no work-item would execute (RBU)
  loop,            // back to a loop's header, or out of a loop, on whatever condition (LC)
  other            // s_cbranch_cdbg*
};

struct classified_branch {
  size_t instruction = 0;
  branch_class what = branch_class::other;
};

// Every conditional branch, in the order of the code. Loops are natural ones (natural_loops.h); a branch from a cycle
// with two entries is taken for no loop's.
std::vector<classified_branch> classify_branches(const flow_graph& graph);

// Pairs of scalar registers that somewhere hold a bit per work-item: compares write them, selects read them, or they
// meet EXEC in a 64-bit logical instruction, themselves or through others. VCC and EXEC, which every kernel has, are
// not counted.
size_t count_mask_pairs(const function_code& code);

}  // namespace pws::cfg
