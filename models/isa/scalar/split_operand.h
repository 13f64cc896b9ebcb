// SPDX-License-Identifier: Apache-2.0
// The operand of PWS's split: ssrc0 gives the mask bits of work-items 0-31, ssrc1 of 32-63. EXEC as an operand is, as
// everywhere, EM & SpM.
#pragma once

#include "models/isa/scalar/scalar_executors.h"

namespace pws::isa {

inline uint64_t split_operand(const wave_state& w, const inst& i) {
  return read_operand<uint32_t>(w, i, i.src[0]) | uint64_t{read_operand<uint32_t>(w, i, i.src[1])} << 32;
}

}  // namespace pws::isa
