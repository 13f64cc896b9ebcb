// SPDX-License-Identifier: Apache-2.0
// What Python programs of this project make: pages and figures.
#pragma once

#include <string>
#include <vector>

namespace pws::platform {

// What one of platform/sweep/page prints. Throws input_error with what it says where it fails, and where there is no
// Python.
std::string page_program(const std::string& program, const std::vector<std::string>& arguments);

}  // namespace pws::platform
