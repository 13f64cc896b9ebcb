// SPDX-License-Identifier: Apache-2.0
// The results that a correct compiler and machine may give for one expression: one bit pattern nearly always, several
// where a standard leaves the choice (sign of a NaN, contraction, flushed denormals), any where there were too many.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace pws::test {

class value_set {
 public:
  static constexpr size_t capacity = 12;

  value_set() = default;
  explicit value_set(uint64_t bits) : bits_{bits}, size_(1) {}
  static value_set anything() {
    value_set s;
    s.any_ = true;
    return s;
  }

  void add(uint64_t bits) {
    if (any_ || std::find(begin(), end(), bits) != end()) return;
    if (size_ == capacity) {
      any_ = true;
      size_ = 0;
      return;
    }
    bits_[size_++] = bits;
  }
  void add(const value_set& other) {
    if (other.any_) any_ = true;
    for (const uint64_t b : other) add(b);
    if (any_) size_ = 0;
  }

  bool any() const { return any_; }
  size_t size() const { return size_; }
  const uint64_t* begin() const { return bits_.data(); }
  const uint64_t* end() const { return bits_.data() + size_; }
  bool contains(uint64_t bits) const { return any_ || std::find(begin(), end(), bits) != end(); }

 private:
  std::array<uint64_t, capacity> bits_{};
  size_t size_ = 0;
  bool any_ = false;
};

}  // namespace pws::test
