// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/lanes/lane_word_set.h"

#include <algorithm>

namespace pws::wcet {

namespace {

uint32_t limited(uint64_t width) {
  return width >= circle ? ~uint32_t{0} : static_cast<uint32_t>(width);
}

// The interval from a's start that holds both.
uint64_t hull_width(const word_set& a, const word_set& b) {
  const uint64_t end_of_b = uint64_t{b.start - a.start} + b.width;
  return end_of_b >= circle ? circle - 1 : std::max<uint64_t>(a.width, end_of_b);
}

}  // namespace

bool word_set::contains(const word_set& o) const {
  if (known > o.known || ((o.residue - residue) & low_bits_mask(known)) != 0) return false;
  return is_full() || (o.start - start <= width && uint64_t{o.start - start} + o.width <= width);
}

word_set word_set::reduced() const {
  word_set s = *this;
  if (s.known >= 32) return constant(s.residue);
  const uint32_t mask = low_bits_mask(s.known);
  s.residue &= mask;
  const uint32_t skip = (s.residue - s.start) & mask;
  // A code path that cannot be taken may leave no member: any set is right then.
  if (s.width < ~mask && skip <= s.width) {
    s.start += skip;
    s.width -= skip;
    s.width &= ~mask;
  }
  if (s.width == 0) return constant(s.start);
  if (s.width >= ~mask) {
    s.start = s.residue;
    s.width = ~mask;
  }
  return s;
}

word_set operator+(const word_set& a, const word_set& b) {
  const uint8_t known = std::min(a.known, b.known);
  return word_set{a.start + b.start, limited(uint64_t{a.width} + b.width), a.residue + b.residue, known}.reduced();
}

word_set operator-(const word_set& a, const word_set& b) {
  const uint8_t known = std::min(a.known, b.known);
  return word_set{a.start - (b.start + b.width), limited(uint64_t{a.width} + b.width), a.residue - b.residue, known}
      .reduced();
}

word_set operator*(const word_set& a, const word_set& b) {
  if (b.is_constant() && !a.is_constant()) return b * a;
  // The product of the known parts, as far as what is unknown of the one is shifted out by the other's trailing zeros.
  const unsigned zeros_a = std::min<unsigned>(a.known, trailing_zeros(a.residue));
  const unsigned zeros_b = std::min<unsigned>(b.known, trailing_zeros(b.residue));
  const unsigned known = std::min({32u, a.known + zeros_b, b.known + zeros_a});
  word_set r{0, ~uint32_t{0}, a.residue * b.residue, static_cast<uint8_t>(known)};
  if (a.is_constant()) {
    r.start = a.start * b.start;
    r.width = limited(uint64_t{b.width} * a.start);
    if (a.start == 0) return word_set::constant(0);
  } else if (uint64_t{a.highest()} * b.highest() < circle) {
    r.start = a.lowest() * b.lowest();
    r.width = a.highest() * b.highest() - r.start;
  }
  return r.reduced();
}

word_set meet(const word_set& a, const word_set& b) {
  const word_set& low_bits = a.known >= b.known ? a : b;
  const auto in = [&](uint32_t first, uint32_t width) {
    return word_set{first, width, low_bits.residue, low_bits.known}.reduced();
  };
  // Counted from a's start.
  const uint32_t begin = b.start - a.start;
  const uint64_t end = uint64_t{begin} + b.width;
  if (end < circle) {
    if (begin > a.width) return a;  // no member: on a path that cannot be taken
    return in(b.start, static_cast<uint32_t>(std::min<uint64_t>(a.width, end)) - begin);
  }
  const auto beyond = static_cast<uint32_t>(end - circle);
  if (beyond >= a.width) return in(a.start, a.width);
  if (begin > a.width) return in(a.start, beyond);
  return a.width <= b.width ? in(a.start, a.width) : in(b.start, b.width);
}

word_set join(const word_set& a, const word_set& b) {
  if (a == b) return a;
  const unsigned agree = trailing_zeros(a.residue - b.residue);
  word_set r;
  r.known = static_cast<uint8_t>(std::min({unsigned{a.known}, unsigned{b.known}, agree}));
  r.residue = a.residue;
  if (!a.is_full() && !b.is_full()) {
    const uint64_t from_a = hull_width(a, b), from_b = hull_width(b, a);
    r.start = from_a <= from_b ? a.start : b.start;
    r.width = limited(std::min(from_a, from_b));
  }
  return r.reduced();
}

word_set widen(const word_set& before, const word_set& now) {
  const word_set j = join(before, now);
  if (before.contains(j)) return before;
  if (before.start == j.start && before.width == j.width) return j;
  return word_set::aligned(j.known, j.residue);
}

}  // namespace pws::wcet
