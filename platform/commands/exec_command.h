// SPDX-License-Identifier: Apache-2.0
// `pwsvp exec`: runs a HIP program with the platform's libamdhip64 in place of the real one.
#pragma once

#include <string>
#include <vector>

#include "platform/config/outputs.h"

namespace CLI {
class App;
}

namespace pws::platform {

struct exec_options {
  std::string config;
  std::vector<std::string> overrides;
  std::vector<std::string> checks;   // families of machine.check
  std::vector<std::string> program;  // and its arguments
  std::string fidelity, times;
  outputs files;
  std::string command;  // as a shell takes it
  std::vector<std::string> timing_kernels, functional_kernels, trace_kernels;
  std::vector<uint64_t> timing_launches, functional_launches, trace_launches;
  bool quiet = false, wcet = false;
};

CLI::App* add_exec_command(CLI::App& app, exec_options& o);

// Runs the program: its exit code is the command's, and the signal that ends it ends this process. Throws input_error
// (a bad configuration, no library, no such program).
int exec_command(const exec_options& o);

}  // namespace pws::platform
