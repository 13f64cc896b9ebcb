// SPDX-License-Identifier: Apache-2.0
// What the pass did, for people and for programs.
#pragma once

#include <string>

#include "sw/pwscc/split_pass.h"

namespace pws::pwscc {

// A line for each branch: where, kernel, decision, reason; then totals, lost marks, and a table of the kernels. Of
// predicated code, a line for each check instead: where, kept or not, and why.
std::string report_text(const pass_report& report, const pass_options& options,
                        divergence_code divergence = divergence_code::none);
// {"options": {...}, "branches": [...], "checks": [...], "lost_marks": [...], "by_hand": [...], "kernels": [...],
// "totals": {...}}, keys always in the same order.
std::string report_json(const pass_report& report, const pass_options& options,
                        divergence_code divergence = divergence_code::none);
// A line "file:line: warning: PWS_SPLIT: reason" for every mark that no split came of, and one for every split or merge
// by hand that marks no branch.
std::string mark_warnings(const pass_report& report);

}  // namespace pws::pwscc
