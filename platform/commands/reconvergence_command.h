// SPDX-License-Identifier: Apache-2.0
// `pwsvp reconvergence`: how much is lost to reconvergence at immediate post-dominators.
#pragma once

#include <string>
#include <vector>

#include "platform/run/reconvergence_study.h"

namespace CLI {
class App;
}

namespace pws::platform {

struct reconvergence_command_options {
  std::string config;
  std::vector<std::string> overrides;
  reconvergence_options study;
  std::string report;
};

// `app`: the command, with options for the run file.
void add_reconvergence_options(CLI::App& command, reconvergence_command_options& o);
int reconvergence_command(const reconvergence_command_options& o);

}  // namespace pws::platform
