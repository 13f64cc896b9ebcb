// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tests/integration/reference/kernel_case.h"

namespace pws::reference {

// bins (256 of them) of sw/kernels/histogram.hip after the launch.
std::vector<uint32_t> histogram(const std::vector<uint8_t>& data, std::vector<uint32_t> bins);
std::vector<case_entry> histogram_cases();

}  // namespace pws::reference
