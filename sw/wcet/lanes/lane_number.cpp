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
lane_pair any_of(const lane_pair& a, const lane_pair& b) {
  const lane_value half =
      lane_value::alike(a.low.equality() & a.high.equality() & b.low.equality() & b.high.equality(), word_set::any());
  return {half, half};
}

// The low bits as a number of 32.
lane_value low_part(const lane_value& v, unsigned bits, bool is_signed) {
  if (bits == 32) return v;
  const uint32_t most = low_bits_mask(is_signed ? bits - 1 : bits);
  if (word_set::range(is_signed ? ~most : 0, most).contains(v.anywhere())) return v;
  const lane_value low = shifted_left(v, 32 - bits);
  return is_signed ? shifted_right_signed(low, 32 - bits) : shifted_right(low, 32 - bits);
}

// Signed numbers in the order of unsigned ones, and back.
lane_value turned(const lane_value& v, bool is_signed) {
  return is_signed ? v + lane_value::constant(top) : v;
}

}  // namespace

lane_value lane_number::extended() const {
  return is_signed || bits == 32 ? low_part(v, bits, is_signed) : v & lane_value::constant(low_bits_mask(bits));
}

lane_number operator*(const lane_number& a, const lane_number& b) {
  return a.with(a.extended() * b.extended());
}

lane_number product_high(const lane_number& a, const lane_number& b) {
  return a.with(a.is_signed ? any_of(a.v, b.v) : product_high(a.v, b.v));
}

lane_number shifted_left(const lane_number& a, const lane_number& count) {
  const auto n = count.v.scalar();
  return a.with(n ? shifted_left(a.extended(), *n & (a.bits - 1)) : any_of(a.v, count.v));
}

lane_number shifted_right(const lane_number& a, const lane_number& count) {
  const auto n = count.v.scalar();
  if (!n) return a.with(any_of(a.v, count.v));
  const unsigned by = *n & (a.bits - 1);
  return a.with(a.is_signed ? shifted_right_signed(a.extended(), by) : shifted_right(a.extended(), by));
}

lane_number extracted(const lane_number& a, const lane_number& first, const lane_number& bits) {
  const auto at = first.v.scalar(), size = bits.v.scalar();
  if (!at || !size)
    return a.with(lane_value::alike(a.v.equality() & first.v.equality() & bits.v.equality(), word_set::any()));
  if (*size == 0) return a.with(lane_value::constant(0));
  const unsigned low = *at & 31, n = std::min(*size, 32 - low);
  if (low == 0) return a.with(low_part(a.v, n, a.is_signed));
  const lane_value high = shifted_left(a.v, 32 - low - n);
  return a.with(a.is_signed ? shifted_right_signed(high, 32 - n) : shifted_right(high, 32 - n));
}

lane_number smaller(const lane_number& a, const lane_number& b) {
  const bool sign = a.is_signed;
  return a.with(turned(smaller(turned(a.extended(), sign), turned(b.extended(), sign)), sign));
}

lane_number larger(const lane_number& a, const lane_number& b) {
  const bool sign = a.is_signed;
  return a.with(turned(larger(turned(a.extended(), sign), turned(b.extended(), sign)), sign));
}

lane_number median(const lane_number& a, const lane_number& b, const lane_number& c) {
  const bool sign = a.is_signed;
  return a.with(
      turned(median(turned(a.extended(), sign), turned(b.extended(), sign), turned(c.extended(), sign)), sign));
}

lane_number chosen(const lane_number& flag, const lane_number& if_set, const lane_number& if_clear) {
  if (const auto all = flag.v.scalar()) return *all != 0 ? if_set : if_clear;
  if (!flag.v.is_known()) return if_set.with(select(if_clear.v, if_set.v, flag.v.equality()));
  uint64_t set = 0;
  for (unsigned l = 0; l < lanes_per_wave; ++l)
    if (flag.v.in_lane(l).start != 0) set |= uint64_t{1} << l;
  return if_set.with(replaced(if_clear.v, if_set.v, set, flag.lanes));
}

lane_value carry_of(const lane_number& a, const lane_number& b) {
  return a.is_signed ? any_of(a.v, b.v, word_set::range(0, 1)) : carry_of(a.v, b.v);
}
lane_value borrow_of(const lane_number& a, const lane_number& b) {
  return a.is_signed ? any_of(a.v, b.v, word_set::range(0, 1)) : borrow_of(a.v, b.v);
}

// --- Pairs

lane_pair operator~(const lane_pair& a) {
  return {~a.low, ~a.high};
}
lane_pair operator&(const lane_pair& a, const lane_pair& b) {
  return {a.low & b.low, a.high & b.high};
}
lane_pair operator|(const lane_pair& a, const lane_pair& b) {
  return {a.low | b.low, a.high | b.high};
}
lane_pair operator^(const lane_pair& a, const lane_pair& b) {
  return {a.low ^ b.low, a.high ^ b.high};
}
lane_pair operator+(const lane_pair& a, const lane_pair& b) {
  return {a.low + b.low, a.high + b.high + carry_of(a.low, b.low)};
}
lane_pair operator-(const lane_pair& a, const lane_pair& b) {
  return any_of(a, b);
}
lane_pair operator*(const lane_pair& a, const lane_pair& b) {
  return any_of(a, b);
}
lane_pair product_high(const lane_pair& a, const lane_pair& b) {
  return any_of(a, b);
}

lane_pair shifted_left(const lane_pair& a, const lane_pair& count) {
  const auto n = count.low.scalar();
  if (!n) return any_of(a, count);
  const unsigned bits = *n & 63;
  if (bits == 0) return a;
  if (bits >= 32) return {lane_value::constant(0), shifted_left(a.low, bits - 32)};
  return {shifted_left(a.low, bits), shifted_left(a.high, bits) + shifted_right(a.low, 32 - bits)};
}

lane_pair shifted_right(const lane_pair& a, const lane_pair& count) {
  const auto n = count.low.scalar();
  if (!n) return any_of(a, count);
  const unsigned bits = *n & 63;
  if (bits == 0) return a;
  const auto high = [&](unsigned by) {
    return a.is_signed ? shifted_right_signed(a.high, by) : shifted_right(a.high, by);
  };
  if (bits >= 32) return {high(bits - 32), a.is_signed ? high(31) : lane_value::constant(0)};
  return {shifted_right(a.low, bits) + shifted_left(a.high, 32 - bits), high(bits)};
}

lane_pair extracted(const lane_pair& a, const lane_pair& first, const lane_pair& bits) {
  return any_of(any_of(a, first), bits);
}
lane_pair smaller(const lane_pair& a, const lane_pair& b) {
  return any_of(a, b);
}
lane_pair larger(const lane_pair& a, const lane_pair& b) {
  return any_of(a, b);
}
lane_pair chosen(const lane_pair& flag, const lane_pair& if_set, const lane_pair& if_clear) {
  const lane_number f{flag.low};
  return {chosen(f, {if_set.low}, {if_clear.low}).v, chosen(f, {if_set.high}, {if_clear.high}).v};
}

// --- Compares

namespace {

// Of unsigned numbers, for isa::holds.
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
