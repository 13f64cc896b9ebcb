// SPDX-License-Identifier: Apache-2.0
// A bounds-checked little-endian view of untrusted bytes. Every reader of this folder goes through it, so that no
// length or offset from a file is ever believed before it has been compared with what is really there.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace pws::loader {

// The text in single quotes with control and non-ASCII bytes as \xNN and long texts cut, fit for an error message:
// names in a hostile file must not reach the terminal as they are.
std::string in_quotes(std::string_view text);

// Bytes of a file, read with bounds.
class byte_view {
 public:
  // `name` is what messages call the file (or the part of it); `data` is not owned. `origin` is the offset of data[0]
  // in the file that `name` means, for messages.
  byte_view(const uint8_t* data, uint64_t size, std::string name, uint64_t origin = 0)
      : data_(data), size_(size), origin_(origin), name_(std::move(name)) {}

  const uint8_t* data() const { return data_; }
  uint64_t size() const { return size_; }
  uint64_t origin() const { return origin_; }
  const std::string& name() const { return name_; }
  // So many bytes are there from `offset` on.
  bool holds(uint64_t offset, uint64_t bytes) const { return offset <= size_ && bytes <= size_ - offset; }

  // The integer, or structure in little-endian order, at `offset`. Throws input_error saying that `what` lies beyond
  // the end.
  template <typename T>
  T read(uint64_t offset, std::string_view what) const {
    static_assert(std::is_trivially_copyable_v<T>);
    check(offset, sizeof(T), what);
    T value;
    std::memcpy(&value, data_ + offset, sizeof value);
    return value;
  }
  // The part [offset, offset + bytes). Throws input_error saying that `what` lies beyond the end.
  byte_view slice(uint64_t offset, uint64_t bytes, std::string_view what) const;
  // The NUL-terminated string at `offset`. Throws input_error if the offset or the terminator lies beyond the end.
  std::string_view text(uint64_t offset, std::string_view what) const;
  // Throws input_error "NAME: PROBLEM (file offset 0x...)".
  [[noreturn]] void fail(uint64_t offset, const std::string& problem) const;
  // Throws input_error "NAME: PROBLEM".
  [[noreturn]] void fail(const std::string& problem) const;

 private:
  void check(uint64_t offset, uint64_t bytes, std::string_view what) const;

  const uint8_t* data_;
  uint64_t size_;
  uint64_t origin_;
  std::string name_;
};

// The whole of a regular file. Throws input_error if it is missing, unreadable, no regular file, or larger than 2 GiB.
std::vector<uint8_t> read_file(const std::filesystem::path& path);
// The same as text, in any encoding.
std::string read_text(const std::filesystem::path& path);

}  // namespace pws::loader
