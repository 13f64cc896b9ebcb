// Words of the scalar formats.
#pragma once

#include "models/isa/opcode_row.h"

namespace pws::test {

// The first dword of the row's instruction: what its format has of the fields (GCN3 ISA, chapter 13, SOP1 to SOPP).
inline uint32_t scalar_word(const isa::opcode_row& row, uint32_t dst, uint32_t src0, uint32_t src1, uint32_t simm) {
  const uint32_t op = row.opcode;
  switch (row.native) {
    case isa::format::sop2:
      return 0x80000000 | op << 23 | dst << 16 | src1 << 8 | src0;
    case isa::format::sop1:
      return 0xbe800000 | dst << 16 | op << 8 | src0;
    case isa::format::sopc:
      return 0xbf000000 | op << 16 | src1 << 8 | src0;
    case isa::format::sopk:
      return 0xb0000000 | op << 23 | dst << 16 | simm;
    default:
      return 0xbf800000 | op << 16 | simm;
  }
}

}  // namespace pws::test
