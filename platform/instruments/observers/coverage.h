// SPDX-License-Identifier: Apache-2.0
// Which source lines of kernels ran, and how often (--coverage), as lcov and genhtml read it: a tracefile in the format
// of geninfo(1), "FILES".
#pragma once

#include <string>

#include "platform/instruments/observers/profile.h"

namespace pws::platform {

// One record per source file that has code, in the order of their paths. A line's count is that of the instruction of
// the line that wavefronts executed most, added up over functions and code objects; a function's is that of its first
// instruction.
std::string coverage_text(const profile& p);

// "a.out, b.hsaco": the code objects without line tables, of which there is no coverage, each once; "": none.
std::string objects_without_lines(const profile& p);

// Writes the file of --coverage, and warns on standard error of code objects without line tables, and where there are
// no kernels at all, and so no file. Throws input_error, also where no code object has any.
void write_coverage(const std::string& path, const profile& p);

}  // namespace pws::platform
