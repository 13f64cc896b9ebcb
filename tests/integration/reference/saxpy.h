// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tests/integration/reference/kernel_case.h"

namespace pws::reference {

// y after sw/kernels/saxpy.hip; x and y have the same size.
std::vector<float> saxpy(float a, const std::vector<float>& x, const std::vector<float>& y);
std::vector<case_entry> saxpy_cases();

}  // namespace pws::reference
