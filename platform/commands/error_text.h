// SPDX-License-Identifier: Apache-2.0
// Messages as standard error shows them.
#pragma once

#include <string>
#include <vector>

namespace pws::platform {

// `message` with the bytes that would steer the terminal as \xNN. Line breaks are the message's own, but for those of
// `words`, which were given on the command line: file names and the like, as wholes, behind a = and as folders.
std::string for_terminal(std::string message, const std::vector<std::string>& words);

}  // namespace pws::platform
