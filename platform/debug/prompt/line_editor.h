// SPDX-License-Identifier: Apache-2.0
// Lines that are typed at a terminal: edited, with completion and the lines before. By the library libedit, where it is
// there; nothing is linked with it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pws::platform::debug {

// What could stand in place of `word`; `before` is what is in front of it in its line.
using completions = std::function<std::vector<std::string>(const std::string& before, const std::string& word)>;

class line_editor {
 public:
  // nullptr: standard input or output is no terminal, or none that can be edited on, or there is no library.
  static std::unique_ptr<line_editor> load();
  ~line_editor();
  line_editor(const line_editor&) = delete;
  line_editor& operator=(const line_editor&) = delete;

  void complete_with(completions c) { completions_ = std::move(c); }
  // A line; none: the end, which a signal that ends the run is too. After another signal the line begins anew.
  std::optional<std::string> line(const std::string& prompt);
  // The lines that can be called up again.
  const std::vector<std::string>& history() const { return history_; }
  // `all` begins with those that are there.
  void extend_history(const std::vector<std::string>& all);

 private:
  struct library;
  explicit line_editor(std::unique_ptr<library> l);
  void remember(const std::string& line);

  std::unique_ptr<library> library_;
  completions completions_;
  std::vector<std::string> history_;
};

}  // namespace pws::platform::debug
