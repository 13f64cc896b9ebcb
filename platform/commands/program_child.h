// SPDX-License-Identifier: Apache-2.0
// A program as a child of this process that is to be taken for it: signals go on to it, it stops and goes on with it,
// and does not outlive it.
#pragma once

#include <string>
#include <vector>

namespace pws::platform {

// Runs it to its end, with this process's files and environment, looked up in PATH; its status, as waitpid(2) has it.
// Throws input_error: it cannot be started.
int run_program(const std::vector<std::string>& words);

// The exit code of a program that has returned one. Where a signal has ended it, the same signal ends this process.
int end_like(int status);

}  // namespace pws::platform
