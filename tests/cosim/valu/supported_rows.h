// SPDX-License-Identifier: Apache-2.0
// The instructions that the RTL's vector ALU must do, by group; it must do no other.
#pragma once

#include <string>
#include <vector>

#include "models/isa/opcode_row.h"

namespace pws::cosim {

struct row_group {
  std::string name;
  std::vector<std::string> mnemonics;
};

const std::vector<row_group>& supported_groups();
// Is the row in one of the groups?
bool must_support(const isa::opcode_row& row);
// The vector row of that name; throws std::out_of_range if there is none.
const isa::opcode_row& vector_row_named(const std::string& mnemonic);

}  // namespace pws::cosim
