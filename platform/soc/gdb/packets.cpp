// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/gdb/packets.h"

#include <fmt/format.h>

#include <algorithm>

namespace pws::platform::gdb {

namespace {

constexpr char interrupt = 0x03, arrived = '+', damaged = '-', escape = '}', escaped_by = 0x20;

int digit(char ch) {
  if (ch >= '0' && ch <= '9') return ch - '0';
  if (ch >= 'a' && ch <= 'f') return ch - 'a' + 10;
  if (ch >= 'A' && ch <= 'F') return ch - 'A' + 10;
  return -1;
}

unsigned checksum(std::string_view data) {
  unsigned sum = 0;
  for (const char ch : data) sum += static_cast<unsigned char>(ch);
  return sum & 0xff;
}

std::string without_escapes(std::string_view data) {
  std::string plain;
  for (size_t k = 0; k < data.size(); ++k)
    plain += data[k] == escape && k + 1 < data.size() ? static_cast<char>(data[++k] ^ escaped_by) : data[k];
  return plain;
}

}  // namespace

std::optional<arrival> packet_reader::next() {
  for (;;) {
    const size_t begin =
        std::find_if(bytes_.begin(), bytes_.end(),
                     [](char ch) { return ch == '$' || ch == interrupt || ch == arrived || ch == damaged; }) -
        bytes_.begin();
    bytes_.erase(0, begin);
    if (bytes_.empty()) return std::nullopt;
    if (bytes_[0] != '$') {
      const char what = bytes_[0];
      bytes_.erase(0, 1);
      if (what == arrived) return arrival{arrival::kind::arrived, ""};
      return arrival{what == damaged ? arrival::kind::repeat : arrival::kind::interrupt, ""};
    }
    const size_t end = bytes_.find('#');
    if (end == std::string::npos && bytes_.size() > longest) {
      bytes_.clear();
      return arrival{arrival::kind::damaged, ""};
    }
    if (end == std::string::npos || bytes_.size() < end + 3) return std::nullopt;
    const std::string_view data = std::string_view(bytes_).substr(1, end - 1);
    const int high = digit(bytes_[end + 1]), low = digit(bytes_[end + 2]);
    const bool is_good = high >= 0 && low >= 0 && checksum(data) == static_cast<unsigned>(high * 16 + low);
    arrival a{is_good ? arrival::kind::packet : arrival::kind::damaged, is_good ? without_escapes(data) : ""};
    bytes_.erase(0, end + 3);
    return a;
  }
}

std::string framed(std::string_view data) {
  std::string escaped;
  for (const char ch : data) {
    if (ch == '$' || ch == '#' || ch == escape || ch == '*') {
      escaped += escape;
      escaped += static_cast<char>(ch ^ escaped_by);
    } else {
      escaped += ch;
    }
  }
  return fmt::format("${}#{:02x}", escaped, checksum(escaped));
}

std::string hex_of(const void* bytes, size_t count) {
  std::string hex;
  for (size_t k = 0; k < count; ++k) hex += fmt::format("{:02x}", static_cast<const unsigned char*>(bytes)[k]);
  return hex;
}

std::string hex_of(std::string_view text) {
  return hex_of(text.data(), text.size());
}

std::optional<std::string> bytes_of_hex(std::string_view hex) {
  if (hex.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (size_t k = 0; k < hex.size(); k += 2) {
    const int high = digit(hex[k]), low = digit(hex[k + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

std::optional<uint64_t> take_number(std::string_view& text) {
  constexpr size_t most_digits = 16;
  uint64_t value = 0;
  size_t digits = 0;
  while (digits < text.size() && digit(text[digits]) >= 0)
    value = value << 4 | static_cast<uint64_t>(digit(text[digits++]));
  if (digits == 0 || digits > most_digits) return std::nullopt;
  text.remove_prefix(digits);
  return value;
}

std::optional<std::pair<uint64_t, uint64_t>> take_place(std::string_view& text) {
  const auto address = take_number(text);
  if (!address || !take(text, ',')) return std::nullopt;
  const auto bytes = take_number(text);
  if (!bytes) return std::nullopt;
  return std::pair{*address, *bytes};
}

bool take(std::string_view& text, char ch) {
  if (text.empty() || text[0] != ch) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace pws::platform::gdb
