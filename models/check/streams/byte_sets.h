// SPDX-License-Identifier: Apache-2.0
// The bytes that an operation has touched, as bits by page: which it has read, written, and updated or polled as
// atomics do.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace pws::check {

enum class touch : uint8_t {
  read,
  written,
  atomic,  // by atomics, or by loads that look past the caches, as atomic and volatile loads do
  heard    // of these, those whose value came back
};

struct page_bytes {
  static constexpr uint64_t size = 4096;
  static constexpr size_t words = size / 64;
  using bits = std::array<uint64_t, words>;
  std::array<bits, 4> of{};  // by touch

  const bits& operator[](touch t) const { return of[static_cast<size_t>(t)]; }
  bits& operator[](touch t) { return of[static_cast<size_t>(t)]; }
};

class byte_sets {
 public:
  void add(touch t, uint64_t address, uint64_t bytes) {
    while (bytes != 0) {
      const uint64_t offset = address % page_bytes::size;
      const uint64_t here = bytes < page_bytes::size - offset ? bytes : page_bytes::size - offset;
      set(page(address / page_bytes::size)[t], offset, here);
      address += here;
      bytes -= here;
    }
  }
  // By number of the page.
  std::unordered_map<uint64_t, std::unique_ptr<page_bytes>>& pages() { return pages_; }

 private:
  page_bytes& page(uint64_t number) {
    if (last_ == nullptr || number != last_number_) {
      std::unique_ptr<page_bytes>& p = pages_[number];
      if (p == nullptr) p = std::make_unique<page_bytes>();
      last_ = p.get();
      last_number_ = number;
    }
    return *last_;
  }
  static void set(page_bytes::bits& b, uint64_t offset, uint64_t bytes) {
    while (bytes != 0) {
      const uint64_t bit = offset % 64, n = bytes < 64 - bit ? bytes : 64 - bit;
      b[offset / 64] |= (n == 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1) << bit;
      offset += n;
      bytes -= n;
    }
  }

  std::unordered_map<uint64_t, std::unique_ptr<page_bytes>> pages_;
  page_bytes* last_ = nullptr;
  uint64_t last_number_ = 0;
};

}  // namespace pws::check
