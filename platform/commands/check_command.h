// SPDX-License-Identifier: Apache-2.0
// `pwsvp check`: whatever can be wrong with a YAML file of any kind, found without running it.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace pws::platform {

// Which kind of file it is, its keys tell. Says on `out` what it is; throws input_error with every problem.
void check_file(std::ostream& out, const std::string& file, const std::vector<std::string>& overrides);

}  // namespace pws::platform
