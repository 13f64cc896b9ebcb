// SPDX-License-Identifier: Apache-2.0
// A run of a run file with a debugger, from its beginning to its end, as often as going back repeats it.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "platform/config/files/run_config.h"
#include "platform/debug/debugger.h"

namespace pws::platform::debug {

// What came of it.
struct run_outcome {
  bool ended = false;   // the run came to its end, and was not given up before
  bool passed = false;  // it did, and its result is the one that was expected
  int signal = 0;       // that has ended the run
};

// What the debugger is to know of the run.
debugged_run run_to_debug(const run_config& config);
// Whether a HIP program with this configuration, as `pwsvp exec` takes it, can be debugged. Throws input_error.
void check_program_to_debug(const std::string& config, const std::vector<std::string>& sets);
// What the run file asks for in vain: files, which are not written, and threads; "" if nothing.
std::string idle_note(const run_config& config);
// Runs it as `pwsvp run` does, without the files that it would write. The summary goes to `out`. Throws input_error for
// a bad run. `is_first` false: a run has been made in this process.
run_outcome watched_run(const run_config& config, debugger& core, std::ostream& out, bool is_first = true);

}  // namespace pws::platform::debug
