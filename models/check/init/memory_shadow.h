// SPDX-License-Identifier: Apache-2.0
// Which bits of memory are defined: device memory by page, LDS of a workgroup in one piece. A set bit is an undefined
// one, so that a value's shadow has the value's shape.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace pws::check::init {

// Where something undefined came from first: a number of origin_table; 0: never written.
using origin = uint32_t;

// Device memory [begin, begin + bytes). All of it is undefined at first; a page takes memory of the host once it is
// partly defined.
class memory_shadow {
 public:
  static constexpr uint64_t page_bytes = 1 << 16;

  memory_shadow(uint64_t begin, uint64_t bytes);
  ~memory_shadow();
  memory_shadow(const memory_shadow&) = delete;
  memory_shadow& operator=(const memory_shadow&) = delete;

  // Ranges may be empty; what lies outside of the memory is left out.
  void define(uint64_t address, uint64_t bytes);
  void undefine(uint64_t address, uint64_t bytes);
  // As memmove of the bytes.
  void copy(uint64_t to, uint64_t from, uint64_t bytes);

  // All pages of [first, last] are defined altogether. Cheap; false says nothing.
  bool pages_defined(uint64_t first, uint64_t last) const {
    if (!holds(first) || !holds(last)) return false;
    for (uint64_t n = number(first); n <= number(last); ++n)
      if (pages_[n] != &defined_) return false;
    return true;
  }
  // At most a few bytes: 64.
  void load(uint64_t address, uint32_t bytes, uint8_t* bits) const;
  void store(uint64_t address, uint32_t bytes, const uint8_t* bits, origin from);
  origin from(uint64_t address) const;
  // The next run of bytes with undefined bits in [address, end): where it begins and ends; begin == end: there is none.
  struct run {
    uint64_t begin = 0, end = 0;
  };
  run next_undefined(uint64_t address, uint64_t end) const;

  // Pages that are defined by now give their memory back.
  void tidy();

 private:
  struct page {
    uint8_t bits[page_bytes];
    origin from[page_bytes / 4];
  };
  bool holds(uint64_t address) const { return address >= begin_ && address - begin_ < bytes_; }
  uint64_t number(uint64_t address) const { return (address - begin_) / page_bytes; }
  uint64_t clipped(uint64_t address, uint64_t bytes) const;
  page& own(uint64_t n);
  void drop(uint64_t n, page* now);
  template <class F>
  void each_part(uint64_t address, uint64_t bytes, F f) const;

  uint64_t begin_, bytes_;
  page defined_;              // stands for every page that is defined; only its address counts
  std::vector<page*> pages_;  // nullptr: undefined
  std::vector<std::unique_ptr<page>> spare_;
};

// LDS of a workgroup; undefined at first. Of each line of 256 bytes it knows whether all of it is defined, since it
// last changed: most accesses need no more than that.
class lds_shadow {
 public:
  void begin(uint32_t bytes);
  // Bytes beyond its end read as defined and are not written: the access has been refused.
  void load(uint64_t offset, uint32_t bytes, uint8_t* bits) const;
  // All of the lanes' accesses, of 4, 8, 12 or 16 bytes each at offset[lane] + beyond, find defined bytes, or none that
  // exist.
  bool defined(const uint64_t* offset, uint32_t beyond, uint32_t bytes, uint64_t lanes);
  void define(const uint64_t* offset, uint32_t beyond, uint32_t bytes, uint64_t lanes);
  void store(uint64_t offset, uint32_t bytes, const uint8_t* bits, origin from);
  origin from(uint64_t offset) const { return offset / 4 < from_.size() ? from_[offset / 4] : 0; }

 private:
  static constexpr uint64_t line_bytes = 256;
  enum class line : uint8_t { changed, partly, whole };
  void change(uint64_t offset, uint64_t bytes);
  bool lines_defined(uint64_t first, uint64_t last);

  std::vector<uint8_t> bits_;
  std::vector<line> lines_;
  std::vector<origin> from_;
};

}  // namespace pws::check::init
