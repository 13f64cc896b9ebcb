// SPDX-License-Identifier: Apache-2.0
// Arguments of a compiler that are in a file: `@FILE` on a command line.
#pragma once

#include <string>
#include <vector>

namespace pws::loader {

// Each `@FILE` replaced by the words of that file, which may name further ones; `@FILE` without such a file stays, as
// compilers have it. Words are separated by spaces and line ends; quotes hold a word together, and a backslash takes
// the next character as it is (GCC and clang: "@file"). Throws input_error: files that name each other in a circle.
std::vector<std::string> with_response_files(const std::vector<std::string>& words);

}  // namespace pws::loader
