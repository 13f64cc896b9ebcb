// SPDX-License-Identifier: Apache-2.0
// What a machine that forms warps counted (divergence pdom, naive, dwf, mimd), as text.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "platform/report/machine_counters.h"

namespace pws::platform {

// Rows of a report: label and text.
std::vector<std::pair<const char*, std::string>> formation_rows(const machine_counters& n,
                                                                const models::counted_on& on);

}  // namespace pws::platform
