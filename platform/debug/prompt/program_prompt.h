// SPDX-License-Identifier: Apache-2.0
// The debugger in the process of a HIP program, whose runtime has the machine: what `pwsvp debug` hands over by the
// environment, and what becomes of it there.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "platform/debug/prompt/debug_run.h"
#include "platform/debug/prompt/interrupt_handler.h"
#include "platform/debug/prompt/prompt.h"
#include "platform/run/session/instrument.h"

namespace pws::platform::debug {

// The variable of the environment, and what it is to be for these commands. Throws input_error if a file cannot be
// read.
inline constexpr const char* prompt_variable = "PWSVP_DEBUG";
std::string text_for_program(const prompt_commands& given);

class program_prompt : private stop_listener {
 public:
  // That of this process, which stays as long as the process does; nullptr: nobody has asked for one, or another
  // process below the same `pwsvp` has it. `end` ends the process with an exit code; the user has given the program up.
  static program_prompt* of_process(const std::function<void(int)>& end);

  // The session's machine is debugged. One session at a time.
  void add_to(session_options& o) { core_.add_to(o); }

 private:
  program_prompt(const std::string& given, const std::function<void(int)>& end);
  resumption stopped(const stop& s) override;

  command_input input_;
  prompt face_;
  debugger core_;
  interrupt_handler handler_;
};

}  // namespace pws::platform::debug
