// SPDX-License-Identifier: Apache-2.0
// What a check knows of each byte of a memory, kept by dword: a dword that is accessed in parts has a cell for each of
// its bytes from then on. Pages come into being when they are first touched.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <new>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace pws::check {

// Cell: plain data, all zero at first, with a member `uint32_t parts` that belongs to this class, and
// `Cell part(unsigned byte) const`: what a dword's cell says of one of its bytes (0..3).
template <class Cell>
class byte_shadow {
 public:
  static constexpr uint64_t page_bytes = 4096;

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
  Cell& at(uint64_t address) { return page_of(address / page_bytes)[address % page_bytes / 4]; }

  // A way through the cells that remembers the page it is in: at() of addresses that mostly are near each other.
  class cursor {
   public:
    explicit cursor(byte_shadow& of) : of_(of) {}
    Cell& at(uint64_t address) {
      const uint64_t number = address / page_bytes;
      if (cells_ == nullptr || number != number_) {
        number_ = number;
        cells_ = &of_.page_of(number);
      }
      return (*cells_)[address % page_bytes / 4];
    }

   private:
    byte_shadow& of_;
    uint64_t number_ = 0;
    std::array<Cell, page_bytes / 4>* cells_ = nullptr;
  };

  // Calls f(cell) for all that there are, those of dwords and of parts.
  template <class F>
  void each(F&& f) {
    for (auto& p : pages_)
      for (Cell& c : *p.second) f(c);
    for (auto& parts : parts_)
      for (Cell& c : parts) f(c);
  }

  // Nothing is known any more.
  void clear() {
    pages_.clear();
    blocks_.clear();
    block_pages_ = used_ = 0;
    parts_.clear();
    recent_ = {};
  }
  size_t pages() const { return pages_.size(); }
  // Whether cells of this page (address / page_bytes) have been asked for.
  bool has(uint64_t page_number) const { return pages_.count(page_number) != 0; }
  // f(page number, its 1024 cells) is called before a page's cells are first handed out.
  void when_a_page_begins(std::function<void(uint64_t, Cell*)> f) { page_begins_ = std::move(f); }

 private:
  using page = std::array<Cell, page_bytes / 4>;
  static_assert(std::is_trivially_destructible_v<Cell> && std::is_trivially_copyable_v<Cell>);
  struct release {
    void operator()(page* p) const { std::free(p); }
  };
  struct recent {
    uint64_t number = 0;
    page* cells = nullptr;
  };
  page& page_of(uint64_t number) {
    recent& r = recent_[number % recent_.size()];
    if (r.cells == nullptr || r.number != number) {
      page*& p = pages_[number];
      if (p == nullptr) {
        p = &fresh_page();
        if (page_begins_) page_begins_(number, p->data());
      }
      r = {number, p};
    }
    return *r.cells;  // NOLINT(clang-analyzer-core.uninitialized.UndefReturn): set above
  }
  // Zeros as the host gives them: nothing is touched before it is needed.
  page& fresh_page() {
    if (used_ == block_pages_) {
      block_pages_ = std::min<size_t>(64, std::max<size_t>(1, 2 * block_pages_));
      used_ = 0;
      blocks_.emplace_back(static_cast<page*>(std::calloc(block_pages_, sizeof(page))));
      if (blocks_.back() == nullptr) throw std::bad_alloc();
    }
    return blocks_.back().get()[used_++];
  }
  void divide(Cell& c) {
    const std::array<Cell, 4> parts{c.part(0), c.part(1), c.part(2), c.part(3)};
    parts_.push_back(parts);
    c.parts = static_cast<uint32_t>(parts_.size());
  }

  std::unordered_map<uint64_t, page*> pages_;
  std::function<void(uint64_t, Cell*)> page_begins_;
  std::vector<std::unique_ptr<page, release>> blocks_;
  size_t block_pages_ = 0, used_ = 0;      // of the last block
  std::deque<std::array<Cell, 4>> parts_;  // stay where they are
  std::array<recent, 64> recent_{};
};

}  // namespace pws::check
