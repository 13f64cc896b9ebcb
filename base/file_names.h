// SPDX-License-Identifier: Apache-2.0
// File names, as programs of this project take them and show them.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace pws {

// The last part of a path.
inline std::string file_name(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

// Whether what is written to one would be in the other; files need not be there. Devices and pipes may be named twice.
inline bool same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::exists(a, error) && !fs::is_regular_file(a, error)) return false;
  if (fs::equivalent(a, b, error) && !error) return true;
  return fs::weakly_canonical(fs::absolute(a, error), error) == fs::weakly_canonical(fs::absolute(b, error), error);
}

// Text with names in it, for a terminal: bytes that would steer it are shown as \x1b. Those in `kept` stay.
inline std::string visible(const std::string& text, std::string_view kept = "\n\t") {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte >= ' ' && byte != 0x7f) || kept.find(c) != std::string_view::npos) {
      out += c;
      continue;
    }
    char shown[5];
    std::snprintf(shown, sizeof shown, "\\x%02x", byte);
    out += shown;
  }
  return out;
}

}  // namespace pws
