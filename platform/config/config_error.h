// SPDX-License-Identifier: Apache-2.0
// Errors of a configuration: all of them at once, each with its place.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "platform/config/origin.h"

namespace pws::platform {

// A mistake in a file, with its place.
struct config_issue {
  origin where;
  std::string path;     // "machine.memory.l2.banks"; empty where the file as a whole is meant
  std::string problem;  // a sentence without a full stop, perhaps with "; did you mean ..."

  // "file:line:column: path: problem"; "--set: path: problem" for an override.
  std::string text() const;
};

// what() is one line per issue: the file that was asked for first, then others, each in the order of its lines.
class config_error : public input_error {
 public:
  explicit config_error(std::vector<config_issue> issues);
  const std::vector<config_issue>& issues() const { return issues_; }

 private:
  std::vector<config_issue> issues_;
};

// Collects issues while a configuration is read.
class issue_list {
 public:
  // Above this many, further ones are only counted: a hostile file must not make gigabytes of messages.
  static constexpr size_t limit = 200;

  explicit issue_list(std::string main_file) : main_file_(std::move(main_file)) {}

  void add(const origin& where, std::string path, std::string problem);  // notes a mistake
  bool empty() const { return issues_.empty(); }
  size_t size() const { return issues_.size() + dropped_; }
  // Throws config_error when there is any issue.
  void throw_if_any() const;

  // Files that the configuration was read from, bases of machines included.
  void note_file(const std::string& file) { files_.push_back(file); }
  const std::vector<std::string>& files() const { return files_; }

 private:
  std::string main_file_;  // whose issues come first
  std::vector<config_issue> issues_;
  size_t dropped_ = 0;
  std::vector<std::string> files_;
};

}  // namespace pws::platform
