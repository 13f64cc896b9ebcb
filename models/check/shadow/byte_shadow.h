// What a check knows of each byte of a memory, kept by dword: a dword that is accessed in parts has a cell for each of
// its bytes from then on. Pages come into being when they are first touched.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>

namespace pws::check {

// Cell: plain data, all zero at first, with a member `uint32_t parts` that belongs to this class, and
// `Cell part(unsigned byte) const`: what a dword's cell says of one of its bytes (0..3).
template <class Cell>
class byte_shadow {
 public:
  // Calls f(cell, address, bytes) for all bytes of [address, address + bytes): 4 bytes or 1 at a time. f must not call
  // visit(). An access that would wrap around the address space ends at its end.
  template <class F>
  void visit(uint64_t address, uint32_t bytes, F&& f) {
    while (bytes != 0) {
      Cell& c = at(address);
      const auto first = static_cast<uint32_t>(address & 3);
      const uint32_t n = bytes < 4 - first ? bytes : 4 - first;
      if (n == 4 && c.parts == 0) {
        f(c, address, 4u);
      } else {
        if (c.parts == 0) divide(c);
        std::array<Cell, 4>& parts = parts_[c.parts - 1];
        for (uint32_t k = 0; k < n; ++k) f(parts[first + k], address + k, 1u);
      }
      address += n;
      bytes -= n;
      if (address == 0) return;
    }
  }

  // The cell of the dword that holds `address`; its parts, if it has some, know more.
  Cell& at(uint64_t address) {
    const uint64_t number = address / page_bytes;
    recent& r = recent_[number % recent_.size()];
    if (r.cells == nullptr || r.number != number) {
      std::unique_ptr<page>& p = pages_[number];
      if (p == nullptr) p = std::make_unique<page>();
      r = {number, p.get()};
    }
    return (*r.cells)[address % page_bytes / 4];
  }

  // Nothing is known any more.
  void clear() {
    pages_.clear();
    parts_.clear();
    recent_ = {};
  }
  size_t pages() const { return pages_.size(); }
  static constexpr uint64_t page_bytes = 4096;

 private:
  using page = std::array<Cell, page_bytes / 4>;
  struct recent {
    uint64_t number = 0;
    page* cells = nullptr;
  };
  void divide(Cell& c) {
    const std::array<Cell, 4> parts{c.part(0), c.part(1), c.part(2), c.part(3)};
    parts_.push_back(parts);
    c.parts = static_cast<uint32_t>(parts_.size());
  }

  std::unordered_map<uint64_t, std::unique_ptr<page>> pages_;
  std::deque<std::array<Cell, 4>> parts_;  // stay where they are
  std::array<recent, 64> recent_{};
};

}  // namespace pws::check
