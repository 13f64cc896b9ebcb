// SPDX-License-Identifier: Apache-2.0
// A HIP program as a child of this process, whose runtime is the platform's (libamdhip64.so.5): what `exec`, `debug`
// and `dap` have in common.
#pragma once

#include <string>
#include <vector>

#include "platform/config/files/exec_config.h"
#include "platform/config/files/exec_notes.h"

namespace pws::platform {

struct program_choice {
  std::string config;                  // machine file, or one with the keys machine and exec
  std::vector<std::string> overrides;  // of its keys
  std::vector<std::string> program;    // and its arguments
  std::string command;                 // that has started this, as a shell takes it
  // More of its environment.
  std::vector<std::pair<const char*, std::string>> environment;
};

// Runs it to its end; its status, as waitpid(2) has it. Says on standard error what of the configuration's outputs
// there is not. Throws input_error: the configuration is no good, an output cannot be written, the program cannot be
// started.
int run_on_machine(const program_choice& c, const exec_notes& notes);

}  // namespace pws::platform
