// SPDX-License-Identifier: Apache-2.0
// Where a piece of configuration came from, for messages.
#pragma once

#include <memory>
#include <string>

namespace pws::platform {

// A place in a file (line and column count from 1), or the command line ("--set", line 0).
class origin {
 public:
  origin() = default;
  origin(std::shared_ptr<const std::string> file, int line, int column)
      : file_(std::move(file)), line_(line), column_(column) {}

  // The file as the user named it (or as it was found, relative to the file that names it); "--set" for an override.
  const std::string& file() const;
  int line() const { return line_; }
  int column() const { return column_; }
  bool is_override() const { return line_ == 0; }
  // "file:line:column", or "--set".
  std::string text() const;

 private:
  std::shared_ptr<const std::string> file_;  // shared by all values of a file
  int line_ = 0;
  int column_ = 0;
};

}  // namespace pws::platform
