// SPDX-License-Identifier: Apache-2.0
// Traces replayed on the reconvergence stack of the dynamic warp formation paper (Fig. 5), and without any
// reconvergence.
#pragma once

#include <optional>

#include "models/flow/code_table.h"
#include "sw/reconvergence/trace.h"

namespace pws::reconvergence {

// Where ways that go on at these places meet: at the nearest block that post-dominates all of them, one of them
// perhaps. Of the two sides of a branch that is the immediate post-dominator of the branch's block. (Work-items that
// the code takes out of EXEC without a branch go on at other places than the block's successors.)
std::optional<uint64_t> meeting_place(const cfg::code_table& code, const std::vector<uint64_t>& places);

// Work-items that go on at different places wait for each other where these meet, and go there one group after the
// other. Groups that meet nowhere do not come together again.
schedule reconverging_at_post_dominators(const warp& w, const pass_table& passes, const cfg::code_table& code);

// Work-items that once went on at different places are never together again (the paper's SIMD serialisation, 3.1).
schedule never_reconverging(const warp& w, const pass_table& passes);

}  // namespace pws::reconvergence
