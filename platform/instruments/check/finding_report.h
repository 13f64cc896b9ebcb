// SPDX-License-Identifier: Apache-2.0
// Findings on the screen and in reports.
#pragma once

#include <iosfwd>
#include <string>

#include "base/output/report_part.h"
#include "platform/instruments/check/described_finding.h"

namespace pws::platform {

// "waits, races: 2 findings, 4100 times". `not_run`: launches that failed or did not begin, whose instructions have not
// all been looked at.
std::string text(const check_results& r, uint64_t not_run = 0);
// One finding, with what it has to do with and how to mend it: `margin` in front of each line. No line break at the
// end.
std::string text(const described_finding& d, const std::string& margin = "");
// Each finding in full, with what it has to do with and how to mend it.
void print_findings(std::ostream& out, const check_results& r);
const report_part<check_results>& findings_part();

}  // namespace pws::platform
