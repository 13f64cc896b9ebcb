// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tests/integration/reference/kernel_case.h"

namespace pws::reference {

// partial of sw/kernels/reduction.hip, one sum per workgroup of `workgroup` elements (a power of two).
std::vector<int32_t> reduction(const std::vector<int32_t>& in, uint32_t workgroup);
std::vector<float> reduction_f32(const std::vector<float>& in, uint32_t workgroup);
std::vector<case_entry> reduction_cases();

}  // namespace pws::reference
