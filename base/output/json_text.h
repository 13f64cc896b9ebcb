// SPDX-License-Identifier: Apache-2.0
// JSON as text that grows member by member: for lists of which a report has very many, where a tree of all values would
// take longer than what it reports.
#pragma once

#include <cstdint>
#include <functional>
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
  static std::string as_key(const std::string& text);

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

 private:
  void separate();
  void begin(char open);
  void end(char close);
  void write_key(std::string_view key);
  template <class T>
  void write(const T& value) {
    if constexpr (std::is_same_v<T, bool>)
      to_ += value ? "true" : "false";
    else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>)
      write_integer(int64_t{value});
    else if constexpr (std::is_integral_v<T>)
      write_integer(uint64_t{value});
    else if constexpr (std::is_floating_point_v<T>)
      write_number(static_cast<double>(value));
    else if constexpr (std::is_convertible_v<const T&, std::string_view>)
      write_text(value);
    else
      write_tree(value);
  }
  void write_integer(int64_t value);
  void write_integer(uint64_t value);
  void write_number(double value);
  void write_text(std::string_view text);
  void write_tree(const nlohmann::ordered_json& value);

  std::string& to_;
  bool first_ = true;  // of the innermost object or list
};

// The same as a tree; `put` writes a value's members.
nlohmann::ordered_json json_tree(const std::function<void(json_text&)>& put);

}  // namespace pws
