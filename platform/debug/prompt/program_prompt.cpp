// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/prompt/program_prompt.h"

#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "platform/config/files/environment_text.h"
#include "platform/config/files/exec_notes.h"

namespace pws::platform::debug {

std::string text_for_program(const prompt_commands& given) {
  return command_input(given.files, given.commands).state().dump();
}

namespace {

debugged_run program_that_ends(const std::function<void(int)>& end, const prompt& face) {
  constexpr int given_up = 0, wrong_command = 2;
  debugged_run about;
  about.launches = 0;
  about.end = [end, &face] { end(face.wrong_commands() == 0 ? given_up : wrong_command); };
  return about;
}

}  // namespace

program_prompt* program_prompt::of_process(const std::function<void(int)>& end) {
  static program_prompt* const here = [&]() -> program_prompt* {
    const std::optional<std::string> given = environment_text(prompt_variable);
    if (!given || !claim_exec(exec_note::debugged)) return nullptr;
    return new program_prompt(*given, end);
  }();
  return here;
}

program_prompt::program_prompt(const std::string& given, const std::function<void(int)>& end)
    : input_({}, {}),
      face_(std::cout, std::cerr, input_),
      core_(*this, program_that_ends(end, face_), {0, 0}),
      handler_(core_) {
  input_.take_state(nlohmann::json::parse(given));
  face_.attach(core_);
}

resumption program_prompt::stopped(const stop& s) {
  std::fflush(stdout);  // what the program has printed comes first
  const resumption r = face_.stopped(s);
  if (face_.wrong_commands() != 0) note_exec(exec_note::wrong_command);
  return r;
}

}  // namespace pws::platform::debug
