// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/source_tokens.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace pws::pwscc {

namespace {

class tokeniser {
 public:
  explicit tokeniser(std::string_view text) : text_(text) {}

  std::vector<source_token> run() {
    while (at_ < text_.size()) step();
    return std::move(tokens_);
  }

 private:
  bool starts(std::string_view s) const { return text_.substr(at_, s.size()) == s; }
  void advance(size_t n) {
    for (; n > 0 && at_ < text_.size(); --n)
      if (text_[at_++] == '\n') {
        ++line_;
        line_is_blank_ = true;
      }
  }
  // To behind the next `end`, or to the end of the text.
  void skip_past(std::string_view end) {
    const size_t found = text_.find(end, at_);
    advance(found == std::string_view::npos ? text_.size() - at_ : found + end.size() - at_);
  }
  static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

  void step() {
    const char c = text_[at_];
    if (std::isspace(static_cast<unsigned char>(c)) != 0 || starts("\\\n")) {
      advance(c == '\\' ? 2 : 1);
    } else if (starts("//")) {
      skip_line();
    } else if (starts("/*")) {
      advance(2);
      skip_past("*/");
    } else if (c == '#' && line_is_blank_) {
      skip_line();
    } else if (is_word(c)) {
      word();
    } else if (c == '"' || c == '\'') {
      literal(c);
    } else {
      push(std::string(1, c), 1);
    }
  }

  // A line, and those that a backslash at its end continues it with.
  void skip_line() {
    while (at_ < text_.size() && text_[at_] != '\n') advance(starts("\\\n") ? 2 : 1);
  }

  void push(std::string text, size_t length) {
    line_is_blank_ = false;
    tokens_.push_back({std::move(text), line_});
    advance(length);
  }

  void word() {
    size_t end = at_;
    // ' separates a number's digits.
    const bool is_number = std::isdigit(static_cast<unsigned char>(text_[at_])) != 0;
    while (end < text_.size() && (is_word(text_[end]) || (is_number && text_[end] == '\''))) ++end;
    const std::string_view w = text_.substr(at_, end - at_);
    if (end < text_.size() && text_[end] == '"' && w.back() == 'R' && w.size() <= 3) {
      push("\"", end - at_ + 1);
      const size_t open = std::min(text_.find('(', at_), text_.size());
      const std::string close = ")" + std::string(text_.substr(at_, open - at_)) + "\"";
      skip_past(close);
      return;
    }
    push(std::string(w), end - at_);
  }

  void literal(char quote) {
    push("\"", 1);
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') advance(text_[at_] == '\\' ? 2 : 1);
    advance(1);
  }

  std::string_view text_;
  size_t at_ = 0;
  uint32_t line_ = 1;
  bool line_is_blank_ = true;
  std::vector<source_token> tokens_;
};

}  // namespace

std::vector<source_token> tokenise(const std::string& source) {
  return tokeniser(source).run();
}

}  // namespace pws::pwscc
