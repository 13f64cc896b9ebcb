// SPDX-License-Identifier: Apache-2.0
// Where a prompt's commands come from: files and options first, then standard input.
#pragma once

#include <cstdint>
#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "platform/debug/prompt/line_editor.h"

namespace pws::platform::debug {

// A command as it was given.
struct command_text {
  std::string text;
  std::string where;         // "commands.txt:3", "-ex"; "" of standard input
  bool interactive = false;  // typed at a terminal
};

class command_input {
 public:
  // The files' lines come first, then `commands`. Throws input_error if a file cannot be read.
  command_input(const std::vector<std::string>& files, const std::vector<std::string>& commands);

  // What the tabulator key offers where somebody types.
  void complete_with(completions c);
  // The next one; none: there are no more. `prompt` is shown where somebody types.
  std::optional<command_text> next(const std::string& prompt);
  // What has not been used yet, and what can be called up again: as stop_listener's.
  nlohmann::json state() const;
  void take_state(const nlohmann::json& j);

 private:
  std::optional<std::string> typed(const std::string& prompt);

  std::deque<command_text> given_;
  const bool terminal_;
  const std::unique_ptr<line_editor> editor_;  // nullptr: lines come as they are
  std::string read_;                           // from standard input, and not used yet
  uint64_t line_ = 0;
};

}  // namespace pws::platform::debug
