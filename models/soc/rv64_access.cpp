// SPDX-License-Identifier: Apache-2.0
#include "models/soc/rv64_access.h"

namespace pws::models {

namespace {

using kind = rv64_access::kind;

// Bits [low, low + width) of an instruction.
constexpr uint32_t bits(uint32_t instruction, unsigned low, unsigned width) {
  return instruction >> low & ((1U << width) - 1);
}

constexpr uint8_t register_at(uint32_t instruction, unsigned low) {
  return static_cast<uint8_t>(bits(instruction, low, 5));
}

// x8..x15, which three bits name.
constexpr uint8_t short_register_at(uint32_t instruction, unsigned low) {
  return static_cast<uint8_t>(8 + bits(instruction, low, 3));
}

std::optional<rv64_access> decode_whole(uint32_t i) {
  const uint32_t width = bits(i, 12, 3);
  const auto bytes = static_cast<uint8_t>(1U << (width & 3));
  const auto top = static_cast<int32_t>(i);
  switch (i & 0x7f) {
    case 0x03:  // lb, lh, lw, ld, lbu, lhu, lwu
      if (width == 7) return std::nullopt;
      return rv64_access{kind::load, bytes, width < 4, register_at(i, 15), register_at(i, 7), top >> 20, 4};
    case 0x23: {  // sb, sh, sw, sd
      if (width > 3) return std::nullopt;
      const int64_t offset = (top >> 25) * 32 + static_cast<int64_t>(bits(i, 7, 5));
      return rv64_access{kind::store, bytes, false, register_at(i, 15), register_at(i, 20), offset, 4};
    }
    case 0x2f: {  // lr, sc, amo
      if (width != 2 && width != 3) return std::nullopt;
      const kind what = bits(i, 27, 5) == 2 ? kind::load_reserved : kind::atomic;
      return rv64_access{what, bytes, true, register_at(i, 15), register_at(i, 7), 0, 4};
    }
    default:
      return std::nullopt;
  }
}

std::optional<rv64_access> decode_compressed(uint32_t i) {
  constexpr uint8_t sp = 2;
  // Offsets in multiples of 4 and of 8, of forms with a base register and of those with sp.
  const uint32_t words = bits(i, 10, 3) << 3 | bits(i, 6, 1) << 2 | bits(i, 5, 1) << 6;
  const uint32_t doubles = bits(i, 10, 3) << 3 | bits(i, 5, 2) << 6;
  switch ((i & 3) << 3 | bits(i, 13, 3)) {
    case 0b00'010:  // c.lw
      return rv64_access{kind::load, 4, true, short_register_at(i, 7), short_register_at(i, 2), words, 2};
    case 0b00'011:  // c.ld
      return rv64_access{kind::load, 8, true, short_register_at(i, 7), short_register_at(i, 2), doubles, 2};
    case 0b00'110:  // c.sw
      return rv64_access{kind::store, 4, false, short_register_at(i, 7), short_register_at(i, 2), words, 2};
    case 0b00'111:  // c.sd
      return rv64_access{kind::store, 8, false, short_register_at(i, 7), short_register_at(i, 2), doubles, 2};
    case 0b10'010:  // c.lwsp
      return rv64_access{
          kind::load, 4, true, sp, register_at(i, 7), bits(i, 12, 1) << 5 | bits(i, 4, 3) << 2 | bits(i, 2, 2) << 6, 2};
    case 0b10'011:  // c.ldsp
      return rv64_access{
          kind::load, 8, true, sp, register_at(i, 7), bits(i, 12, 1) << 5 | bits(i, 5, 2) << 3 | bits(i, 2, 3) << 6, 2};
    case 0b10'110:  // c.swsp
      return rv64_access{kind::store, 4, false, sp, register_at(i, 2), bits(i, 9, 4) << 2 | bits(i, 7, 2) << 6, 2};
    case 0b10'111:  // c.sdsp
      return rv64_access{kind::store, 8, false, sp, register_at(i, 2), bits(i, 10, 3) << 3 | bits(i, 7, 3) << 6, 2};
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<rv64_access> decode_access(uint32_t instruction) {
  return (instruction & 3) == 3 ? decode_whole(instruction) : decode_compressed(instruction & 0xffff);
}

}  // namespace pws::models
