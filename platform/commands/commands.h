// SPDX-License-Identifier: Apache-2.0
// The subcommands of pwsvp.
#pragma once

#include <string>
#include <vector>

#include "base/version.h"

namespace pws::platform {

// Exit codes of every command.
enum exit_code : int {
  exit_pass = 0,       // done, and expected outputs match
  exit_fail = 1,       // the program or the check failed
  exit_bad_input = 2,  // configuration, file or command line
  exit_signal = 128,   // and the signal's number: interrupted
};

struct exit_code_text {
  const char* code;
  const char* meaning;
};
constexpr exit_code_text exit_code_texts[] = {{"0", "done and as expected"},
                                              {"1", "the program or the check failed"},
                                              {"2", "bad input"},
                                              {"128 + N", "stopped by signal N"}};

// `version`: of this program.
int command_line(int argc, char** argv, const program_version& version);

}  // namespace pws::platform
