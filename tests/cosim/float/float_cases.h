// SPDX-License-Identifier: Apache-2.0
// The instructions that the floating-point units execute, in the groups they are tested in.
#pragma once

#include <vector>

#include "tests/cosim/float/float_operands.h"
#include "tests/cosim/float/float_unit.h"

namespace pws::rtl_test {

struct float_case {
  const char* group;
  const char* mnemonic;
  fpu_op op;
  operand_class sources[3];
  operand_relation related = operand_relation::none;
  unsigned relation = 0;  // of a compare
  precision unit = precision::single_precision;
};

// Every operation of fpu_op at least once.
const std::vector<float_case>& float_cases();
std::vector<const char*> float_groups();

}  // namespace pws::rtl_test
