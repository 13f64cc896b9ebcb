// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tests/integration/reference/kernel_case.h"

namespace pws::reference {

// c of sw/kernels/vector_add.hip; a and b have the same size.
std::vector<float> vector_add(const std::vector<float>& a, const std::vector<float>& b);
std::vector<case_entry> vector_add_cases();

}  // namespace pws::reference
