// SPDX-License-Identifier: Apache-2.0
// Completion in bash, zsh and fish. Their scripts ask the program itself what could stand where the cursor is
// (`pwsvp __complete WORD...`), so that commands, options and keys are always those of the program that is there.
#pragma once

#include <array>
#include <iosfwd>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "platform/commands/command_form.h"

namespace pws::platform {

enum class shell : uint8_t { bash, zsh, fish };
constexpr auto enumerators(shell) {
  using e = shell;
  return std::array{named{e::bash, "bash"}, named{e::zsh, "zsh"}, named{e::fish, "fish"}};
}

// The name by which scripts ask.
inline constexpr const char* complete_command = "__complete";

// A script for pwsvp and pwscc that the shell is to read.
const char* completion_script(shell s);

struct candidate {
  std::string word;  // whole; after one that ends in "=" or "." more is to come
  std::string help;
};
struct candidates {
  std::vector<candidate> words;
  bool folders = false, files = false;  // of the file system besides
  std::vector<std::string> endings;     // of those files; empty: any
};

// What could stand in place of the last of `words`, of which so much is there already; the first is the program.
candidates complete(const std::vector<command_form>& commands, const std::vector<std::string>& words);

// A candidate a line, its help behind a tab; then ":folders", or ":files" and their endings.
void print(std::ostream& out, const candidates& c);

}  // namespace pws::platform
