// SPDX-License-Identifier: Apache-2.0
// The contents of a file, or why they cannot be read.
#pragma once

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace pws {

// Appends what the file has to `text`, and stops when that has more than `most` bytes. 0, or errno: why it cannot be
// read.
inline int read_whole(const std::string& file, std::string& text, uint64_t most = UINT64_MAX) {
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::vector<char> block(size_t{64} << 10);
  while (in && text.size() <= most) {
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    text.append(block.data(), static_cast<size_t>(in.gcount()));
  }
  if (!text.empty() || in.eof()) return 0;
  return errno != 0 ? errno : EISDIR;  // a folder opens, but cannot be read
}

}  // namespace pws
