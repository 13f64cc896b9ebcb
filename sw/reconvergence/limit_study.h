// SPDX-License-Identifier: Apache-2.0
// The limit study of the dynamic warp formation paper (3.3): how much sooner warps would be done if their work-items
// did not reconverge at immediate post-dominators but wherever it is best.
#pragma once

#include <functional>
#include <map>

#include "models/flow/code_table.h"
#include "sw/reconvergence/trace.h"

namespace pws::reconvergence {

// Instructions issued, each as one unit of time.
struct warp_times {
  uint64_t never = 0;            // work-items part for good
  uint64_t post_dominators = 0;  // they wait for each other on a reconvergence stack
  uint64_t best = 0;             // the best order that is known
  uint64_t longest = 0;          // of the traces, from barrier to barrier: no order is shorter
};

struct warp_result {
  size_t work_items = 0, different = 0;  // traces
  uint64_t executed = 0;                 // instructions, summed over the work-items
  warp_times times;
  bool exact = true;        // no order is shorter than the best one known
  bool from_stack = false;  // ... which is the stack's: what aligning pairs found was longer
};

// What the branch at the end of a block did in the warps' orders.
struct divergences {
  uint64_t all = 0;  // times that work-items which were together went on at different places, or only some of them
  // ... and those that came to the place where these meet (meeting_place) did not do so together: they were together
  // again later, or not all of them.
  uint64_t met_later = 0;
};
struct branch_result {
  divergences stack, best;
};

struct study {
  std::vector<warp_result> warps;
  std::map<uint32_t, branch_result> branches;  // by block
};

// Studies warps that ran the same code. Asks `stop` after each warp; once it is true, the study covers the warps up to
// there.
study study_reconvergence(
    const std::vector<warp>& warps, const pass_table& passes, const cfg::code_table& code,
    const std::function<bool()>& stop = [] { return false; });

// By block.
std::map<uint32_t, divergences> divergences_of(const schedule& order, size_t work_items, const pass_table& passes,
                                               const cfg::code_table& code);

}  // namespace pws::reconvergence
