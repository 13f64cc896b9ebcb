// SPDX-License-Identifier: Apache-2.0
// How the project's programs end.
#pragma once

namespace pws {

// Exit codes of every command, and of programs whose runtime is this project's.
enum exit_code : int {
  exit_pass = 0,       // done, and expected outputs match
  exit_fail = 1,       // the program or the check failed
  exit_bad_input = 2,  // configuration, file or command line
  exit_signal = 128,   // and the signal's number: interrupted
};

// One of them, for a person.
struct exit_code_text {
  const char* code;     // "128 + N"
  const char* meaning;  // "stopped by signal N"
};
constexpr exit_code_text exit_code_texts[] = {{"0", "done and as expected"},
                                              {"1", "the program or the check failed"},
                                              {"2", "bad input"},
                                              {"128 + N", "stopped by signal N"}};

}  // namespace pws
