// SPDX-License-Identifier: Apache-2.0
#include "models/isa/code/alu_words.h"

#include "models/isa/code/source_field.h"

namespace pws::isa {

namespace {

bool has(const opcode_row& row, uint32_t flag) {
  return (row.flags & flag) != 0;
}

uint32_t short_word(const opcode_row& row, const vector_fields& f, unsigned src0) {
  const unsigned src1 = f.src[1] & 0xff;
  const uint32_t op = row.opcode;
  switch (row.native) {
    case format::vop1:
      return 0x7e000000u | (f.dst & 0xff) << 17 | op << 9 | src0;
    case format::vopc:
      return 0x7c000000u | op << 17 | src1 << 9 | src0;
    default:
      return op << 25 | (f.dst & 0xff) << 17 | src1 << 9 | src0;
  }
}

unsigned vop3_opcode(const opcode_row& row) {
  return row.opcode + (row.native == format::vop1 ? 0x140u : row.native == format::vop2 ? 0x100u : 0u);
}

}  // namespace

unsigned source_count(const opcode_row& row) {
  unsigned n = 0;
  while (n < 3 && row.src[n] != type::none) ++n;
  return n;
}

bool wants_scalar(const opcode_row& row, unsigned source) {
  return has(row, ignores_exec) && (source == 1 || has(row, reads_dst));
}

std::vector<vector_encoding> encodings_of(const opcode_row& row) {
  std::vector<vector_encoding> all;
  if (row.native != format::vop3) all.push_back(vector_encoding::e32);
  if (!has(row, no_vop3)) all.push_back(vector_encoding::vop3);
  if (row.native != format::vop3 && !has(row, no_sdwa)) all.push_back(vector_encoding::sdwa);
  if (row.native != format::vop3 && !has(row, no_dpp)) all.push_back(vector_encoding::dpp);
  return all;
}

vector_fields plain_fields(const opcode_row& row) {
  vector_fields f;
  for (unsigned k = 0; k < 3; ++k)
    if (wants_scalar(row, k)) f.src[k] = 6 + k;
  if (has(row, reads_vcc)) f.src[source_count(row)] = field::vcc;
  return f;
}

void encode_vector(const opcode_row& row, vector_encoding encoding, const vector_fields& f, uint32_t (&words)[2]) {
  switch (encoding) {
    case vector_encoding::e32:
      words[0] = short_word(row, f, f.src[0]);
      words[1] = f.literal;
      break;
    case vector_encoding::vop3: {
      const bool carry = has(row, writes_vcc);
      words[0] = 0xd0000000u | vop3_opcode(row) << 16 | (f.clamp ? 1u : 0u) << 15 |
                 (carry ? f.sdst << 8 : f.reserved << 11 | f.abs << 8) | (f.dst & 0xff);
      words[1] = f.neg << 29 | f.omod << 27 | f.src[2] << 18 | f.src[1] << 9 | f.src[0];
      break;
    }
    case vector_encoding::sdwa:
      words[0] = short_word(row, f, field::sdwa);
      words[1] = (f.src[0] & 0xff) | f.dst_sel << 8 | f.dst_unused << 11 | (f.clamp ? 1u : 0u) << 13 |
                 (f.reserved & 3) << 14 | f.sel[0] << 16 | (f.sext[0] ? 1u : 0u) << 19 | (f.neg & 1) << 20 |
                 (f.abs & 1) << 21 | f.sel[1] << 24 | (f.sext[1] ? 1u : 0u) << 27 | (f.neg >> 1 & 1) << 28 |
                 (f.abs >> 1 & 1) << 29;
      break;
    case vector_encoding::dpp:
      words[0] = short_word(row, f, field::dpp);
      words[1] = (f.src[0] & 0xff) | f.dpp_ctrl << 8 | (f.reserved & 3) << 17 | (f.bound_ctrl ? 1u : 0u) << 19 |
                 (f.neg & 1) << 20 | (f.abs & 1) << 21 | (f.neg >> 1 & 1) << 22 | (f.abs >> 1 & 1) << 23 |
                 f.bank_mask << 24 | f.row_mask << 28;
      break;
  }
}

uint32_t scalar_word(const opcode_row& row, uint32_t dst, uint32_t src0, uint32_t src1, uint32_t simm) {
  const uint32_t op = row.opcode;
  switch (row.native) {
    case format::sop2:
      return 0x80000000 | op << 23 | dst << 16 | src1 << 8 | src0;
    case format::sop1:
      return 0xbe800000 | dst << 16 | op << 8 | src0;
    case format::sopc:
      return 0xbf000000 | op << 16 | src1 << 8 | src0;
    case format::sopk:
      return 0xb0000000 | op << 23 | dst << 16 | simm;
    default:
      return 0xbf800000 | op << 16 | simm;
  }
}

}  // namespace pws::isa
