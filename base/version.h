// SPDX-License-Identifier: Apache-2.0
// What a program was built of and by.
#pragma once

#include <string>

namespace pws {

struct program_version {
  std::string number;  // "0.1.0"
  std::string date;    // of that version, "2026-11-23"
  // For --version: the program's name with version and commit, then a line for each tool and library that it was built
  // with. Ends with a newline.
  std::string text;
};

// Where a program has its commit: what tells programs apart leaves this section out.
inline constexpr const char* commit_section = ".pwsvp.commit";

// The version that all programs and libraries of this build have.
std::string version_number();

// Only programs call it: with every commit they are other files.
program_version version_of(const std::string& program);

}  // namespace pws
