// SPDX-License-Identifier: Apache-2.0
// Encodings of a row in each of its legal forms, for comparison with LLVM. Written from the ISA's field tables, not
// with the decoder's help.
#pragma once

#include <vector>

#include "models/isa/opcode_row.h"
#include "tests/isa/llvm_tools.h"

namespace pws::isa::test {

struct encoding {
  const opcode_row* row;
  words code;
  // The text does not lead back to the same words: bits that the assembler writes differently or a shorter encoding.
  bool text_only = false;
};

// Appends the row's encodings: every operand through the values that matter, one at a time.
void add_scalar_encodings(const opcode_row& row, std::vector<encoding>& to);
void add_vector_encodings(const opcode_row& row, std::vector<encoding>& to);
void add_memory_encodings(const opcode_row& row, std::vector<encoding>& to);
void add_image_encodings(const opcode_row& row, std::vector<encoding>& to);

std::vector<encoding> all_encodings();

// Shared by the generators.
enum source_field : unsigned { literal_field = 255, sdwa_field = 249, dpp_field = 250, first_vgpr = 256 };
// Scalar registers of that many dwords: the ends of each file and the named ones.
std::vector<unsigned> scalar_registers(unsigned dwords, bool writable);
// ... and the constants that a source of that type can have, without the literal.
std::vector<unsigned> scalar_sources(type t);

}  // namespace pws::isa::test
