// SPDX-License-Identifier: Apache-2.0
// Packets of gdb's remote serial protocol: $DATA#CHECKSUM, each of which the other side acknowledges by + or -, until
// both agree to leave that out. (Debugging with GDB, appendix E.1)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace pws::platform::gdb {

// What a stream has brought.
struct arrival {
  enum class kind : uint8_t {
    packet,     // `data`, without escapes
    damaged,    // one whose checksum is wrong
    interrupt,  // Ctrl-C
    repeat,     // -: the last packet has not arrived well
    arrived     // +: it has
  } what = kind::packet;
  std::string data;
};

class packet_reader {
 public:
  static constexpr size_t longest = 1 << 16;  // of a packet; one that is longer is damaged

  void put(const char* bytes, size_t count) { bytes_.append(bytes, count); }
  // The next one; none: more bytes are needed. Bytes between packets that mean nothing are passed over.
  std::optional<arrival> next();

 private:
  std::string bytes_;
};

// The packet that has these data.
std::string framed(std::string_view data);

// ---- Numbers and bytes as two digits of base 16 each

std::string hex_of(const void* bytes, size_t count);
std::string hex_of(std::string_view text);
// None: it is not of that form.
std::optional<std::string> bytes_of_hex(std::string_view hex);
// Takes the number of base 16 that `text` begins with off it. None: it begins with no digit, or with more than 16.
std::optional<uint64_t> take_number(std::string_view& text);
// Two of them with a comma between: ADDRESS,SIZE or OFFSET,LENGTH.
std::optional<std::pair<uint64_t, uint64_t>> take_place(std::string_view& text);
// Takes the character off it, if it begins with that.
bool take(std::string_view& text, char ch);

}  // namespace pws::platform::gdb
