// SPDX-License-Identifier: Apache-2.0
// Instructions that exist on GCN3 but not here: what graphics needs and a few that no compute program has a use for.
// Known so that the decoder can refuse them by name.
#pragma once

#include <cstdint>
#include <vector>

namespace pws::isa {

// In which they are.
enum class encoding : uint8_t { vintrp, vop3, mubuf, mtbuf, smem, exp, mimg };
// An instruction that the machine does not have.
struct refused_name {
  encoding where;
  uint16_t opcode;
  const char* mnemonic;
};
const std::vector<refused_name>& refused_names();
// The mnemonic, or nullptr where there is no such instruction.
const char* refused_mnemonic(encoding where, unsigned opcode);

}  // namespace pws::isa
