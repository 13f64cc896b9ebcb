// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/dap/message_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "platform/debug/natural.h"

namespace pws::platform::debug::dap {

namespace {

const std::string length_field = "Content-Length:", type_field = "Content-Type:", header_end = "\r\n\r\n";
constexpr size_t longest_header = 4096, longest_message = size_t{1} << 26;

// Values are copied by functions that call themselves.
bool not_too_deep(int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
  constexpr int deepest = 100;
  if (depth > deepest) throw std::runtime_error("it is nested too deeply");
  return true;
}

// The number behind the colon of a header that begins with length_field; too large: it is none.
size_t length_in(const std::string& header) {
  const size_t end = header.find("\r\n", length_field.size());
  std::string digits = header.substr(length_field.size(), end - length_field.size());
  digits.erase(0, std::min(digits.find_first_not_of(" \t"), digits.size()));
  digits.erase(digits.find_last_not_of(" \t") + 1);
  return natural_in(digits).value_or(longest_message + 1);
}

}  // namespace

void message_reader::put(const char* bytes, size_t count, std::deque<arrival>& to) {
  bytes_.append(bytes, count);
  any_bytes_ = any_bytes_ || count != 0;
  while (take(to)) {
  }
}

void message_reader::end(std::deque<arrival>& to) {
  if (!bytes_.empty()) wrong("the stream ends within a message", to);
  to.push_back({arrival::kind::closed, {}, ""});
}

nlohmann::json message_reader::state() const {
  return {bytes_, any_bytes_, any_message_, is_lost_};
}

void message_reader::take_state(const nlohmann::json& j) {
  bytes_ = j[0];
  any_bytes_ = j[1];
  any_message_ = j[2];
  is_lost_ = j[3];
}

void message_reader::wrong(const std::string& problem, std::deque<arrival>& to) {
  if (!is_lost_) to.push_back({arrival::kind::wrong, {}, problem});
  is_lost_ = true;
}

bool message_reader::take(std::deque<arrival>& to) {
  const size_t begin = bytes_.find(length_field);
  if (begin == std::string::npos || begin != 0) {
    // The beginning of the field may be all that has come of it.
    const size_t passed =
        begin != std::string::npos ? begin : bytes_.size() - std::min(bytes_.size(), length_field.size() - 1);
    const bool other_field = bytes_.compare(0, type_field.size(), type_field) == 0 && passed <= longest_header;
    if (begin == std::string::npos && (other_field || passed == 0)) return false;
    if (!other_field) wrong("these bytes are no message: a message begins with " + length_field, to);
    bytes_.erase(0, passed);
    return begin != std::string::npos;
  }
  const size_t end = bytes_.find(header_end);
  if (end == std::string::npos || end > longest_header) {
    if (bytes_.size() <= longest_header) return false;
    wrong("a header does not end", to);
    bytes_.erase(0, length_field.size());
    return true;
  }
  is_lost_ = false;  // a header is the end of what was wrong
  const size_t length = length_in(bytes_), body = end + header_end.size();
  if (length > longest_message) {
    wrong(fmt::format("{} is no number of bytes up to {}", length_field, longest_message), to);
    bytes_.erase(0, body);
    return true;
  }
  if (bytes_.size() - body < length) return false;
  const std::string text = bytes_.substr(body, length);
  try {
    nlohmann::json message = nlohmann::json::parse(text, not_too_deep);
    bytes_.erase(0, body + length);
    if (!message.is_object()) {
      wrong("a message is a JSON object", to);
      return true;
    }
    any_message_ = true;
    to.push_back({arrival::kind::message, std::move(message), ""});
  } catch (const std::exception& e) {
    wrong(fmt::format("a message is no JSON: {}", e.what()), to);
    // A length that is too long has taken the next message too, or the beginning of it.
    const size_t next = text.find(length_field), passed = length - std::min(length, length_field.size() - 1);
    bytes_.erase(0, body + std::min(next, passed));
  }
  return true;
}

}  // namespace pws::platform::debug::dap
