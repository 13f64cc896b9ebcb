// `pwsvp hipcc`: compiles and links HIP programs as `hipcc` does, for the machine: for `HIPCC="pwsvp hipcc"` in
// Makefiles.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace pws::platform {

// For the help; everything behind `hipcc` is the compiler's, so it is not parsed.
CLI::App* add_hipcc_command(CLI::App& app);

// `pwsvp hipcc` with something behind it other than --help alone.
bool asks_for_hipcc(int argc, char** argv);

// What clang is to be called with, where hipcc would be called with `words`. `flags`: those of the machine.
std::vector<std::string> clang_arguments(const std::vector<std::string>& words, const std::vector<std::string>& flags);

// Becomes the compiler: its exit code is the command's. Returns only by throwing input_error (no compiler, no device
// libraries).
int hipcc_command(const std::vector<std::string>& words);

}  // namespace pws::platform
