// SPDX-License-Identifier: Apache-2.0
// The worst case by line of the source: pages and profiles for a person to read. They are of the scheme that
// wcet_result::explained names.
#pragma once

#include <string>

#include "platform/wcet/wcet_analysis.h"

namespace pws::platform {

// The scheme whose worst case is explained: the chosen one; else that of the machine; else PWS.
wcet::scheme scheme_to_explain(const wcet_result& r, std::optional<wcet::scheme> chosen);

// All launches as one page that needs nothing else. The cycles of a launch's lines, with what the page says is of no
// line, add up to its E_WF.
std::string annotated_html(const wcet_program& p);

// All launches as one profile for kcachegrind and callgrind_annotate. Its total is the sum of their E_WF.
std::string annotated_callgrind(const wcet_program& p);

}  // namespace pws::platform
