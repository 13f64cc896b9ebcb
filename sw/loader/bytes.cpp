// SPDX-License-Identifier: Apache-2.0
#include "sw/loader/bytes.h"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>

#include "base/error.h"

namespace pws::loader {

namespace {
constexpr size_t longest_quote = 200;
constexpr uint64_t largest_file = uint64_t{2} << 30;
}  // namespace

std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text.substr(0, longest_quote)) {
    if (c >= 0x20 && c < 0x7f) {
      out += c;
    } else {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  if (text.size() > longest_quote) out += "...";
  return out + "'";
}

void byte_view::check(uint64_t offset, uint64_t bytes, std::string_view what) const {
  if (holds(offset, bytes)) return;
  throw input_error(fmt::format("{}: {} at file offset {:#x} ({} bytes) is beyond the end ({:#x})", name_, what,
                                origin_ + offset, bytes, origin_ + size_));
}

byte_view byte_view::slice(uint64_t offset, uint64_t bytes, std::string_view what) const {
  check(offset, bytes, what);
  return {data_ + offset, bytes, name_, origin_ + offset};
}

std::string_view byte_view::text(uint64_t offset, std::string_view what) const {
  check(offset, 1, what);
  const uint8_t* begin = data_ + offset;
  const void* end = std::memchr(begin, 0, size_ - offset);
  if (end == nullptr) fail(offset, fmt::format("{} is not terminated", what));
  return {reinterpret_cast<const char*>(begin), static_cast<size_t>(static_cast<const uint8_t*>(end) - begin)};
}

void byte_view::fail(uint64_t offset, const std::string& problem) const {
  throw input_error(fmt::format("{}: {} (file offset {:#x})", name_, problem, origin_ + offset));
}

void byte_view::fail(const std::string& problem) const {
  throw input_error(name_ + ": " + problem);
}

std::vector<uint8_t> read_file(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw input_error(path.string() + ": no such file");
  if (std::filesystem::is_directory(status)) throw input_error(path.string() + ": is a directory, not a file");
  // A device or a pipe would never end, or hand out each byte only once.
  if (!std::filesystem::is_regular_file(status)) throw input_error(path.string() + ": is not a regular file");
  const uint64_t size = std::filesystem::file_size(path, error);
  if (error) throw input_error(path.string() + ": " + error.message());
  if (size > largest_file) {
    throw input_error(
        fmt::format("{}: {} bytes are more than the {} a program file may have", path.string(), size, largest_file));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) throw input_error(path.string() + ": cannot be opened: " + std::strerror(errno));
  std::vector<uint8_t> bytes(size);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (static_cast<uint64_t>(file.gcount()) != size) throw input_error(path.string() + ": cannot be read to its end");
  return bytes;
}

std::string read_text(const std::filesystem::path& path) {
  const std::vector<uint8_t> bytes = read_file(path);
  return {bytes.begin(), bytes.end()};
}

}  // namespace pws::loader
