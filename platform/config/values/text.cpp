// SPDX-License-Identifier: Apache-2.0
#include "platform/config/values/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace pws::platform {

namespace {
std::string escaped(std::string_view text, size_t longest) {
  std::string out;
  for (size_t k = 0; k < text.size(); ++k) {
    // Cut only in front of a character, never inside a UTF-8 sequence.
    const auto byte = static_cast<unsigned char>(text[k]);
    if (k >= longest && (byte & 0xc0u) != 0x80u) {
      out += "...";
      break;
    }
    if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += text[k];
    }
  }
  return out;
}
}  // namespace

std::string printable(std::string_view text) {
  constexpr size_t longest = 60;
  return escaped(text, longest);
}

std::string in_quotes(std::string_view text) {
  return "'" + printable(text) + "'";
}

std::string file_in_quotes(std::string_view path) {
  return "'" + escaped(path, path.size()) + "'";
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

std::string wrapped(std::string_view text, size_t indent, size_t width) {
  std::string out;
  size_t column = indent;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    if (!out.empty()) {
      const bool fits = column + 1 + word.size() <= width;
      out += fits ? " " : "\n" + std::string(indent, ' ');
      column = fits ? column + 1 : indent;
    }
    out += word;
    column += word.size();
  }
  return out;
}

std::string labelled(const std::string& label, size_t indent, std::string_view text, size_t width) {
  std::string out = label;
  if (label.size() + 2 > indent)
    out += "\n" + std::string(indent, ' ');
  else
    out += std::string(indent - label.size(), ' ');
  return out + wrapped(text, indent, width) + '\n';
}

}  // namespace pws::platform
