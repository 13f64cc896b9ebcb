// SPDX-License-Identifier: Apache-2.0
// A register map as plain data: which registers a device has, where they are, and how they may be accessed. All
// registers have 64 bits, little-endian.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/enum_names.h"

namespace pws::models {

constexpr uint64_t register_bytes = 8;  // of each register

// What accesses of drivers do to a register. The device itself may do anything with it.
enum class register_access : uint8_t {
  ro,   // read only
  rw,   // read and write
  wo,   // write only
  w1c,  // a written 1 clears its bit
  w1s   // a written 1 sets its bit, which the device clears again
};
constexpr auto enumerators(register_access) {
  using e = register_access;
  return std::array{named{e::ro, "RO"}, named{e::rw, "RW"}, named{e::wo, "WO"}, named{e::w1c, "W1C"},
                    named{e::w1s, "W1S"}};
}
// Whether a driver may read such a register.
constexpr bool is_readable(register_access a) {
  return a != register_access::wo;
}
// Whether a driver may write such a register.
constexpr bool is_writable(register_access a) {
  return a != register_access::ro;
}

// A register's value after a reset.
struct reset_value {
  uint64_t value = 0;
  bool by_configuration = false;                   // what the machine's configuration says; `value` means nothing
  constexpr reset_value(uint64_t v) : value(v) {}  // a number stands for it in a row
  constexpr reset_value(uint64_t v, bool by) : value(v), by_configuration(by) {}
};
constexpr reset_value configured{0, true};  // what rows of such registers say

// Registers that there are `count` times, `stride` bytes apart.
struct register_block {
  const char* name;
  uint64_t base;  // address of the first
  uint32_t count;
  uint64_t stride;  // bytes
  const char* meaning;
  // The address behind the last.
  constexpr uint64_t end() const { return base + count * stride; }
};

// A register, or `words` of them, one behind the other.
struct register_row {
  uint32_t block;  // index of its block
  const char* name;
  uint64_t offset;  // in its block
  uint32_t words;
  register_access access;
  reset_value reset;
  const char* meaning;
};

// Bits of a register that have a name.
struct register_field {
  uint32_t row;  // index of its register
  const char* name;
  uint32_t lsb, width;
  const char* meaning;
  // Its bits, in their place.
  constexpr uint64_t mask() const { return (width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1) << lsb; }
  // Its value in that of the register.
  constexpr uint64_t in(uint64_t value) const { return (value & mask()) >> lsb; }
  // The register's bits if the field is `value`. Bits that do not fit are dropped.
  constexpr uint64_t of(uint64_t value) const { return value << lsb & mask(); }
};

// A value of a register without fields that has a name.
struct register_number {
  uint32_t row;
  const char* name;
  uint64_t number;
  const char* meaning;
};

// Constant data that lies elsewhere.
template <class T>
struct register_list {
  const T* first = nullptr;
  size_t n = 0;
  constexpr register_list() = default;
  template <size_t N>
  constexpr register_list(const T (&all)[N]) : first(all), n(N) {}
  constexpr const T* begin() const { return first; }
  constexpr const T* end() const { return first + n; }
  constexpr size_t size() const { return n; }
  constexpr const T& operator[](size_t k) const { return first[k]; }
};

struct register_map {
  register_list<register_block> blocks;
  register_list<register_row> rows;
  register_list<register_field> fields;
  register_list<register_number> numbers;
  uint32_t bad_accesses = 0;  // index of the register that shows how many accesses were wrong

  // Bytes from the first address to behind the last block.
  constexpr uint64_t size() const {
    uint64_t bytes = 0;
    for (const register_block& b : blocks) bytes = b.end() > bytes ? b.end() : bytes;
    return bytes;
  }
  // The address of a register: of which block of its kind, and which word.
  constexpr uint64_t address(uint32_t row, uint32_t instance = 0, uint32_t word = 0) const {
    const register_block& b = blocks[rows[row].block];
    return b.base + instance * b.stride + rows[row].offset + word * register_bytes;
  }
  // The bits of a register that are not reserved.
  constexpr uint64_t bits(uint32_t row) const {
    uint64_t all = 0;
    for (const register_field& f : fields)
      if (f.row == row) all |= f.mask();
    return all == 0 ? ~uint64_t{0} : all;
  }
};

// What is wrong with a map; nullptr: nothing. Registers and blocks are aligned and do not overlap, fields neither.
constexpr const char* mistake_in(const register_map& map) {
  for (size_t k = 0; k < map.blocks.size(); ++k) {
    const register_block& b = map.blocks[k];
    if (b.count == 0 || b.stride == 0 || b.base % register_bytes != 0 || b.stride % register_bytes != 0)
      return "a block is empty or not aligned";
    for (size_t other = 0; other < k; ++other)
      if (b.base < map.blocks[other].end() && map.blocks[other].base < b.end()) return "two blocks overlap";
  }
  for (size_t k = 0; k < map.fields.size(); ++k) {
    const register_field& f = map.fields[k];
    if (f.row >= map.rows.size() || f.width == 0 || f.lsb >= 64 || f.width > 64 - f.lsb) return "a field does not fit";
    for (size_t other = 0; other < k; ++other)
      if (map.fields[other].row == f.row && (map.fields[other].mask() & f.mask()) != 0) return "two fields overlap";
  }
  for (size_t k = 0; k < map.rows.size(); ++k) {
    const register_row& r = map.rows[k];
    if (r.block >= map.blocks.size()) return "a register is in no block";
    if (r.words == 0 || r.offset % register_bytes != 0) return "a register is not aligned";
    if (r.offset + r.words * register_bytes > map.blocks[r.block].stride) return "a register is behind its block";
    for (size_t other = 0; other < k; ++other) {
      const register_row& o = map.rows[other];
      if (o.block == r.block && r.offset < o.offset + o.words * register_bytes &&
          o.offset < r.offset + r.words * register_bytes)
        return "two registers overlap";
    }
    if ((r.reset.value & ~map.bits(static_cast<uint32_t>(k))) != 0) return "a reset value has reserved bits";
  }
  for (const register_number& v : map.numbers) {
    if (v.row >= map.rows.size()) return "a value is of no register";
    for (const register_field& f : map.fields)
      if (f.row == v.row) return "a register has both fields and values";
  }
  return map.bad_accesses < map.rows.size() ? nullptr : "no register shows wrong accesses";
}

}  // namespace pws::models
