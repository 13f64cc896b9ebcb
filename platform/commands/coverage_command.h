// SPDX-License-Identifier: Apache-2.0
// pwsvp coverage: what runs have covered of the SpSIMD unit's RTL, together.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace pws::platform {

struct coverage_options {
  std::vector<std::string> files;
  std::string output;
  bool all_holes = false;
};

CLI::App* add_coverage_command(CLI::App& app, coverage_options& o);
int coverage_command(const coverage_options& o);

}  // namespace pws::platform
