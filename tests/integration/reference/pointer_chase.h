// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tests/integration/reference/kernel_case.h"

namespace pws::reference {

// One cycle through `nodes` elements that lie `stride` elements apart, in random order; elements between them are 0.
// nodes * stride elements; nodes > 0, stride > 0.
std::vector<uint32_t> random_ring(uint64_t seed, uint32_t nodes, uint32_t stride);
// The index that the kernels of sw/kernels/pointer_chase.hip store.
uint32_t pointer_chase(const std::vector<uint32_t>& ring, uint32_t start, uint32_t hops);
std::vector<case_entry> pointer_chase_cases();

}  // namespace pws::reference
