// SPDX-License-Identifier: Apache-2.0
#include "tests/check/init_fixture.h"

#include "tests/isa/row_coverage.h"

namespace pws::isa::test {

// Which rows have been executed is of interest to the instructions' own tests.
void note_executed(const opcode_row&) {}

}  // namespace pws::isa::test
