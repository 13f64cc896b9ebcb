// SPDX-License-Identifier: Apache-2.0
// Scalar instructions as dwords.
#pragma once

#include "models/isa/code/alu_words.h"

namespace pws::isa::test {

// `b`: source 1, or the immediate of SOPK and SOPP.
inline uint32_t scalar_word(const opcode_row& row, unsigned d, unsigned a, unsigned b) {
  return isa::scalar_word(row, d, a, b, b);
}

}  // namespace pws::isa::test
