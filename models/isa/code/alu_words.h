// SPDX-License-Identifier: Apache-2.0
// Words of ALU instructions, made from a row of the instruction tables (GCN3 ISA, chapter 13 "Microcode Formats"):
// for whoever has to have an instruction of every row and encoding.
#pragma once

#include <cstdint>
#include <vector>

#include "models/isa/opcode_row.h"

namespace pws::isa {

// Encodings of the vector formats. e32 is the row's own format, with a literal if a source says so.
enum class vector_encoding : uint8_t { e32, vop3, sdwa, dpp };

// Encodings that the row has.
std::vector<vector_encoding> encodings_of(const opcode_row& row);

// Fields as encoded; of those that an encoding has not, nothing is taken. As it is made: v4 or s[4:5] from v1, v2, v3,
// without modifiers.
struct vector_fields {
  unsigned dst = 4, sdst = 4;
  unsigned src[3] = {257, 258, 259};  // 9 bits
  unsigned neg = 0, abs = 0, omod = 0, reserved = 0;
  bool clamp = false;
  unsigned dst_sel = 6, dst_unused = 0, sel[2] = {6, 6};
  bool sext[2] = {false, false};
  unsigned dpp_ctrl = 0xe4, row_mask = 15, bank_mask = 15;  // each work-item its own
  bool bound_ctrl = false;
  uint32_t literal = 0;
};
// Those that are legal for the row: scalars where it needs them.
vector_fields plain_fields(const opcode_row& row);
// The instruction's two dwords; the second one does not count where the encoding has one.
void encode_vector(const opcode_row& row, vector_encoding encoding, const vector_fields& f, uint32_t (&words)[2]);
// How many sources a row has in its own format.
unsigned source_count(const opcode_row& row);
// Whether that source has to be a scalar register or a constant (v_readlane, v_writelane).
bool wants_scalar(const opcode_row& row, unsigned source);

// The first dword of a scalar instruction: what the row's format has of these fields.
uint32_t scalar_word(const opcode_row& row, uint32_t dst, uint32_t src0, uint32_t src1, uint32_t simm);

}  // namespace pws::isa
