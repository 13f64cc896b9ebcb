// What the pass did, for people and for programs.
#pragma once

#include <string>

#include "sw/pwscc/split_pass.h"

namespace pws::pwscc {

// A line for each branch: where, kernel, decision, reason; then totals and lost marks.
std::string report_text(const pass_report& report, const pass_options& options);
// {"options": {...}, "branches": [...], "lost_marks": [...], "totals": {...}}, keys always in the same order.
std::string report_json(const pass_report& report, const pass_options& options);
// A line "file:line: warning: PWS_SPLIT: reason" for every mark that no split came of.
std::string mark_warnings(const pass_report& report);

}  // namespace pws::pwscc
