// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/anchor_text.h"

#include <charconv>
#include <system_error>

#include "base/error.h"

namespace pws::pwscc {

namespace {

constexpr std::string_view intro = ";pws.loop ", branch_intro = ";pws.split ";

// What is behind the intro; nothing: the line does not begin with it.
std::optional<std::string_view> behind(std::string_view intro_text, std::string_view line) {
  const size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  if (line.substr(begin, intro_text.size()) != intro_text) return std::nullopt;
  return line.substr(begin + intro_text.size());
}

// Words of an anchor, one after the other.
class word_reader {
 public:
  word_reader(std::string_view line, std::string_view rest) : line_(line), rest_(rest) {}

  bool at_end() {
    skip_blanks();
    return rest_.empty();
  }
  std::string_view word() {
    skip_blanks();
    const size_t end = std::min(rest_.find_first_of(" \t"), rest_.size());
    const std::string_view w = rest_.substr(0, end);
    rest_.remove_prefix(end);
    if (w.empty()) damaged();
    return w;
  }
  template <class T>
  T number() {
    const std::string_view w = word();
    T value = 0;
    const auto [end, error] = std::from_chars(w.data(), w.data() + w.size(), value);
    if (error != std::errc() || end != w.data() + w.size()) damaged();
    return value;
  }
  // In double quotes; a quote, a backslash and what is not printable are %XX.
  std::string quoted() {
    skip_blanks();
    if (rest_.empty() || rest_.front() != '"') damaged();
    std::string out;
    size_t k = 1;
    for (; k < rest_.size() && rest_[k] != '"'; ++k) {
      if (rest_[k] != '%') {
        out += rest_[k];
        continue;
      }
      unsigned value = 0;
      if (k + 2 >= rest_.size() ||
          std::from_chars(rest_.data() + k + 1, rest_.data() + k + 3, value, 16).ptr != rest_.data() + k + 3)
        damaged();
      out += static_cast<char>(value);
      k += 2;
    }
    if (k == rest_.size()) damaged();
    rest_.remove_prefix(k + 1);
    return out;
  }
  [[noreturn]] void damaged() const {
    const char* of = behind(intro, line_) ? "loop" : "branch";
    throw input_error(std::string("this is no anchor of a ") + of + ": " + std::string(line_));
  }

 private:
  void skip_blanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t' || rest_.front() == '\r'))
      rest_.remove_prefix(1);
  }
  std::string_view line_, rest_;
};

std::string quoted(const std::string& s) {
  constexpr const char* digits = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : s) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte == 0x7f || c == '"' || c == '\\' || c == '%' || c == '{' || c == '}' || c == '|') {
      out += '%';
      out += digits[byte >> 4];
      out += digits[byte & 15];
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace

std::string text_of(const loop_anchor& a) {
  std::string out(intro);
  if (a.what == loop_anchor::kind::iterate) return out + "iterate " + std::to_string(a.id);
  out += (a.what == loop_anchor::kind::enter ? "enter " : "missed ") + std::to_string(a.id) + " bound " +
         std::to_string(a.bound);
  out += (a.line != 0 ? " mark " + std::to_string(a.line) : std::string(" stated")) + " " + quoted(a.file);
  if (a.statement_line != 0) out += " statement " + std::to_string(a.statement_line);
  if (a.parent != 0) out += (a.directly ? " in " : " within ") + std::to_string(a.parent);
  if (a.entered_behind) out += " entered";
  if (a.shared) out += " beside " + std::to_string(a.other_line);
  return out;
}

std::string text_of(const branch_anchor& a) {
  const auto text = [](const branch_anchor::place& p) {
    return quoted(p.file) + " " + std::to_string(p.line) + " " + std::to_string(p.column);
  };
  std::string out = std::string(branch_intro) + std::to_string(a.mark) + " " + text(a.statement);
  if (a.inlined.line != 0) out += " inlined " + text(a.inlined) + " of " + std::to_string(a.of);
  return out;
}

std::optional<branch_anchor> read_branch_anchor(std::string_view line) {
  const auto rest = behind(branch_intro, line);
  if (!rest) return std::nullopt;
  word_reader words(line, *rest);
  const auto place = [&] {
    branch_anchor::place p;
    p.file = words.quoted();
    p.line = words.number<uint32_t>();
    p.column = words.number<uint32_t>();
    return p;
  };
  branch_anchor a;
  a.mark = words.number<uint32_t>();
  a.statement = place();
  if (words.at_end()) return a;
  if (words.word() != "inlined") words.damaged();
  a.inlined = place();
  if (words.word() != "of") words.damaged();
  a.of = words.number<uint32_t>();
  if (!words.at_end()) words.damaged();
  return a;
}

std::optional<loop_anchor> read_anchor(std::string_view line) {
  const auto rest = behind(intro, line);
  if (!rest) return std::nullopt;
  word_reader words(line, *rest);
  loop_anchor a;
  const std::string_view what = words.word();
  if (what == "enter")
    a.what = loop_anchor::kind::enter;
  else if (what == "iterate")
    a.what = loop_anchor::kind::iterate;
  else if (what == "missed")
    a.what = loop_anchor::kind::missed;
  else
    words.damaged();
  a.id = words.number<uint32_t>();
  if (a.id == 0) words.damaged();
  bool bounded = false;
  while (!words.at_end()) {
    const std::string_view key = words.word();
    if (key == "bound") {
      a.bound = words.number<uint64_t>();
      bounded = true;
    } else if (key == "mark") {
      a.line = words.number<uint32_t>();
      a.file = words.quoted();
    } else if (key == "stated") {
      a.file = words.quoted();
    } else if (key == "statement") {
      a.statement_line = words.number<uint32_t>();
    } else if (key == "in" || key == "within") {
      a.parent = words.number<uint32_t>();
      a.directly = key == "in";
    } else if (key == "entered") {
      a.entered_behind = true;
    } else if (key == "beside") {
      a.shared = true;
      a.other_line = words.number<uint32_t>();
    } else {
      words.damaged();
    }
  }
  if (a.what != loop_anchor::kind::iterate && !bounded) words.damaged();
  return a;
}

}  // namespace pws::pwscc
