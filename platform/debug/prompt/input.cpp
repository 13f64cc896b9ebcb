// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/prompt/input.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <fstream>

#include "base/error.h"
#include "platform/debug/prompt/input_wait.h"

namespace pws::platform::debug {

command_input::command_input(const std::vector<std::string>& files, const std::vector<std::string>& commands)
    : terminal_(isatty(STDIN_FILENO) != 0), editor_(line_editor::load()) {
  for (const std::string& file : files) {
    std::ifstream in(file);
    std::string line;
    for (int n = 1; std::getline(in, line); ++n) given_.push_back({line, fmt::format("{}:{}", file, n), false});
    if (!in.eof()) throw input_error(file + ": cannot be read");
  }
  for (const std::string& c : commands) given_.push_back({c, "-ex", false});
}

std::optional<command_text> command_input::next(const std::string& prompt) {
  if (!given_.empty()) {
    command_text c = std::move(given_.front());
    given_.pop_front();
    return c;
  }
  std::optional<std::string> line = typed(prompt);
  if (!line) return std::nullopt;
  return command_text{std::move(*line), terminal_ ? "" : fmt::format("standard input:{}", ++line_), terminal_};
}

void command_input::complete_with(completions c) {
  if (editor_ != nullptr) editor_->complete_with(std::move(c));
}

nlohmann::json command_input::state() const {
  nlohmann::json given = nlohmann::json::array();
  for (const command_text& c : given_) given.push_back({c.text, c.where});
  return {{"given", given},
          {"read", read_},
          {"line", line_},
          {"history", editor_ != nullptr ? editor_->history() : std::vector<std::string>{}}};
}

void command_input::take_state(const nlohmann::json& j) {
  given_.clear();
  for (const nlohmann::json& c : j["given"]) given_.push_back({c[0], c[1], false});
  read_ = j["read"];
  line_ = j["line"];
  if (editor_ != nullptr) editor_->extend_history(j["history"].get<std::vector<std::string>>());
}

// Not through std::cin: a signal has to end the waiting.
std::optional<std::string> command_input::typed(const std::string& prompt) {
  constexpr size_t longest = 1 << 16;
  std::fflush(stdout);
  if (editor_ != nullptr) return editor_->line(prompt);
  const auto show = [&] {
    if (terminal_) [[maybe_unused]]
      const auto written = write(STDOUT_FILENO, prompt.data(), prompt.size());
  };
  show();
  for (;;) {
    const size_t end = read_.find('\n');
    if (end != std::string::npos || read_.size() > longest) {
      std::string line = read_.substr(0, end);
      read_.erase(0, end == std::string::npos ? end : end + 1);
      return line;
    }
    const waited w = wait_for_input();
    if (w == waited::must_end) return std::nullopt;
    if (w == waited::signal) {
      if (terminal_) [[maybe_unused]]
        const auto written = write(STDOUT_FILENO, "\n", 1);
      show();
      continue;
    }
    char bytes[4096];
    const ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n > 0) {
      read_.append(bytes, static_cast<size_t>(n));
      continue;
    }
    if (read_.empty()) return std::nullopt;
    read_ += '\n';  // the last line has no end
  }
}

}  // namespace pws::platform::debug
