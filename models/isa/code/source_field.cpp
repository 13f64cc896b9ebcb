// SPDX-License-Identifier: Apache-2.0
#include "models/isa/code/source_field.h"

#include <fmt/format.h>

#include "models/isa/wave_state.h"

namespace pws::isa {

namespace {

// 0.5 -0.5 1 -1 2 -2 4 -4 1/(2 pi)
constexpr uint16_t half_constants[] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118};
constexpr uint32_t float_constants[] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
                                        0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983};
constexpr uint64_t double_constants[] = {0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000,
                                         0xbff0000000000000, 0x4000000000000000, 0xc000000000000000,
                                         0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882};

constexpr bool is_16_bit(type t) {
  return t == type::b16 || t == type::u16 || t == type::i16 || t == type::f16;
}

}  // namespace

uint64_t inline_constant(unsigned encoded, type t) {
  const bool wide = dwords_of(t) == 2;
  if (encoded >= field::half) {
    const unsigned i = encoded - field::half;
    if (wide) return double_constants[i];
    return is_16_bit(t) ? half_constants[i] : float_constants[i];
  }
  const int64_t v = encoded < field::minus_one ? static_cast<int64_t>(encoded) - field::zero
                                               : int64_t{field::minus_one} - 1 - static_cast<int64_t>(encoded);
  const auto u = static_cast<uint64_t>(v);
  if (wide) return u;
  return u & (is_16_bit(t) ? 0xffffu : 0xffffffffu);
}

uint64_t literal_constant(uint32_t literal, type t) {
  if (t == type::f64) return uint64_t{literal} << 32;
  if (t == type::i64) return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(literal)));
  return is_16_bit(t) ? literal & 0xffffu : literal;
}

operand scalar_operand(unsigned encoded, unsigned dwords) {
  if (encoded >= field::scalar_end) throw field_error(fmt::format("field {} is not a scalar register", encoded));
  if (encoded == field::reserved_125) throw field_error("scalar register field 125 is reserved");
  if (encoded == field::m0) {
    if (dwords != 1) throw field_error("m0 used as more than 32 bits");
  } else {
    const unsigned alignment = dwords >= 4 ? 4 : dwords;
    const unsigned end = encoded < field::sgpr_end                             ? field::sgpr_end
                         : encoded >= field::ttmp && encoded < field::ttmp_end ? unsigned{field::ttmp_end}
                                                                               : (encoded & ~1u) + 2;
    if (encoded % alignment != 0)
      throw field_error(fmt::format("scalar register run of {} misaligned at {}", dwords, encoded));
    if (encoded + dwords > end)
      throw field_error(fmt::format("run of {} scalar registers from {} leaves the file", dwords, encoded));
  }
  operand o;
  o.kind = operand_kind::scalar;
  o.dwords = static_cast<uint8_t>(dwords);
  o.index = static_cast<uint16_t>(encoded);
  o.encoded = static_cast<uint16_t>(encoded);
  return o;
}

operand vgpr_operand(unsigned row, unsigned dwords) {
  if (row + dwords > 256)
    throw field_error(fmt::format("run of {} vector registers from v{} leaves the file", dwords, row));
  operand o;
  o.kind = operand_kind::vgpr;
  o.dwords = static_cast<uint8_t>(dwords);
  o.index = static_cast<uint16_t>(row);
  o.encoded = static_cast<uint16_t>(field::vgpr + row);
  return o;
}

operand source_operand(unsigned encoded, type t) {
  const unsigned dwords = dwords_of(t);
  if (encoded >= field::vgpr) return vgpr_operand(encoded - field::vgpr, dwords);
  if (encoded < field::scalar_end) return scalar_operand(encoded, dwords);
  operand o;
  o.dwords = static_cast<uint8_t>(dwords);
  o.encoded = static_cast<uint16_t>(encoded);
  if (is_inline_constant(encoded)) {
    o.kind = operand_kind::constant;
    o.value = inline_constant(encoded, t);
    return o;
  }
  switch (encoded) {
    case field::vccz:
      o.kind = operand_kind::vccz;
      return o;
    case field::execz:
      o.kind = operand_kind::execz;
      return o;
    case field::scc:
      o.kind = operand_kind::scc;
      return o;
    case field::literal:
      o.kind = operand_kind::constant;
      return o;
    case field::lds_direct:
      throw field_error("lds_direct sources are not supported");
    default:
      throw field_error(fmt::format("source field {} is reserved", encoded));
  }
}

}  // namespace pws::isa
