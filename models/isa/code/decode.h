// SPDX-License-Identifier: Apache-2.0
// Decoding in two steps, for the disassembler and the tests: fields first, then the check that the machine can execute
// it.
#pragma once

#include <cstdint>

#include "models/isa/inst.h"

namespace pws::isa {

// As decode(), but accepts rows without semantics: exec stays nullptr.
inst decode_fields(const uint32_t* words, unsigned n_words, uint64_t pc);

}  // namespace pws::isa
