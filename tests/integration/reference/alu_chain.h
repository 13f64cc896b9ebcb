// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tests/integration/reference/kernel_case.h"

namespace pws::reference {

// data after sw/kernels/alu_chain.hip.
std::vector<float> alu_chain(std::vector<float> data, float m, float c, uint32_t steps);
// The launch for n > 0 work-items, for tests of timing that choose their own length.
kernel_case alu_chain_case(const std::string& name, uint32_t n, uint32_t steps);
std::vector<case_entry> alu_chain_cases();

}  // namespace pws::reference
