// Scalar instructions as dwords.
#pragma once

#include <cstdint>

#include "models/isa/opcode_row.h"

namespace pws::isa::test {

// `b`: source 1, or the immediate of SOPK and SOPP.
inline uint32_t scalar_word(const opcode_row& row, unsigned d, unsigned a, unsigned b) {
  const uint32_t op = row.opcode;
  switch (row.native) {
    case format::sop2:
      return 0x80000000u | op << 23 | d << 16 | b << 8 | a;
    case format::sop1:
      return 0xbe800000u | d << 16 | op << 8 | a;
    case format::sopc:
      return 0xbf000000u | op << 16 | b << 8 | a;
    case format::sopk:
      return 0xb0000000u | op << 23 | d << 16 | b;
    default:
      return 0xbf800000u | op << 16 | b;
  }
}

}  // namespace pws::isa::test
