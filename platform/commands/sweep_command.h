// SPDX-License-Identifier: Apache-2.0
// `pwsvp sweep` and `pwsvp report`: experiments, and pages of their results.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace pws::platform {

struct sweep_command_options {
  std::string experiment, output;
  unsigned jobs = 0;
  bool small = false, anew = false;
  bool list = false, as_json = false, collect = false;
  std::vector<std::string> points;  // numbers and ranges
  std::string command;              // as a shell takes it
};
CLI::App* add_sweep_command(CLI::App& app, sweep_command_options& o);
int sweep_command(const sweep_command_options& o);

struct report_command_options {
  std::string sweep, experiment, output;
};
CLI::App* add_report_command(CLI::App& app, report_command_options& o);
int report_command(const report_command_options& o);

}  // namespace pws::platform
