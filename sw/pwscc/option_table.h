// SPDX-License-Identifier: Apache-2.0
// pwscc's own options, once: --help, the manual page and the shells' completion are made of this table.
#pragma once

#include <string>
#include <vector>

namespace pws::pwscc {

struct option_entry {
  // As one writes it: "--split=MODE", "-S N". What stands behind "=" or a blank is the value.
  std::vector<std::string> forms;
  std::string help;
  std::vector<std::string> choices;  // values that there are; empty: others
};

const std::vector<option_entry>& option_table();

// What pwscc is, in a line, and what besides: uses with their meanings, and paragraphs for the end.
extern const char* const summary;
const std::vector<std::pair<std::string, std::string>>& uses();
const std::vector<std::string>& remarks();

}  // namespace pws::pwscc
