// SPDX-License-Identifier: Apache-2.0
// Where the parts of this installation are: bin, lib and include/pwsvp in one folder, as built and as installed. The
// folder is $PWSVP_HOME, or the one above that of the running program or library: nothing knows where it was built.
#pragma once

#include <filesystem>

#include "base/error.h"

namespace pws {

// A part of the installation is not where it should be: where it was looked for.
class not_installed : public input_error {
 public:
  using input_error::input_error;
};

// A file or folder of the installation, by its path in it. Throws not_installed.
std::filesystem::path installed(const std::filesystem::path& part);

// Where pws.h and pws.inc are.
std::filesystem::path include_folder();

}  // namespace pws
