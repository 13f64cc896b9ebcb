// SPDX-License-Identifier: Apache-2.0
// Fields of instruction words, descriptors and resources, named by their bits as the ISA document does: [high:low].
#pragma once

#include <cstdint>

namespace pws::isa {

// At most 32 of them.
constexpr uint32_t bits(uint32_t word, unsigned high, unsigned low) {
  return (word >> low) & ((uint32_t{2} << (high - low)) - 1);
}

}  // namespace pws::isa
