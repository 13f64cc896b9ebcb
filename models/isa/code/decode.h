// SPDX-License-Identifier: Apache-2.0
// Words of code as instructions, and instructions as text.
#pragma once

#include <cstdint>
#include <string>

#include "models/isa/inst.h"

namespace pws::isa {

// Decodes the instruction at `words` (n_words dwords readable, at least 1), which lies at device address `pc`.
// Throws program_error("illegal instruction ...") naming the raw words where no row matches, and "unimplemented ..."
// with the mnemonic where the row is known but has no semantics.
inst decode(const uint32_t* words, unsigned n_words, uint64_t pc);
// The same, but a row without semantics is decoded too: exec stays nullptr.
inst decode_fields(const uint32_t* words, unsigned n_words, uint64_t pc);

// Assembly text as llvm-mc prints it for gfx803 (no leading tab, operands separated by ", "). Branch targets are
// printed as llvm-mc prints them without symbols (the 16-bit dword offset).
std::string disassemble(const inst& i);
// How many of the words are one instruction, as disassemble_words() shows it: also where there is no such opcode, by
// what its encoding says of literals and second halves.
unsigned instruction_dwords(const uint32_t* words, unsigned n_words, uint64_t pc);
// disassemble() or, for words that are no instruction, ".long 0x........" with all words of its encoding.
std::string disassemble_words(const uint32_t* words, unsigned n_words, uint64_t pc);

}  // namespace pws::isa
