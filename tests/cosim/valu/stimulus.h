// SPDX-License-Identifier: Apache-2.0
// Constrained-random stimuli of the vector ALU: instruction words in every encoding of a row, and the state they meet.
#pragma once

#include <cstdint>
#include <vector>

#include "models/isa/code/alu_words.h"
#include "models/isa/opcode_row.h"
#include "models/isa/wave_state.h"
#include "tests/cosim/valu/random_source.h"

namespace pws::cosim {

using encoding_kind = isa::vector_encoding;
using isa::encodings_of;

// The row's instruction with plain operands v1, v2, v3 (scalars where it needs them), destination v4 or s[4:5], no
// modifiers: legal.
void plain_words(const isa::opcode_row& row, encoding_kind kind, uint32_t (&words)[2]);

// The same with random operands and modifiers: mostly legal, at times with a field or modifier that is not.
void random_words(const isa::opcode_row& row, encoding_kind kind, random_source& random, uint32_t (&words)[2]);

// A 32-bit operand: one of the classes that make trouble for integers and floats, or uniform.
uint32_t random_operand(random_source& random);

// EXEC, split mask, VCC, MODE, SCC and scalar registers.
void randomise_scalars(isa::wave_state& s, random_source& random);
// Two rows at random: neighbouring values, or values unrelated to each other. Row numbers may be equal.
void randomise_rows(isa::wave_state& s, unsigned row, unsigned other, random_source& random);

}  // namespace pws::cosim
