// SPDX-License-Identifier: Apache-2.0
// What needs no template is compiled here, once: nlohmann's parser and writer take seconds in each source that has
// them.
#include "base/output/json_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace pws {

std::string json_text::as_key(const std::string& text) {
  const std::string quoted = nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return quoted.substr(1, quoted.size() - 2);
}

void json_text::separate() {
  if (!first_) to_ += ',';
  first_ = false;
}
void json_text::begin(char open) {
  to_ += open;
  first_ = true;
}
void json_text::end(char close) {
  to_ += close;
  first_ = false;
}
void json_text::write_key(std::string_view key) {
  separate();
  to_ += '"';
  to_ += key;
  to_ += "\":";
}

// Most numbers are whole, and most texts have nothing that JSON escapes: those need no tree. What is written is the
// same.
void json_text::write_number(double value) {
  constexpr double most = 1e15;  // from there on nlohmann writes powers of ten
  const bool whole = std::abs(value) < most && value == std::trunc(value) && !(value == 0 && std::signbit(value));
  if (!whole) return write_tree(value);
  write_integer(static_cast<int64_t>(value));
  to_ += ".0";
}
void json_text::write_text(std::string_view text) {
  const auto is_plain = [](char ch) { return ch >= ' ' && ch <= '~' && ch != '"' && ch != '\\'; };
  if (!std::all_of(text.begin(), text.end(), is_plain)) return write_tree(std::string(text));
  to_ += '"';
  to_ += text;
  to_ += '"';
}
namespace {
template <class T>
void append(std::string& to, T value) {
  char digits[24];
  to.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}
}  // namespace
void json_text::write_integer(int64_t value) {
  append(to_, value);
}
void json_text::write_integer(uint64_t value) {
  append(to_, value);
}
void json_text::write_tree(const nlohmann::ordered_json& value) {
  to_ += value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

nlohmann::ordered_json json_tree(const std::function<void(json_text&)>& put) {
  std::string text;
  json_text to(text);
  {
    const json_text::scope all = to.object();
    put(to);
  }
  return nlohmann::ordered_json::parse(text);
}

}  // namespace pws
