// SPDX-License-Identifier: Apache-2.0
// `pwsvp debug`: a run at a prompt.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "platform/config/files/run_config.h"
#include "platform/debug/run/watched_run.h"

namespace pws::platform::debug {

// What the prompt is given.
struct prompt_commands {
  std::vector<std::string> files, commands;
};

// What came of it.
struct debug_outcome {
  run_outcome run;
  uint64_t wrong_commands = 0;  // of scripts
};

// Runs it as `pwsvp run` does, without the files that it would write, with a prompt where it stops. Messages about
// commands go to `problems`. Throws input_error for a bad run.
debug_outcome debug_run(const run_config& config, const prompt_commands& given, snapshot_options snapshots,
                        std::ostream& out, std::ostream& problems);

}  // namespace pws::platform::debug
