// SPDX-License-Identifier: Apache-2.0
// What was counted of branches, as text and JSON.
#pragma once

#include <iosfwd>
#include <string>

#include "base/output/report_part.h"
#include "platform/instruments/observers/branch_counter.h"
#include "sw/loader/program_image.h"

namespace pws::platform {

// On one line: the totals.
std::string text(const branch_totals& t);
// A line for each branch.
void print_branches(std::ostream& out, const kernel_branches& k);
// The totals, and each branch.
const report_part<kernel_branches>& branches_part();
// Those of several kernels, and all of them together.
const report_part<std::vector<kernel_branches>>& kernels_part();

// Lists the branches of one kernel, or of all if the name is empty. Has source lines where the code object carries its
// assembly, as pwscc's output does. Throws input_error.
void list_branches(std::ostream& out, const loader::program_image& program, const std::string& kernel);

}  // namespace pws::platform
