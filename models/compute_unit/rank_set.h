// SPDX-License-Identifier: Apache-2.0
// Contexts of a unit by their ranks: those that are ready, that fetch, or that may issue to a port in one cycle.
#pragma once

#include <array>
#include <cstdint>

#include "models/machine/ids.h"

namespace pws::models {

// For up to 64 * `words` contexts. With one word it is a register.
template <uint32_t words>
class rank_set {
 public:
  static constexpr uint32_t word_bits = 64;

  uint64_t& operator[](uint32_t word) { return words_[word]; }
  uint64_t operator[](uint32_t word) const { return words_[word]; }

  bool any() const {
    uint64_t all = 0;
    for (const uint64_t w : words_) all |= w;
    return all != 0;
  }
  void remove(context_rank r) { words_[r.value / word_bits] &= ~(uint64_t{1} << r.value % word_bits); }
  // Takes out the first from rank `from` on, or else the first of all. There is one.
  context_rank take(uint32_t from = 0) {
    uint32_t k = from / word_bits;
    uint64_t left = k < words ? words_[k] & ~uint64_t{0} << from % word_bits : 0;
    while (left == 0) {
      if (++k >= words) k = 0;
      left = words_[k];
    }
    words_[k] &= ~(left & -left);
    return context_rank(k * word_bits + static_cast<uint32_t>(__builtin_ctzll(left)));
  }

 private:
  std::array<uint64_t, words> words_{};
};

}  // namespace pws::models
