// SPDX-License-Identifier: Apache-2.0
// What pwscc does with a command line.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace pws::pwscc {

// Exit code: 0 done, 1 clang or the assembler refused (its messages are printed as they are), 2 bad command line, no
// compiler, a file that cannot be written. Outputs are written beside their place and renamed: there is never half of
// one.
// `version`: what --version says first.
int run_pwscc(const std::vector<std::string>& arguments, const std::string& version, std::ostream& out,
              std::ostream& err);

}  // namespace pws::pwscc
