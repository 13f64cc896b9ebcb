// SPDX-License-Identifier: Apache-2.0
// The loop of a prompt: asks for commands until one lets the machine go on.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

#include "platform/debug/prompt/input.h"

namespace pws::platform::debug {

class command_asker {
 public:
  // Commands of scripts are shown on `out`, what is wrong with one is said on `problems`.
  command_asker(std::ostream& out, std::ostream& problems, command_input& input)
      : out_(out), problems_(problems), input_(input) {}

  // What is asked for commands.
  struct user {
    std::function<void()> asked;                      // one has come, or there are no more
    std::function<bool(const std::string&)> execute;  // whether the machine goes on; throws input_error
    std::function<const std::string&()> latest;       // what an empty line at a terminal repeats
  };
  // False: there are no more commands.
  bool ask(const user& u);
  // Commands of scripts that were wrong.
  uint64_t wrong_commands() const { return wrong_; }
  void take_wrong_commands(uint64_t n) { wrong_ = n; }

 private:
  std::ostream& out_;
  std::ostream& problems_;
  command_input& input_;
  uint64_t wrong_ = 0;
};

}  // namespace pws::platform::debug
