#include "models/check/init/bit_rules.h"

#include <string_view>
#include <unordered_map>

namespace pws::check::init {

namespace {

using isa::data_type;
using isa::operation;
using isa::relation;

constexpr uint64_t mask_of(unsigned width) {
  return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
}

known inverted(const known& a) {
  return {~a.value, a.bits};
}
// A defined 0 decides.
known conjunction(const known& a, const known& b) {
  return {a.value & b.value, (a.bits & (b.bits | b.value)) | (b.bits & (a.bits | a.value))};
}
// A defined 1 decides.
known disjunction(const known& a, const known& b) {
  return {a.value | b.value, (a.bits & (b.bits | ~b.value)) | (b.bits & (a.bits | ~a.value))};
}
known exclusive(const known& a, const known& b) {
  return {a.value ^ b.value, a.bits | b.bits};
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

// Rules beyond the operations that isa::meaning knows.
enum class other_rule : uint8_t { none, bit_field_insert, align_bits, align_bytes, permute_bytes, reverse, set_bit };
struct named_rule {
  std::string_view mnemonic;
  other_rule rule;
};
constexpr named_rule named_rules[] = {
    {"v_bfi_b32", other_rule::bit_field_insert},  {"v_alignbit_b32", other_rule::align_bits},
    {"v_alignbyte_b32", other_rule::align_bytes}, {"v_perm_b32", other_rule::permute_bytes},
    {"v_bfrev_b32", other_rule::reverse},         {"s_brev_b32", other_rule::reverse},
    {"s_brev_b64", other_rule::reverse},          {"s_bitset0_b32", other_rule::set_bit},
    {"s_bitset1_b32", other_rule::set_bit},       {"s_bitset0_b64", other_rule::set_bit},
    {"s_bitset1_b64", other_rule::set_bit},
};
other_rule rule_named(const isa::opcode_row& row) {
  static const std::unordered_map<const isa::opcode_row*, other_rule> rules = [] {
    std::unordered_map<const isa::opcode_row*, other_rule> m;
    for (const isa::opcode_row* r : isa::all_rows())
      for (const named_rule& n : named_rules)
        if (n.mnemonic == r->mnemonic) m[r] = n.rule;
    return m;
  }();
  const auto found = rules.find(&row);
  return found == rules.end() ? other_rule::none : found->second;
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

known other_result(const isa::opcode_row& row, const rule_sources& s) {
  const uint64_t all = mask_of(s.width);
  const known &a = s.arg[0], &b = s.arg[1], &c = s.arg[2];
  switch (rule_named(row)) {
    case other_rule::bit_field_insert: {
      const known k = disjunction(conjunction(a, b), conjunction(inverted(a), c));
      return {k.value & all, k.bits & all};
    }
    case other_rule::align_bits:
    case other_rule::align_bytes: {
      const bool bytes = rule_named(row) == other_rule::align_bytes;
      if ((c.bits & (bytes ? 3 : 31)) != 0) return everything_or_nothing(true, s.width);
      const auto n = static_cast<unsigned>(bytes ? (c.value & 3) * 8 : c.value & 31);
      return {0, ((a.bits << 32 | (b.bits & 0xffffffff)) >> n) & 0xffffffff};
    }
    case other_rule::permute_bytes:
      return permuted_bytes(a, b, c);
    case other_rule::reverse:
      return {0, reversed(a.bits, s.width)};
    case other_rule::set_bit:
      if ((a.bits & (s.width - 1)) != 0) return everything_or_nothing(true, s.width);
      return {0, s.old.bits & ~(uint64_t{1} << (a.value & (s.width - 1)))};
    case other_rule::none:
      break;
  }
  return everything_or_nothing((any_bits(s) | s.old.bits) != 0, s.width);
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
  return isa::operation::move == o || (o >= operation::bit_and && o <= operation::bit_not) ||
         o == operation::shift_left || o == operation::shift_right || o == operation::bit_field_extract;
}

known result_of(const isa::opcode_row& row, const rule_sources& s) {
  const isa::meaning& m = row.means;
  const known &a = s.arg[m.reversed ? 1 : 0], &b = s.arg[m.reversed ? 0 : 1];
  const uint64_t all = mask_of(s.width);
  const auto clipped = [all](const known& k) { return known{k.value & all, k.bits & all}; };
  switch (m.does) {
    case operation::move:
    case operation::move_relative_source:
    case operation::move_relative_destination:
    case operation::move_relative_both:
    case operation::read_lane:
    case operation::read_first_lane:
      return clipped(s.arg[0]);
    case operation::bit_and:
      return clipped(conjunction(a, b));
    case operation::bit_or:
      return clipped(disjunction(a, b));
    case operation::bit_xor:
      return clipped(exclusive(a, b));
    case operation::bit_andn2:
      return clipped(conjunction(a, inverted(b)));
    case operation::bit_orn2:
      return clipped(disjunction(a, inverted(b)));
    case operation::bit_nand:
      return clipped(inverted(conjunction(a, b)));
    case operation::bit_nor:
      return clipped(inverted(disjunction(a, b)));
    case operation::bit_xnor:
      return clipped(inverted(exclusive(a, b)));
    case operation::bit_not:
      return clipped(inverted(s.arg[0]));
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
    case operation::other:
      return other_result(row, s);
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
  constexpr std::string_view byte_to_float = "v_cvt_f32_ubyte";
  const std::string_view name = row.mnemonic;
  if (name.substr(0, byte_to_float.size()) == byte_to_float) return 0xffu << (8 * (name.back() - '0'));
  return 0xffffffff;
}

}  // namespace pws::check::init
