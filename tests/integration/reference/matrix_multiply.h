// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tests/integration/reference/kernel_case.h"

namespace pws::reference {

// c of sw/kernels/matrix_multiply.hip: n * n row-major, n > 0. Products and sums must not be denormal (they are not
// flushed here).
std::vector<float> matrix_multiply(const std::vector<float>& a, const std::vector<float>& b, uint32_t n);
std::vector<case_entry> matrix_multiply_cases();

}  // namespace pws::reference
