// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/lanes/lane_number.h"

#include <algorithm>

namespace pws::wcet {

namespace {

constexpr uint32_t top = uint32_t{1} << 31;

// Alike in lanes where both are.
lane_value any_of(const lane_value& a, const lane_value& b, const word_set& all = word_set::any()) {
  return lane_value::alike(a.equality() & b.equality(), all);
}

// The low bits as a number of 32.
lane_value low_part(const lane_value& v, unsigned bits, bool is_signed) {
  if (bits == 32) return v;
  const uint32_t most = low_bits_mask(is_signed ? bits - 1 : bits);
  if (word_set::range(is_signed ? ~most : 0, most).contains(v.anywhere())) return v;
  const lane_value low = shifted_left(v, 32 - bits);
  return is_signed ? shifted_right_signed(low, 32 - bits) : shifted_right(low, 32 - bits);
}

lane_value right(const lane_value& v, unsigned bits, bool is_signed) {
  return is_signed ? shifted_right_signed(v, bits) : shifted_right(v, bits);
}

// Extended; signed numbers in the order of unsigned ones, and back.
lane_value turned(const lane_value& v, bool is_signed) {
  return is_signed ? v + lane_value::constant(top) : v;
}
lane_value in_order(const lane_number& n) {
  return turned(n.extended(), n.is_signed);
}
lane_number out_of_order(const lane_value& v, const lane_number& like) {
  return {turned(v, like.is_signed), like.is_signed, like.bits};
}

}  // namespace

lane_value lane_number::extended() const {
  return is_signed || bits == 32 ? low_part(*this, bits, is_signed) : *this & constant(low_bits_mask(bits));
}

lane_number operator*(const lane_number& a, const lane_number& b) {
  return a.extended() * b.extended();
}
lane_number product_high(const lane_number& a, const lane_number& b) {
  const lane_value &x = a, &y = b;
  return a.is_signed ? any_of(x, y) : product_high(x, y);
}

lane_number shifted_left(const lane_number& a, const lane_number& count) {
  const auto n = count.scalar();
  return n ? shifted_left(a.extended(), *n & (a.bits - 1)) : any_of(a, count);
}
lane_number shifted_right(const lane_number& a, const lane_number& count) {
  const auto n = count.scalar();
  return n ? right(a.extended(), *n & (a.bits - 1), a.is_signed) : any_of(a, count);
}

// As signed as it was.
lane_number extracted(const lane_number& a, const lane_number& first, const lane_number& bits) {
  const auto at = first.scalar(), size = bits.scalar();
  lane_value v = lane_value::constant(0);
  if (!at || !size) {
    v = lane_value::alike(a.equality() & first.equality() & bits.equality(), word_set::any());
  } else if (*size != 0) {
    const unsigned low = *at & 31, n = std::min(*size, 32 - low);
    v = low == 0 ? low_part(a, n, a.is_signed)
                 : right(shifted_left(static_cast<const lane_value&>(a), 32 - low - n), 32 - n, a.is_signed);
  }
  return {v, a.is_signed};
}

lane_number smaller(const lane_number& a, const lane_number& b) {
  return out_of_order(smaller(in_order(a), in_order(b)), a);
}
lane_number larger(const lane_number& a, const lane_number& b) {
  return out_of_order(larger(in_order(a), in_order(b)), a);
}
lane_number median(const lane_number& a, const lane_number& b, const lane_number& c) {
  return out_of_order(median(in_order(a), in_order(b), in_order(c)), a);
}

lane_number chosen(const lane_number& flag, const lane_number& if_set, const lane_number& if_clear) {
  if (const auto all = flag.scalar()) return *all != 0 ? if_set : if_clear;
  if (!flag.is_known()) return select(if_clear, if_set, flag.equality());
  uint64_t set = 0;
  for (unsigned l = 0; l < lanes_per_wave; ++l)
    if (flag.in_lane(l).start != 0) set |= uint64_t{1} << l;
  return replaced(if_clear, if_set, set, flag.lanes);
}

lane_value carry_of(const lane_number& a, const lane_number& b) {
  const lane_value &x = a, &y = b;
  return a.is_signed ? any_of(x, y, word_set::range(0, 1)) : carry_of(x, y);
}
lane_value borrow_of(const lane_number& a, const lane_number& b) {
  const lane_value &x = a, &y = b;
  return a.is_signed ? any_of(x, y, word_set::range(0, 1)) : borrow_of(x, y);
}

// --- Pairs

lane_pair operator+(const lane_pair& a, const lane_pair& b) {
  return {a.low + b.low, a.high + b.high + carry_of(a.low, b.low)};
}

lane_pair arithmetic(const isa::meaning& m, const lane_pair& a, const lane_pair& b, const lane_number& flag) {
  if (isa::is_conditional(m.does)) return {chosen(flag, a.low, b.low), chosen(flag, a.high, b.high)};
  if (!isa::is_shift(m.does)) return {isa::logic(m.does, a.low, b.low), isa::logic(m.does, a.high, b.high)};
  const auto count = b.low.scalar();
  if (!count) {
    const lane_value any = lane_value::alike(a.low.equality() & a.high.equality() & b.low.equality(), word_set::any());
    return {any, any};
  }
  const unsigned n = *count & 63, rest = 32 - n % 32;
  const bool is_signed = isa::is_signed(m.of);
  if (n == 0) return a;
  if (m.does == isa::operation::shift_left) {
    if (n >= 32) return {lane_value::constant(0), shifted_left(a.low, n - 32)};
    return {shifted_left(a.low, n), shifted_left(a.high, n) + shifted_right(a.low, rest)};
  }
  if (n >= 32) return {right(a.high, n - 32, is_signed), is_signed ? right(a.high, 31, true) : lane_value::constant(0)};
  return {shifted_right(a.low, n) + shifted_left(a.high, rest), right(a.high, n, is_signed)};
}

// --- Compares

namespace {

// An unsigned number, for isa::holds.
struct ordered {
  word_set w;
};
outcome operator<(const ordered& a, const ordered& b) {
  return {a.w.lowest() < b.w.highest(), a.w.highest() >= b.w.lowest()};
}
outcome operator<=(const ordered& a, const ordered& b) {
  return !(b < a);
}
outcome operator==(const ordered& a, const ordered& b) {
  const bool differ = !a.w.is_constant() || !b.w.is_constant() || a.w.start != b.w.start;
  const uint8_t known = std::min(a.w.known, b.w.known);
  const bool equal = a.w.lowest() <= b.w.highest() && b.w.lowest() <= a.w.highest() &&
                     ((a.w.residue ^ b.w.residue) & low_bits_mask(known)) == 0;
  return {equal, differ};
}

}  // namespace

outcome compare(isa::relation r, const word_set& a, const word_set& b, bool is_signed) {
  const word_set turn = word_set::constant(is_signed ? top : 0);
  return isa::holds(r, ordered{a + turn}, ordered{b + turn});
}

}  // namespace pws::wcet
