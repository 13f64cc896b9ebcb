// SPDX-License-Identifier: Apache-2.0
#include "platform/config/utf8.h"

#include <fmt/format.h>

namespace pws::platform {

namespace {

// Length of the UTF-8 sequence at `at`, or 0 if it is malformed.
size_t sequence_length(const std::string& text, size_t at) {
  const auto byte = [&text](size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  const unsigned lead = byte(at);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  uint32_t code = lead & (0xffu >> (length + 1));
  for (size_t k = 1; k < length; ++k) {
    if ((byte(at + k) & 0xc0u) != 0x80u) return 0;
    code = code << 6 | (byte(at + k) & 0x3fu);
  }
  constexpr uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (lead < 0xc2 || lead > 0xf4 || code < smallest[length] || code > 0x10ffff || surrogate) return 0;
  return length;
}

}  // namespace

std::optional<bad_text> find_bad_utf8(const std::string& text) {
  int line = 1, column = 1;
  for (size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const size_t length = sequence_length(text, at);
    if (length == 0) return bad_text{line, column, fmt::format("byte 0x{:02x} is not UTF-8 text", byte)};
    if ((byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7f) {
      return bad_text{line, column, fmt::format("control character 0x{:02x} in a text file", byte)};
    }
    at += length;
    ++column;
    if (byte == '\n') {
      ++line;
      column = 1;
    }
  }
  return std::nullopt;
}

bool line_begins_with_tab(const std::string& text, int line) {
  size_t at = 0;
  for (int k = 0; k < line && at != std::string::npos; ++k) {
    at = text.find('\n', at);
    if (at != std::string::npos) ++at;
  }
  if (at == std::string::npos) return false;
  const size_t end = text.find_first_not_of(" \t", at);
  return end != std::string::npos && text.substr(at, end - at).find('\t') != std::string::npos;
}

}  // namespace pws::platform
