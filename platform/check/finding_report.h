// Findings on the screen and in reports.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "platform/check/described_finding.h"

namespace pws::platform {

// "waits, races: 2 findings, 4100 times"
std::string text(const check_results& r);
// Each finding in full, with what it has to do with and how to mend it.
void print_findings(std::ostream& out, const check_results& r);
nlohmann::ordered_json to_json(const check_results& r);

}  // namespace pws::platform
