// SPDX-License-Identifier: Apache-2.0
// What instruments have found, for reports.
#pragma once

#include <cstddef>
#include <vector>

#include "platform/observers/branch_counter.h"
#include "platform/observers/check/described_finding.h"

namespace pws::platform {

struct findings {
  size_t counted_loops = 0;               // machine.check.loop_bounds: loops with a mark, summed over launches
  std::vector<kernel_branches> branches;  // machine.trace.branch_uniformity
  check_results found;                    // machine.check
};

}  // namespace pws::platform
