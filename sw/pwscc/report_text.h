// SPDX-License-Identifier: Apache-2.0
// What the pass did, for people and for programs.
#pragma once

#include <string>

#include "base/output/report_part.h"
#include "sw/pwscc/split_pass.h"

namespace pws::pwscc {

// As short as the compiler's own messages: relative to the working directory for what is below it.
std::string short_path(const std::string& file);

// A line for each branch: where, kernel, decision, reason; then totals, lost marks, and a table of the kernels. Of
// predicated code, a line for each check instead: where, kept or not, and why.
std::string report_text(const pass_report& report, const pass_options& options,
                        divergence_code divergence = divergence_code::none);

// What became of divergent branches, all together.
struct branch_totals {
  size_t branches = 0, split = 0, marked = 0, marked_not_split = 0, masks = 0;
};
branch_totals totals_of(const pass_report& report);

// For the JSON (report_json.cpp).
struct reported_pass {
  const pass_report& report;
  const pass_options& options;
  divergence_code divergence = divergence_code::none;
};
const report_part<reported_pass>& pass_part();
std::string report_json(const reported_pass& pass);

// A line "file:line: warning: PWS_SPLIT: reason" for every mark that no split came of, and one for every split or merge
// by hand that marks no branch.
std::string mark_warnings(const pass_report& report);

}  // namespace pws::pwscc
