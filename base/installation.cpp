// SPDX-License-Identifier: Apache-2.0
#include "base/installation.h"

#include <dlfcn.h>

#include <cstdlib>

namespace pws {

namespace fs = std::filesystem;

namespace {

// The library that this code is in, or the program.
fs::path this_file() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(&this_file), &info) == 0 || info.dli_fname == nullptr) return program;
  const fs::path file = fs::canonical(info.dli_fname, error);
  return !error && file.filename().string().find(".so") != std::string::npos ? file : program;
}

}  // namespace

fs::path installed(const fs::path& part) {
  const char* home = std::getenv("PWSVP_HOME");
  const bool given = home != nullptr && *home != '\0';
  const fs::path root = given ? fs::path(home) : this_file().parent_path().parent_path();
  fs::path found = root / part;
  std::error_code error;
  if (fs::exists(found, error)) return found;
  throw not_installed(found.string() + ": not there; " +
                      (given ? "PWSVP_HOME is to be the folder with bin, lib and include"
                             : "bin, lib and include are to be in one folder, or PWSVP_HOME is to name it"));
}

fs::path include_folder() {
  return installed("include/pwsvp");
}

}  // namespace pws
