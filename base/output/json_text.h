// SPDX-License-Identifier: Apache-2.0
// JSON as text that grows member by member: for lists of which a report has very many, where a tree of all values would
// take longer than what it reports.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>

namespace pws {

class json_text {
 public:
  // Members that are added while it lives are those of one object, or elements of one list.
  class scope {
   public:
    scope(json_text& text, char open, char close) : text_(text), close_(close) { text_.begin(open); }
    ~scope() { text_.end(close_); }
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;

   private:
    json_text& text_;
    char close_;
  };

  explicit json_text(std::string& to) : to_(to) {}

  // Keys and units are words without characters that JSON escapes; any other text as_key() makes one.
  static std::string as_key(const std::string& text) {
    const std::string quoted = nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return quoted.substr(1, quoted.size() - 2);
  }

  // An object that is all there is.
  [[nodiscard]] scope object() { return scope(*this, '{', '}'); }
  // An object that is an element.
  [[nodiscard]] scope element() { return separate(), scope(*this, '{', '}'); }
  // An object that is a member.
  [[nodiscard]] scope object(std::string_view key) { return write_key(key), scope(*this, '{', '}'); }
  // A list that is a member.
  [[nodiscard]] scope list(std::string_view key) { return write_key(key), scope(*this, '[', ']'); }
  // A member: a number, a truth, a text, or what nlohmann makes JSON of.
  template <class T>
  void add(std::string_view key, const T& value) {
    write_key(key);
    write(value);
  }
  // With its unit: {"value": 16, "unit": "KiB"}.
  template <class T>
  void add(std::string_view key, const T& value, std::string_view unit) {
    const scope both = object(key);
    add("value", value);
    add("unit", unit);
  }
  // An element of a list.
  template <class T>
  void add_element(const T& value) {
    separate();
    write(value);
  }

 private:
  void separate() {
    if (!first_) to_ += ',';
    first_ = false;
  }
  void begin(char open) {
    to_ += open;
    first_ = true;
  }
  void end(char close) {
    to_ += close;
    first_ = false;
  }
  void write_key(std::string_view key) {
    separate();
    to_ += '"';
    to_ += key;
    to_ += "\":";
  }
  // Most numbers are whole, and most texts have nothing that JSON escapes: those need no tree. What is written is the
  // same.
  void write_number(double value) {
    constexpr double most = 1e15;  // from there on nlohmann writes powers of ten
    const bool whole = std::abs(value) < most && value == std::trunc(value) && !(value == 0 && std::signbit(value));
    if (!whole) return write(nlohmann::ordered_json(value));
    write(static_cast<int64_t>(value));
    to_ += ".0";
  }
  void write_text(std::string_view text) {
    const auto is_plain = [](char ch) { return ch >= ' ' && ch <= '~' && ch != '"' && ch != '\\'; };
    if (!std::all_of(text.begin(), text.end(), is_plain)) return write(nlohmann::ordered_json(std::string(text)));
    to_ += '"';
    to_ += text;
    to_ += '"';
  }
  template <class T>
  void write(const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      to_ += value ? "true" : "false";
    } else if constexpr (std::is_integral_v<T>) {
      char digits[24];
      to_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    } else if constexpr (std::is_floating_point_v<T>) {
      write_number(static_cast<double>(value));
    } else if constexpr (std::is_same_v<T, nlohmann::ordered_json>) {
      to_ += value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
      write_text(value);
    } else {
      write(nlohmann::ordered_json(value));
    }
  }

  std::string& to_;
  bool first_ = true;  // of the innermost object or list
};

// The same as a tree; `put` writes a value's members.
template <class F>
nlohmann::ordered_json json_tree(F put) {
  std::string text;
  json_text to(text);
  {
    const json_text::scope all = to.object();
    put(to);
  }
  return nlohmann::ordered_json::parse(text);
}

}  // namespace pws
