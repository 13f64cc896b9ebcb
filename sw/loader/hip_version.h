// SPDX-License-Identifier: Apache-2.0
// The version of HIP's headers that the project is built with (cmake/hip_headers.cmake).
#pragma once

#include <string>

namespace pws::loader {

// In full: "5.2.21153".
std::string hip_version();
// What tells clang so: Debian's headers come without the file in which it looks for their version.
std::string hip_version_option();

}  // namespace pws::loader
