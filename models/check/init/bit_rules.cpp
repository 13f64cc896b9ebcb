// SPDX-License-Identifier: Apache-2.0
#include "models/check/init/bit_rules.h"

#include "models/isa/logic.h"
#include "models/isa/predicates.h"

namespace pws::check::init {

namespace {

using isa::data_type;
using isa::operation;
using isa::relation;

constexpr uint64_t mask_of(unsigned width) {
  return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
}

// Carries go up only: bits below the lowest undefined one are right.
known arithmetic(uint64_t bits, unsigned width) {
  return {0, (bits | (0 - bits)) & mask_of(width)};
}
known everything_or_nothing(bool undefined, unsigned width) {
  return {0, undefined ? mask_of(width) : 0};
}

known shifted(const known& a, const known& count, unsigned width, bool left, bool is_signed) {
  if ((count.bits & (width - 1)) != 0) return {0, mask_of(width)};
  const auto n = static_cast<unsigned>(count.value & (width - 1));
  if (left) return {a.value << n & mask_of(width), a.bits << n & mask_of(width)};
  return part_of(a, n, width - n, is_signed);
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

bool is_integer(data_type t) {
  return !(t == data_type::f16 || t == data_type::f32 || t == data_type::f64);
}
bool is_signed(data_type t) {
  return t == data_type::i8 || t == data_type::i16 || t == data_type::i24 || t == data_type::i32 || t == data_type::i64;
}

known field_of(const isa::opcode_row& row, const rule_sources& s) {
  known offset = s.arg[1], width = s.arg[2];
  if (row.native <= isa::format::sopp) {  // offset [5:0] and width [22:16] in one register
    const known& where = s.arg[1];
    offset = {where.value & (s.width - 1), where.bits & (s.width - 1)};
    width = {where.value >> 16 & 0x7f, where.bits >> 16 & 0x7f};
  } else {
    offset = {offset.value & 31, offset.bits & 31};
    width = {width.value & 31, width.bits & 31};
  }
  if ((offset.bits | width.bits) != 0) return everything_or_nothing(true, s.width);
  const auto low = static_cast<unsigned>(offset.value);
  auto n = static_cast<unsigned>(width.value);
  if (n == 0) return {};
  if (low + n > s.width) n = s.width - low;
  known k = part_of(s.arg[0], low, n, is_signed(row.means.of));
  return {k.value & mask_of(s.width), k.bits & mask_of(s.width)};
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

bool value_known(const isa::opcode_row& row) {
  const operation o = row.means.does;
  return o == operation::move || isa::is_logic(o) || o == operation::shift_left || o == operation::shift_right ||
         o == operation::bit_field_extract;
}

known result_of(const isa::opcode_row& row, const rule_sources& s) {
  const isa::meaning& m = row.means;
  const known &a = s.arg[m.reversed ? 1 : 0], &b = s.arg[m.reversed ? 0 : 1];
  const uint64_t all = mask_of(s.width);
  const auto clipped = [all](const known& k) { return known{k.value & all, k.bits & all}; };
  if (isa::is_logic(m.does)) return clipped(isa::logic(m.does, a, b));
  switch (m.does) {
    case operation::move:
    case operation::move_relative_source:
    case operation::move_relative_destination:
    case operation::move_relative_both:
    case operation::read_lane:
    case operation::read_first_lane:
      return clipped(s.arg[0]);
    case operation::select: {  // v_cndmask: the second if the bit is set; s_cselect: the first
      const bool vector = row.native > isa::format::sopp;
      const known &set = s.arg[vector ? 1 : 0], &clear = s.arg[vector ? 0 : 1];
      if (s.carry.bits != 0) return {0, (set.bits | clear.bits | (set.value ^ clear.value)) & all};
      return clipped(s.carry.value != 0 ? set : clear);
    }
    case operation::conditional_move:
      if (s.carry.bits != 0) return {0, (s.arg[0].bits | s.old.bits | (s.arg[0].value ^ s.old.value)) & all};
      return clipped(s.carry.value != 0 ? s.arg[0] : s.old);
    case operation::shift_left:
      return shifted(a, b, s.width, true, false);
    case operation::shift_right:
      return clipped(shifted(a, b, s.width, false, is_signed(m.of)));
    case operation::bit_field_extract:
      return field_of(row, s);
    case operation::sign_extend:
      return clipped(part_of(s.arg[0], 0, 8 * isa::bytes_of(m.of), true));
    case operation::add:
    case operation::subtract:
    case operation::add_carry:
    case operation::subtract_borrow:
    case operation::multiply:
    case operation::multiply_add:
      if (is_integer(m.of)) return arithmetic(any_bits(s) | s.old.bits, s.width);
      break;
    case operation::bit_field_insert:
      return clipped((a & b) | (~a & s.arg[2]));
    case operation::align_bits:
    case operation::align_bytes:
      return aligned(s, m.does == operation::align_bytes);
    case operation::permute_bytes:
      return permuted_bytes(a, b, s.arg[2]);
    case operation::bit_reverse:
      return {0, reversed(a.bits, s.width)};
    case operation::bit_set:
      if ((a.bits & (s.width - 1)) != 0) break;
      return {0, s.old.bits & ~(uint64_t{1} << (a.value & (s.width - 1)))};
    default:
      break;
  }
  return everything_or_nothing((any_bits(s) | s.old.bits) != 0, s.width);
}

namespace {

struct bounds {
  uint64_t low, high;
};
bounds bounds_of(const known& k, unsigned width, bool with_sign) {
  const uint64_t all = mask_of(width), sign = uint64_t{1} << (width - 1);
  uint64_t low = k.value & ~k.bits & all, high = (k.value | k.bits) & all;
  if (!with_sign) return {low, high};
  if ((k.bits & sign) != 0) {
    low |= sign;
    high &= ~sign;
  }
  return {low ^ sign, high ^ sign};  // in unsigned order
}

bool holds(relation r, uint64_t a, uint64_t b) {
  switch (r) {
    case relation::less:
      return a < b;
    case relation::less_or_equal:
      return a <= b;
    case relation::greater:
      return a > b;
    default:
      return a >= b;
  }
}

}  // namespace

bool undefined_compare(const isa::opcode_row& row, const known& a, const known& b) {
  if ((a.bits | b.bits) == 0) return false;
  const isa::meaning& m = row.means;
  if (m.compares == relation::never || m.compares == relation::always) return false;
  if (!is_integer(m.of) || m.compares == relation::in_class || m.compares == relation::none) return true;
  const unsigned width = 8 * isa::bytes_of(m.of);
  if (m.compares == relation::equal || m.compares == relation::not_equal)
    return ((a.value ^ b.value) & ~(a.bits | b.bits) & mask_of(width)) == 0;  // no defined bit differs
  const bounds x = bounds_of(a, width, is_signed(m.of)), y = bounds_of(b, width, is_signed(m.of));
  return holds(m.compares, x.low, y.high) != holds(m.compares, x.high, y.low);
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
