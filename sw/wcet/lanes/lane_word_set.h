// SPDX-License-Identifier: Apache-2.0
// A set of 32-bit words as the analysis of lane values keeps it: an interval on the circle of 2^32 numbers, of which
// only those with known low bits are meant.
#pragma once

#include <cstdint>

namespace pws::wcet {

constexpr uint64_t circle = uint64_t{1} << 32;  // numbers that a word may hold, the lowest next to the highest

constexpr uint32_t low_bits_mask(unsigned bits) {
  return bits >= 32 ? ~uint32_t{0} : (uint32_t{1} << bits) - 1;
}
constexpr unsigned trailing_zeros(uint32_t v) {
  return v == 0 ? 32 : static_cast<unsigned>(__builtin_ctz(v));
}

struct word_set {
  uint32_t start = 0;             // the interval's first number
  uint32_t width = ~uint32_t{0};  // its last one is start + width, modulo 2^32
  uint32_t residue = 0;           // of every member, modulo 2^known
  uint8_t known = 0;              // 0..32

  static word_set constant(uint32_t v) { return {v, 0, v, 32}; }
  static word_set any() { return {}; }
  // From `first` to `last`, going up and perhaps around.
  static word_set range(uint32_t first, uint32_t last) { return word_set{first, last - first, 0, 0}.reduced(); }
  // All numbers with these low bits.
  static word_set aligned(unsigned known, uint32_t residue) {
    return word_set{0, ~uint32_t{0}, residue, static_cast<uint8_t>(known)}.reduced();
  }

  bool is_constant() const { return width == 0; }
  bool is_full() const { return width >= ~low_bits_mask(known) && width != 0; }
  bool wraps() const { return start + width < start; }
  uint32_t lowest() const { return wraps() ? residue & low_bits_mask(known) : start; }
  uint32_t highest() const {
    return wraps() ? ~low_bits_mask(known) | (residue & low_bits_mask(known)) : start + width;
  }
  bool contains(uint32_t v) const { return v - start <= width && ((v - residue) & low_bits_mask(known)) == 0; }
  bool contains(const word_set& o) const;

  // The same set in its one form: equal sets compare equal.
  word_set reduced() const;
};

inline bool operator==(const word_set& a, const word_set& b) {
  return a.start == b.start && a.width == b.width && a.residue == b.residue && a.known == b.known;
}
inline bool operator!=(const word_set& a, const word_set& b) {
  return !(a == b);
}

// What a op b, modulo 2^32, may be for members of both.
word_set operator+(const word_set& a, const word_set& b);
word_set operator-(const word_set& a, const word_set& b);
word_set operator*(const word_set& a, const word_set& b);
// A set that holds all that is in both, as one interval: the shorter one where they meet at both ends.
word_set meet(const word_set& a, const word_set& b);
// A set that holds both.
word_set join(const word_set& a, const word_set& b);
// The set for a loop's next round: as join(), but an interval that grows becomes full, so that rounds come to an end.
word_set widen(const word_set& before, const word_set& now);

}  // namespace pws::wcet
