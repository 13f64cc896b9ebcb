// SPDX-License-Identifier: Apache-2.0
// The longest path of a flow graph loop by loop, in whole numbers. Internal to IPET, for numbers that are too large for
// its solver.
#pragma once

#include <optional>
#include <vector>

#include "sw/wcet/flow/integer_program.h"

namespace pws::wcet {

struct nest_bound {
  wide_int units = 0;            // what no solution exceeds
  std::vector<wide_int> counts;  // of each column: an execution that keeps every loop at its limit
};

// A row that cuts cycles (cycle_cuts) is charged what its cycle's longest way round takes, inner loops first, so that
// no cycle gains; the other rows at multipliers[row] / denominator. This is a bound whatever these are (relaxed_bound),
// and where no other row matters it is the longest path. Nothing: a number does not fit in 128 bits, or a cycle gains
// all the same.
std::optional<nest_bound> bound_by_loop_nest(const integer_program& p, std::vector<wide_int> multipliers,
                                             wide_int denominator);

}  // namespace pws::wcet
