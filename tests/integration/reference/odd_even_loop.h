// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tests/integration/reference/kernel_case.h"

namespace pws::reference {

// data of sw/kernels/odd_even_loop.hip.
std::vector<uint32_t> odd_even_loop(std::vector<uint32_t> data, uint32_t iterations);
std::vector<case_entry> odd_even_loop_cases();

}  // namespace pws::reference
