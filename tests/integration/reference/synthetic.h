// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tests/integration/reference/kernel_case.h"

namespace pws::reference {

// As the macros of sw/kernels/synthetic.hip.
struct synthetic_shape {
  uint32_t paths = 8, divergent = 100, memory = 0, rounds = 16;
};
// data after sw/kernels/synthetic.hip, launched with workgroups of `workgroup` work-items.
std::vector<uint32_t> synthetic(std::vector<uint32_t> data, const std::vector<uint32_t>& table, uint32_t workgroup,
                                const synthetic_shape& shape);
// For the default shape.
std::vector<case_entry> synthetic_cases();

}  // namespace pws::reference
