// SPDX-License-Identifier: Apache-2.0
// `pwsvp reference`: what reports, expressions, waveforms and exit codes can be, as the code has it.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace pws::platform {

struct reference_command_options {
  std::string part;
  bool as_json = false;
};
CLI::App* add_reference_command(CLI::App& app, reference_command_options& o);
int reference_command(const reference_command_options& o);

}  // namespace pws::platform
