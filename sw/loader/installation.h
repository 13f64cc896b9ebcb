// Where the parts of this installation are: bin, lib and include/pwsvp in one folder, as built and as installed. The
// folder is $PWSVP_HOME, or the one above that of the running program or library: nothing knows where it was built.
#pragma once

#include <filesystem>

namespace pws::loader {

// A file or folder of the installation, by its path in it. Throws input_error that says where it was looked for.
std::filesystem::path installed(const std::filesystem::path& part);

// Where pws.h and pws.inc are.
std::filesystem::path include_folder();

}  // namespace pws::loader
