// SPDX-License-Identifier: Apache-2.0
// Select (PWS paper 4.2, Algorithm 1), and how many SWF contexts a set of split points needs.
#pragma once

#include <cstddef>

#include "sw/cfg/cost_graph.h"

namespace pws::cfg {

// Algorithm 1 as printed: the marked branches in topological order; one is selected if a selected one has the same
// Parent, else if fewer than S Parents have been counted. Def. 4.1 makes Parent tell the two sides of a branch apart.
// Loops: a body is in sequence with what is around it (see branch_parent), so its branches come at the loop's place,
// with the loop's Parent; a context is free again before the next iteration.
//
// What it guarantees: the selected branches have at most S different Parents, hence at most S contexts are in use at
// one time: no split finds all contexts taken. (A sequence's need is at most one for its own Parent, if it has a
// selected branch, plus the largest need among its branches' insides, and these have Parents of their own.)
// What it does not: the count is an upper bound of the need, so contexts can stay unused; costs are not looked at; and
// a branch is selected although the one around it could not be.
//
// Takes O(n log n) for n nodes. Throws std::invalid_argument for a malformed graph, as check().
split_set select(const cost_graph& graph, size_t swf_contexts);

}  // namespace pws::cfg
