// SPDX-License-Identifier: Apache-2.0
// Sizes and offsets that must be multiples of something.
#pragma once

#include <cstdint>

namespace pws {

// The least multiple of `multiple` (not 0) that is not below `value`; the sum of both must not wrap around.
constexpr uint64_t round_up(uint64_t value, uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace pws
