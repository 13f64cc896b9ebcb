// SPDX-License-Identifier: Apache-2.0
// `pwsvp hipcc`: compiles and links HIP programs as `hipcc` does, for the machine: for `HIPCC="pwsvp hipcc"` in
// Makefiles.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace pws::platform {

// For the help; everything behind `hipcc` is the compiler's, so it is not parsed.
CLI::App* add_hipcc_command(CLI::App& app);

// What is behind `pwsvp hipcc`, or behind the program's other name, `hipcc`. nullopt: it is called for something else,
// or for `pwsvp hipcc --help`.
std::optional<std::vector<std::string>> hipcc_words(int argc, char** argv);

// Becomes the compiler: its exit code is the command's. Returns only by throwing input_error (no compiler, no device
// libraries).
int hipcc_command(const std::vector<std::string>& words);

}  // namespace pws::platform
