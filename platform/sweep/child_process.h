// SPDX-License-Identifier: Apache-2.0
// A command whose output goes to a file, and that does not outlive the thread that started it: a killed sweep leaves no
// simulation behind that would write where the next one writes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pws::platform::sweep {

// Waits for it; its exit code, 128 + signal number if a signal ended it. Standard input is empty. Throws input_error if
// it cannot be started.
int run_child(const std::vector<std::string>& argv, const std::filesystem::path& output);

}  // namespace pws::platform::sweep
