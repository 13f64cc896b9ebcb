// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tests/integration/reference/kernel_case.h"

namespace pws::reference {

// steps of sw/kernels/divergent_break.hip.
std::vector<uint32_t> divergent_break(const std::vector<uint32_t>& start, uint32_t limit);
std::vector<case_entry> divergent_break_cases();

}  // namespace pws::reference
