// SPDX-License-Identifier: Apache-2.0
// pwsvp disasm: the functions of a program as assembly text.
#pragma once

#include <iosfwd>
#include <string>

namespace pws::platform {

struct disassemble_options {
  std::string file;
  std::string kernel;     // empty: every function
  bool branches = false;  // its branches in place of its instructions
};

// Address, raw dwords and text of each instruction, with labels at branch targets. Throws input_error.
void disassemble_program(std::ostream& out, const disassemble_options& o);

}  // namespace pws::platform
