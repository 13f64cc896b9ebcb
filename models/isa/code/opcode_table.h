// SPDX-License-Identifier: Apache-2.0
// All opcode rows, whatever group they are of.
#pragma once

#include "models/isa/levels/lane_levels.h"
#include "models/isa/rows/rows.h"

namespace pws::isa {

// In the order scalar, vector, memory, image.
const std::vector<const opcode_row*>& all_rows();
// The row with that opcode in that format, or nullptr. Opcode is the native one (VOP3 forms of VOP1/2/C: pass the
// native format).
const opcode_row* find_row(format native, unsigned opcode);

}  // namespace pws::isa
