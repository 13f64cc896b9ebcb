// SPDX-License-Identifier: Apache-2.0
// What was counted of branches, as text and JSON.
#pragma once

#include <iosfwd>
#include <string>

#include "base/output/report_part.h"
#include "platform/observers/branch_counter.h"

namespace pws::platform {

// On one line: the totals.
std::string text(const branch_totals& t);
// A line for each branch.
void print_branches(std::ostream& out, const kernel_branches& k);
// The totals, and each branch.
const report_part<kernel_branches>& branches_part();
// Those of several kernels, and all of them together.
const report_part<std::vector<kernel_branches>>& kernels_part();

}  // namespace pws::platform
