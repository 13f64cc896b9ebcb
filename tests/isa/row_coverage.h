// SPDX-License-Identifier: Apache-2.0
// Which rows the tests have executed: the fixtures note every instruction that ran to its end, so that a row without a
// vector cannot hide behind a list.
#pragma once

#include "models/isa/opcode_row.h"

namespace pws::isa::test {

// Called by the fixtures after an instruction has executed. At the end of the process the mnemonics are appended to the
// file that the environment variable PWS_ROW_COVERAGE names, if there is one.
void note_executed(const opcode_row& row);

}  // namespace pws::isa::test
