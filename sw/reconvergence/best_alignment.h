// SPDX-License-Identifier: Apache-2.0
// The order of a warp's passes in which the fewest instructions are issued: what a machine could do that knew the best
// place to reconverge for every branch (dynamic warp formation paper, 3.3).
#pragma once

#include "sw/reconvergence/trace.h"

namespace pws::reconvergence {

struct best_alignment {
  schedule order;
  // No order is shorter. Two different traces are aligned exactly. Of more, two at a time are joined, those first whose
  // alignment saves the most instructions, until one sequence is left: that is short, but need not be the shortest.
  bool exact = true;
};

// Work-items come to each barrier together: what lies between two barriers is aligned by itself.
best_alignment align(const warp& w, const pass_table& passes);

// Instructions of the longest trace from barrier to barrier: no order is shorter.
uint64_t longest_trace(const warp& w, const pass_table& passes);

}  // namespace pws::reconvergence
