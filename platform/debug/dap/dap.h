// SPDX-License-Identifier: Apache-2.0
// `pwsvp dap`: the debugger for editors.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "platform/debug/snapshots.h"

namespace pws::platform::debug {

// A HIP program to be debugged, as a client's launch has it.
struct program_launch {
  std::string config;                // as `pwsvp exec` takes it
  std::vector<std::string> sets;     // of its keys
  std::vector<std::string> program;  // and its arguments
};
// Runs it to its end, with that variable of the environment (program_dap.h): its status, as waitpid(2) has it. Throws
// input_error: it cannot be started.
using program_runner = std::function<int(const program_launch& p, const std::string& variable)>;
// What programs are run with.
struct program_support {
  program_runner run;
  std::string note;  // that the client is told when it launches the first one; "": nothing
};

// Serves a client of the Debug Adapter Protocol on standard input and output, until it goes. The exit code: 0; 128 + N
// if signal N has ended a run; 2 if what came was another protocol.
int serve_dap(snapshot_options snapshots, program_support programs);

}  // namespace pws::platform::debug
