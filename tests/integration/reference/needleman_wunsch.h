// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tests/integration/reference/kernel_case.h"

namespace pws::reference {

using substitution_table = std::array<int32_t, 16>;  // row-major: symbol of a, symbol of b

// The score matrix, (n + 1) * (n + 1) row-major, borders -gap * index. Symbols are 0..3; a and b have the same size.
std::vector<int32_t> needleman_wunsch(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b,
                                      const substitution_table& substitution, int32_t gap);
std::vector<case_entry> needleman_wunsch_cases();

}  // namespace pws::reference
