// SPDX-License-Identifier: Apache-2.0
// pwsvp disasm --branches: the branches of a program's kernels, and which are uniform in every run.
#pragma once

#include <iosfwd>
#include <string>

#include "sw/loader/program_image.h"

namespace pws::platform {

// Lists the branches of one kernel, or of all if the name is empty. Has source lines where the code object carries its
// assembly, as pwscc's output does. Throws input_error.
void list_branches(std::ostream& out, const loader::program_image& program, const std::string& kernel);

}  // namespace pws::platform
