// SPDX-License-Identifier: Apache-2.0
// `pwsvp dap`: the debugger for editors.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "platform/debug/snapshots.h"

namespace pws::platform::debug {

class debugger;

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

// Firmware whose GPU is to be debugged, as a client's launch has it.
struct firmware_launch {
  std::string config;                // as `pwsvp soc` takes it
  std::vector<std::string> sets;     // of its keys
  std::string firmware;              // the file
  std::vector<std::string> kernels;  // code objects beside those in it
};
// What has become of it.
struct firmware_outcome {
  int exit_code = 0;    // as that of `pwsvp soc`
  int signal = 0;       // that has ended the run
  std::string summary;  // as `pwsvp soc` prints it
};
// Runs it to its end, with its GPU attached to the debugger. `send` gets what the serial port sends, by lines.
// `is_first` false: there has been a run in this process. Throws input_error.
using firmware_runner = std::function<firmware_outcome(
    const firmware_launch& f, debugger& core, const std::function<void(const std::string&)>& send, bool is_first)>;
// What firmware is run with.
struct firmware_support {
  firmware_runner run;
  std::string note;  // as that of programs
};

// Serves a client of the Debug Adapter Protocol on standard input and output, until it goes. The exit code: 0; 128 + N
// if signal N has ended a run; 2 if what came was another protocol.
int serve_dap(snapshot_options snapshots, program_support programs, firmware_support firmware);

}  // namespace pws::platform::debug
