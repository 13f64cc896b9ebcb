// SPDX-License-Identifier: Apache-2.0
// --check: the checks of a machine (machine.check) by name, as overrides of its keys.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "models/check/finding.h"

namespace pws::platform {

inline void add_checks_option(CLI::App& c, std::vector<std::string>& to) {
  c.add_option("--check", to,
               "Find what real hardware would get wrong, as machine.check: waits, races, init, coherence, sync, "
               "memory, streams; or numbers: NaNs, infinities and divisions by zero; separated by commas; exit code 1 "
               "if something is found")
      ->type_name("CHECKS")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(names<check::family>()));
}

inline void put_checks(const std::vector<std::string>& checks, std::vector<std::string>& overrides) {
  for (const std::string& name : checks) overrides.push_back("machine.check." + name + "=true");
}

}  // namespace pws::platform
