// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tests/integration/reference/kernel_case.h"

namespace pws::reference {

// data after sw/kernels/fully_divergent.hip, launched with workgroups of `workgroup` work-items.
std::vector<uint32_t> fully_divergent(std::vector<uint32_t> data, uint64_t then_mask, uint32_t rounds,
                                      uint32_t workgroup);
// The launch for n > 0 work-items (workgroups of min(n, 256)), for tests of timing that choose their own mask and
// rounds.
kernel_case fully_divergent_case(const std::string& name, uint32_t n, uint64_t then_mask, uint32_t rounds);
std::vector<case_entry> fully_divergent_cases();

}  // namespace pws::reference
