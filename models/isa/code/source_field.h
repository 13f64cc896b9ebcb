// SPDX-License-Identifier: Apache-2.0
// Source and destination fields of the encodings, turned into operands (GCN3 ISA, "SSRC", "SDST" and "SRC" tables).
// Internal to the decoder; the disassembler shares the field values.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "models/isa/bit_field.h"
#include "models/isa/inst.h"
#include "models/isa/opcode_row.h"

namespace pws::isa {

// Values of a 9-bit source field that are not plain registers.
namespace field {
constexpr unsigned sgpr_end = 102;
constexpr unsigned flat_scratch = 102, xnack_mask = 104, vcc = 106, tba = 108, tma = 110, ttmp = 112, ttmp_end = 124;
constexpr unsigned m0 = 124, reserved_125 = 125, exec = 126, scalar_end = 128;
constexpr unsigned zero = 128, minus_one = 193, int_end = 209;
constexpr unsigned half = 240, inv_2pi = 248;
constexpr unsigned sdwa = 249, dpp = 250, vccz = 251, execz = 252, scc = 253, lds_direct = 254, literal = 255;
constexpr unsigned vgpr = 256;
}  // namespace field

// Why a field cannot be decoded; the decoder adds the raw words and throws program_error.
class field_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

constexpr bool is_inline_constant(unsigned encoded) {
  return (encoded >= field::zero && encoded < field::int_end) || (encoded >= field::half && encoded <= field::inv_2pi);
}

// Bits of an inline constant as an operand of type `t` reads it: integers sign-extended to the operand's width, floats
// in the format of that width (a 64-bit integer operand reads 1.0 as a double, a 16-bit one as a half).
uint64_t inline_constant(unsigned encoded, type t);

// Bits of a 32-bit literal as an operand of type `t` reads it: the high half of a double, sign-extended for i64,
// zero-extended for the other 64-bit types, the low half for 16-bit ones.
uint64_t literal_constant(uint32_t literal, type t);

// A run of scalar registers starting at a 7-bit field. Throws field_error for reserved fields, misaligned runs and runs
// that leave the register file.
operand scalar_operand(unsigned encoded, unsigned dwords);
operand vgpr_operand(unsigned row, unsigned dwords);

// A source field of 8 bits (scalar formats) or 9 bits (vector formats). A literal's value is left to the caller, who
// knows where the literal is: kind is constant and encoded is field::literal.
operand source_operand(unsigned encoded, type t);

}  // namespace pws::isa
