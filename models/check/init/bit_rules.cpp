// SPDX-License-Identifier: Apache-2.0
#include "models/check/init/bit_rules.h"

#include <algorithm>

#include "models/isa/integer.h"
#include "models/isa/predicates.h"

namespace pws::check::init {

namespace {

using isa::data_type;
using isa::operation;
using isa::relation;

constexpr uint64_t mask_of(unsigned width) {
  return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
}

known everything_or_nothing(bool undefined, unsigned width) {
  return {0, undefined ? mask_of(width) : 0};
}

// What isa::arithmetic and isa::holds take: a number of so many bits of which some are undefined.
struct number {
  known k;
  unsigned width;
  bool is_signed;

  number with(const known& now) const {
    return {{now.value & mask_of(width), now.bits & mask_of(width)}, width, is_signed};
  }
};
number operator~(const number& a) {
  return a.with(~a.k);
}
number operator&(const number& a, const number& b) {
  return a.with(a.k & b.k);
}
number operator|(const number& a, const number& b) {
  return a.with(a.k | b.k);
}
number operator^(const number& a, const number& b) {
  return a.with(a.k ^ b.k);
}

// Carries go up only: bits below the lowest undefined one are right.
number from_lowest(const number& a, const number& b, uint64_t value) {
  const uint64_t bits = a.k.bits | b.k.bits;
  return a.with({value, bits | (0 - bits)});
}
number operator+(const number& a, const number& b) {
  return from_lowest(a, b, a.k.value + b.k.value);
}
number operator-(const number& a, const number& b) {
  return from_lowest(a, b, a.k.value - b.k.value);
}
number operator*(const number& a, const number& b) {
  return from_lowest(a, b, a.k.value * b.k.value);
}

number shifted(const number& a, const number& count, bool left) {
  if ((count.k.bits & (a.width - 1)) != 0) return a.with(everything_or_nothing(true, a.width));
  const auto n = static_cast<unsigned>(count.k.value & (a.width - 1));
  return a.with(left ? known{a.k.value << n, a.k.bits << n} : part_of(a.k, n, a.width - n, a.is_signed));
}
number shifted_left(const number& a, const number& count) {
  return shifted(a, count, true);
}
number shifted_right(const number& a, const number& count) {
  return shifted(a, count, false);
}
number extracted(const number& a, const number& first, const number& bits) {
  const unsigned low = static_cast<unsigned>(first.k.value) & (a.width - 1);
  if (((first.k.bits & (a.width - 1)) | bits.k.bits) != 0) return a.with(everything_or_nothing(true, a.width));
  if (bits.k.value == 0) return a.with({});
  return a.with(part_of(a.k, low, std::min(static_cast<unsigned>(bits.k.value), a.width - low), a.is_signed));
}
number one_of(const number& a, const number& b) {
  return a.with(everything_or_nothing((a.k.bits | b.k.bits) != 0, a.width));
}
number product_high(const number& a, const number& b) {
  return one_of(a, b);
}
number smaller(const number& a, const number& b) {
  return one_of(a, b);
}
number larger(const number& a, const number& b) {
  return one_of(a, b);
}
number chosen(const number& flag, const number& set, const number& clear) {
  if (flag.k.bits != 0) return set.with({0, set.k.bits | clear.k.bits | (set.k.value ^ clear.k.value)});
  return flag.k.value != 0 ? set : clear;
}

// Whether something is true; which it is does not matter here.
struct truth {
  explicit truth(bool /*known*/, bool is_undefined = false) : undefined(is_undefined) {}
  truth operator!() const { return *this; }
  bool undefined;
};
// In unsigned order.
struct bounds {
  uint64_t low, high;
};
bounds bounds_of(const number& n) {
  const uint64_t all = mask_of(n.width), sign = uint64_t{1} << (n.width - 1);
  uint64_t low = n.k.value & ~n.k.bits & all, high = (n.k.value | n.k.bits) & all;
  if (!n.is_signed) return {low, high};
  if ((n.k.bits & sign) != 0) {
    low |= sign;
    high &= ~sign;
  }
  return {low ^ sign, high ^ sign};
}
truth operator<(const number& a, const number& b) {
  const bounds x = bounds_of(a), y = bounds_of(b);
  return truth(false, (x.low < y.high) != (x.high < y.low));
}
truth operator<=(const number& a, const number& b) {
  return b < a;
}
truth operator==(const number& a, const number& b) {
  const uint64_t defined = ~(a.k.bits | b.k.bits);
  return truth(false, ((a.k.value ^ b.k.value) & defined & mask_of(a.width)) == 0);
}

uint64_t any_bits(const rule_sources& s) {
  uint64_t bits = s.carry.bits;
  for (unsigned k = 0; k < s.n; ++k) bits |= s.arg[k].bits;
  return bits;
}

// What v_perm_b32's selectors choose: 0 to 7 a byte of {arg 0, arg 1}; 8 to 11 the sign of one of their halves; 12
// zero; 13 and up all ones.
known permuted_bytes(const known& high, const known& low, const known& select) {
  if ((select.bits & 0xffffffff) != 0) return {0, 0xffffffff};
  const uint64_t bits = high.bits << 32 | (low.bits & 0xffffffff);
  uint64_t result = 0;
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned from = static_cast<unsigned>(select.value >> (8 * k) & 0xff);
    uint64_t byte = 0;
    if (from < 8)
      byte = bits >> (8 * from) & 0xff;
    else if (from < 12)
      byte = (bits >> (16 * (from - 8) + 15) & 1) != 0 ? 0xff : 0;
    result |= byte << (8 * k);
  }
  return {0, result};
}

uint64_t reversed(uint64_t v, unsigned width) {
  uint64_t r = 0;
  for (unsigned k = 0; k < width; ++k) r |= (v >> k & 1) << (width - 1 - k);
  return r;
}

known aligned(const rule_sources& s, bool bytes) {
  const known &a = s.arg[0], &b = s.arg[1], &c = s.arg[2];
  if ((c.bits & (bytes ? 3 : 31)) != 0) return everything_or_nothing(true, s.width);
  const auto n = static_cast<unsigned>(bytes ? (c.value & 3) * 8 : c.value & 31);
  return {0, ((a.bits << 32 | (b.bits & 0xffffffff)) >> n) & 0xffffffff};
}

}  // namespace

known part_of(const known& k, unsigned low, unsigned width, bool sign_extended) {
  const uint64_t all = mask_of(width), sign = uint64_t{1} << (width - 1);
  known r{k.value >> low & all, k.bits >> low & all};
  if (!sign_extended) return r;
  if ((r.value & sign) != 0) r.value |= ~all;
  if ((r.bits & sign) != 0) r.bits |= ~all;
  return r;
}

known result_of(const isa::opcode_row& row, const rule_sources& s) {
  const isa::meaning& m = row.means;
  const known &a = s.arg[m.reversed ? 1 : 0], &b = s.arg[m.reversed ? 0 : 1];
  const auto numeric = [&](const known& k) { return number{k, s.width, isa::is_signed(m.of)}; };
  const auto clipped = [&](const known& k) { return numeric({}).with(k).k; };
  // Rows of floating-point numbers have other functions.
  if (isa::is_integer_function(m)) {
    const number source[] = {numeric(s.arg[0]), numeric(s.arg[1]), numeric(s.arg[2])};
    const isa::integer_sources<number> in(m, row.native <= isa::format::sopp, source, numeric(s.carry),
                                          [&](uint64_t v) {
                                            return numeric({v, 0});
                                          });
    return clipped(in.result(m.does).k);
  }
  switch (m.does) {
    case operation::move_relative_source:
    case operation::move_relative_destination:
    case operation::move_relative_both:
    case operation::read_lane:
    case operation::read_first_lane:
      return clipped(s.arg[0]);
    case operation::align_bits:
    case operation::align_bytes:
      return aligned(s, m.does == operation::align_bytes);
    case operation::permute_bytes:
      return permuted_bytes(a, b, s.arg[2]);
    case operation::bit_reverse:
      return {0, reversed(a.bits, s.width)};
    case operation::bit_set:
      if ((a.bits & (s.width - 1)) != 0) break;
      return {0, b.bits & ~(uint64_t{1} << (a.value & (s.width - 1)))};
    default:
      break;
  }
  return everything_or_nothing(any_bits(s) != 0, s.width);
}

bool undefined_compare(const isa::opcode_row& row, const known& a, const known& b) {
  if ((a.bits | b.bits) == 0) return false;
  const isa::meaning& m = row.means;
  const bool constant = m.compares == relation::never || m.compares == relation::always;
  if (!isa::is_integer(m.of) || m.compares == relation::in_class) return !constant;
  const auto numeric = [&](const known& k) { return number{k, 8 * isa::bytes_of(m.of), isa::is_signed(m.of)}; };
  return isa::holds(m.compares, numeric(a), numeric(b)).undefined;
}

uint32_t looked_at(const isa::opcode_row& row, unsigned n) {
  const isa::type t = row.src[n];
  if (t == isa::type::b16 || t == isa::type::u16 || t == isa::type::i16 || t == isa::type::f16) return 0xffff;
  if ((row.means.of == data_type::u24 || row.means.of == data_type::i24) && n < 2) return 0xffffff;
  if (row.means.does == operation::convert_byte) {  // their opcodes follow each other
    constexpr unsigned of_byte_0 = 0x11;
    return 0xffu << (8 * (row.opcode - of_byte_0));
  }
  return 0xffffffff;
}

}  // namespace pws::check::init
