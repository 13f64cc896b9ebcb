// SPDX-License-Identifier: Apache-2.0
// C++ source as a list of words and punctuators: enough to find the statement behind a macro.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pws::pwscc {

struct source_token {
  std::string text;  // identifier, number, or a single punctuation character; a string or character literal is "\""
  uint32_t line = 0;
};

// Comments, preprocessor directives and what is in literals (raw strings too) are left out. Never fails: what is not
// closed reaches to the end.
std::vector<source_token> tokenise(const std::string& source);

}  // namespace pws::pwscc
