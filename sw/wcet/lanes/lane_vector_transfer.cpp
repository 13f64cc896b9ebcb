// SPDX-License-Identifier: Apache-2.0
// Vector instructions.
#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "models/isa/host_fp.h"
#include "models/isa/logic.h"
#include "models/isa/operands.h"
#include "models/isa/predicates.h"
#include "sw/wcet/lanes/lane_transfer.h"

namespace pws::wcet {

namespace {

using pair64 = lane_state::pair64;
using isa::data_type;
using isa::operation;

// Not its row and sources alone say what it does.
bool is_modified(const isa::inst& i) {
  return i.variant == isa::encoding_variant::dpp || i.neg != 0 || i.abs != 0 || i.omod != 0 || i.clamp ||
         !isa::result_part(i).whole();
}

// A 32-bit source as the instruction sees it.
lane_value input(const lane_state& s, const isa::inst& i, unsigned n) {
  const lane_value v = source(s, i.src[n]);
  const isa::register_part part = isa::source_part(i, n);
  if (part.whole()) return v;
  if (part.sign_extended) return shifted_right_signed(shifted_left(v, 32u - part.first - part.bits), 32u - part.bits);
  return shifted_right(v, part.first) & lane_value::constant(low_bits_mask(part.bits));
}

bool has_float(const isa::opcode_row& r) {
  return isa::is_float(r.dst) || std::any_of(std::begin(r.src), std::end(r.src), isa::is_float);
}

// --- What is known in every lane: executed ---------------------------------------------------------

bool all_sources_known(const lane_state& s, const isa::inst& i) {
  for (unsigned n = 0; n < i.n_src; ++n) {
    const isa::operand_kind kind = i.src[n].kind;
    if (kind != isa::operand_kind::vgpr && kind != isa::operand_kind::scalar && kind != isa::operand_kind::constant)
      return false;
    if (isa::touches_exec(i.src[n])) return false;  // it executes with another one
    if (i.src[n].dwords > 2) return false;
    const pair64 v = source64(s, i.src[n]);
    if (!v.first.is_known() || !v.second.is_known()) return false;
  }
  return true;
}

// The instruction on registers that hold these lanes, all active. `before`: and its destination.
class execution {
 public:
  execution(const lane_state& s, const isa::inst& i, uint32_t mode, bool before) {
    unsigned rows = i.dst.kind == isa::operand_kind::vgpr ? i.dst.index + i.dst.dwords : 0;
    for (unsigned n = 0; n < i.n_src; ++n)
      if (i.src[n].kind == isa::operand_kind::vgpr) rows = std::max<unsigned>(rows, i.src[n].index + i.src[n].dwords);
    rows_.resize(rows);
    w_.n_vgprs = rows;
    w_.n_sgprs = isa::sgpr_limit;
    w_.vgpr = rows_.data();
    w_.mode = mode;
    w_.set_scalar64(isa::exec_lo, ~uint64_t{0});
    for (unsigned n = 0; n < i.n_src; ++n) put(s, i.src[n]);
    if (before) put(s, i.dst);
    const isa::host_fp_scope floating_point;
    try {
      i.exec(w_, i);
    } catch (const program_error&) {
      refused_ = true;
    }
  }
  // The machine does not have it; a run would stop there.
  bool refused() const { return refused_; }
  lane_value vector(unsigned row) const {
    std::array<uint32_t, lanes_per_wave> v;
    std::copy(std::begin(rows_[row].lane), std::end(rows_[row].lane), v.begin());
    return lane_value::of_lanes(v);
  }
  uint64_t mask(unsigned pair) const { return w_.scalar64(pair); }

 private:
  void put(const lane_state& s, const isa::operand& o) {
    const pair64 v = source64(s, o);
    for (unsigned d = 0; d < std::min<unsigned>(2, o.dwords); ++d) {
      const lane_value& part = d == 0 ? v.first : v.second;
      if (o.kind == isa::operand_kind::scalar && o.index + d < isa::exec_lo) w_.scalar[o.index + d] = part.base().start;
      if (o.kind != isa::operand_kind::vgpr) continue;
      for (unsigned l = 0; l < lanes_per_wave; ++l) rows_[o.index + d].lane[l] = part.in_lane(l).start;
    }
  }
  std::vector<isa::vgpr_row> rows_;
  isa::wave_state w_;
  bool refused_ = false;
};

// MODE says how floating point rounds, and whether denormals are zero, of sources and results. No code turns the
// rounding (lane_transfer looks); denormals may be either way: what does not depend on it is known.
std::vector<uint32_t> modes_of(const isa::inst& i, const std::optional<uint32_t>& launched) {
  if (!has_float(*i.row)) return {0};
  if (!launched) return {};
  constexpr uint32_t denormals = 0xf0;
  std::vector<uint32_t> modes;
  for (uint32_t d = 0; d < 4; ++d) modes.push_back((*launched & ~denormals) | d << 4 | d << 6);
  return modes;
}

// Which NaN comes out where several go in is the host's choice.
bool may_be_nan(const isa::inst& i, const lane_value& result, unsigned dword) {
  if (!isa::is_float(i.row->dst) || (i.dst.dwords == 2 && dword == 0)) return false;
  const uint32_t exponent = i.dst.dwords == 2 ? 0x7ff00000 : i.row->dst == isa::type::f16 ? 0x7c00 : 0x7f800000;
  for (unsigned l = 0; l < lanes_per_wave; ++l)
    if ((result.in_lane(l).start & exponent) == exponent) return true;
  return false;
}

// By the instruction's own semantics.
bool executed(lane_state& s, const isa::inst& i, const std::optional<uint32_t>& mode) {
  const isa::operand_list list = isa::operands_of(i);
  const auto is = [](isa::operand_role role) { return [role](const isa::input_operand& o) { return o.role == role; }; };
  const bool of_sources_alone = std::none_of(list.sources.begin(), list.sources.end(), [](const auto& o) {
    return o.of_other_lanes || o.role == isa::operand_role::flag || o.role == isa::operand_role::selector;
  });
  if (!of_sources_alone || !isa::result_part(i).whole() || list.results.size() != 1 ||
      i.dst.kind != isa::operand_kind::vgpr || !all_sources_known(s, i))
    return false;
  const bool before = std::any_of(list.sources.begin(), list.sources.end(), is(isa::operand_role::old));
  if (has_float(*i.row) && (before || i.clamp || i.omod != 0)) return false;
  for (unsigned d = 0; before && d < i.dst.dwords; ++d)
    if (!s.vector(i.dst.index + d).is_known()) return false;
  std::vector<lane_value> result;
  for (const uint32_t m : modes_of(i, mode)) {
    const execution e(s, i, m, before);
    if (e.refused()) return false;
    std::vector<lane_value> now;
    for (unsigned d = 0; d < i.dst.dwords; ++d) now.push_back(e.vector(i.dst.index + d));
    if (!result.empty() && result != now) return false;
    for (unsigned d = 0; d < i.dst.dwords; ++d)
      if (may_be_nan(i, now[d], d)) return false;
    result = std::move(now);
  }
  if (result.empty()) return false;
  for (unsigned d = 0; d < i.dst.dwords; ++d) s.set_vector(i.dst.index + d, result[d]);
  return true;
}

// --- By operation ---------------------------------------------------------------------------------------

using operands = std::array<lane_value, 3>;

// The cover of a function of those values: few arguments give few results.
template <class It>
lane_cover images_of(It first, It last) {
  lane_cover c = lane_cover::of(1, 0);
  for (; first != last && !c.empty(); ++first) c = images(c, first->cover());
  return c;
}

template <lane_value (*Shift)(const lane_value&, unsigned)>
lane_value by_count(const operands& o) {
  const auto n = o[0].scalar();
  if (n) return Shift(o[1], *n & 31);
  return lane_value::alike(o[0].equality() & o[1].equality(), word_set::any());
}

lane_value field(const operands& o, bool is_signed) {
  const auto first = o[1].scalar(), size = o[2].scalar();
  const lane_relation equal = o[0].equality() & o[1].equality() & o[2].equality();
  if (!first || !size) return lane_value::alike(equal, word_set::any());
  const unsigned f = *first & 31, n = *size & 31;
  if (n == 0) return lane_value::constant(0);
  if (f + n > 32) return is_signed ? shifted_right_signed(o[0], f) : shifted_right(o[0], f);
  const lane_value top = shifted_left(o[0], 32 - f - n);
  return is_signed ? shifted_right_signed(top, 32 - n) : shifted_right(top, 32 - n);
}

// The product of the low 24 bits: that of the whole values, where these fit in 24 bits.
lane_value product24(const lane_value& a, const lane_value& b, bool is_signed) {
  const uint32_t limit = is_signed ? 1u << 23 : 1u << 24;
  const word_set in_a = a.anywhere(), in_b = b.anywhere();
  const word_set fits = is_signed ? word_set::range(0 - limit, limit - 1) : word_set::range(0, limit - 1);
  const auto all_fit = [&](const word_set& w) {
    return word_set{fits.start, fits.width, 0, 0}.contains(word_set{w.start, w.width, 0, 0});
  };
  if (all_fit(in_a) && all_fit(in_b)) return a * b;
  return lane_value::alike(a.equality() & b.equality(), word_set::any());
}

lane_value low_word(const lane_value& v) {
  return v & lane_value::constant(0xffff);
}

lane_value shifted_left_16(const operands& o) {
  const auto n = o[0].scalar();
  return n ? low_word(shifted_left(low_word(o[1]), *n & 15))
           : lane_value::alike(o[0].equality() & o[1].equality(), word_set::range(0, 0xffff));
}

std::optional<lane_value> of_bits(operation does, const operands& o) {
  if (is_logic(does)) return isa::logic(does, o[0], o[1]);
  switch (does) {
    case operation::move:
      return o[0];
    case operation::shift_left:
      return by_count<shifted_left>(o);
    case operation::shift_right:
      return by_count<shifted_right>(o);
    default:
      return std::nullopt;
  }
}

// v_add_u32, v_sub_u32 and their like have a carry: below.
std::optional<lane_value> of_numbers(const isa::meaning& m, const operands& o) {
  const bool is_signed = m.of == data_type::i32;
  // Signed numbers in the order of unsigned ones, and back.
  const auto turned = [&](const lane_value& v) { return is_signed ? v + lane_value::constant(uint32_t{1} << 31) : v; };
  const lane_value a = turned(o[0]), b = turned(o[1]), c = turned(o[2]);
  switch (m.does) {
    case operation::multiply:
      return is_signed ? std::nullopt : std::optional(o[0] * o[1]);
    case operation::multiply_high:
      return is_signed ? std::nullopt : std::optional(product_high(o[0], o[1]));
    case operation::shift_right:
      return is_signed ? std::optional(by_count<shifted_right_signed>(o)) : std::nullopt;
    case operation::bit_field_extract:
      return field(o, is_signed);
    case operation::minimum:
      return turned(smaller(a, b));
    case operation::maximum:
      return turned(larger(a, b));
    case operation::minimum3:
      return turned(smaller(smaller(a, b), c));
    case operation::maximum3:
      return turned(larger(larger(a, b), c));
    case operation::median3:
      return turned(median(a, b, c));
    default:
      return std::nullopt;
  }
}

std::optional<lane_value> of_24_bits(const isa::meaning& m, const operands& o) {
  const bool is_signed = m.of == data_type::i24;
  if (m.does == operation::multiply) return product24(o[0], o[1], is_signed);
  if (m.does == operation::multiply_add) return product24(o[0], o[1], is_signed) + o[2];
  return std::nullopt;
}

std::optional<lane_value> of_words(const isa::meaning& m, const operands& o) {
  switch (m.does) {
    case operation::add:
      return low_word(o[0] + o[1]);
    case operation::subtract:
      return low_word(m.reversed ? o[1] - o[0] : o[0] - o[1]);
    case operation::multiply:
      return low_word(low_word(o[0]) * low_word(o[1]));
    default:
      return std::nullopt;
  }
}

// Nothing: not known here.
std::optional<lane_value> value_of(const isa::meaning& m, const operands& o) {
  switch (m.of) {
    case data_type::b32:
      return of_bits(m.does, o);
    case data_type::u32:
    case data_type::i32:
      return of_numbers(m, o);
    case data_type::u24:
    case data_type::i24:
      return of_24_bits(m, o);
    case data_type::b16:
      return m.does == operation::shift_left ? std::optional(shifted_left_16(o)) : std::nullopt;
    case data_type::u16:
      return of_words(m, o);
    default:
      return std::nullopt;
  }
}

// --- Carries ---------------------------------------------------------------------------------------

struct sum {
  lane_value value, carry;
};

// Lanes of EXEC alone.
lane_mask flags(const lane_state& s, const lane_value& bits) {
  lane_mask m = s.exec();
  m.number = std::nullopt;
  m.is = m.is_in_part = {};
  for (unsigned l = 0; l < lanes_per_wave; ++l)
    if (!bits.in_lane(l).contains(1)) m.lanes &= ~(uint64_t{1} << l);
  m.bits = std::make_shared<const lane_value>(bits);
  return m;
}

lane_value flag_in(const lane_state& s, const isa::inst& i) {
  const lane_mask m = source_mask(s, isa::operands_of(i).flag()->from);
  return m.bits ? *m.bits : lane_value::each_of(word_set::range(0, 1));
}

// A low half as part of a 64-bit value; nothing: of none that is known.
std::optional<carry_origin::part> part_of(const lane_state& s, const isa::operand& o) {
  if (o.kind != isa::operand_kind::vgpr || s.vector(o.index).is_uniform()) return carry_origin::part{};
  const wide_value w{s.wide(o.index), s.wide_cover(o.index)};
  if (!w.offsets && w.cover.empty()) return std::nullopt;
  return carry_origin::part{false, w, o.index + 1u, s.version(o.index + 1u)};
}

// v_add_u32 LOW, MASK, a, b: what v_addc_u32 may make of it.
std::shared_ptr<const carry_origin> origin_of(const lane_state& s, const isa::inst& i) {
  if (!isa::has_plain_operands(i)) return nullptr;
  const auto a = part_of(s, i.src[0]), b = part_of(s, i.src[1]);
  if (!a || !b) return nullptr;
  const unsigned row = i.dst.index, version = s.version(row) + 1;  // as the sum leaves it
  return std::make_shared<const carry_origin>(carry_origin{row, version, {*a, *b}});
}

// v_addc_u32 HIGH, MASK, a, b, MASK where the low halves' sum is in the register before: the 64-bit sum.
wide_value wide_sum(const lane_state& s, const isa::inst& i) {
  const auto c = source_mask(s, isa::operands_of(i).flag()->from).carry;
  if (!c || !isa::has_plain_operands(i) || i.dst.index != c->row + 1 || s.version(c->row) != c->version) return {};
  const auto fits = [&](const carry_origin::part& p, const isa::operand& upper) {
    if (p.uniform) return source(s, upper).is_uniform();
    return upper.kind == isa::operand_kind::vgpr && upper.index == p.upper && s.version(p.upper) == p.version;
  };
  const auto& [a, b] = c->parts;
  if (!(fits(a, i.src[0]) && fits(b, i.src[1])) && !(fits(a, i.src[1]) && fits(b, i.src[0]))) return {};
  const auto cover_of = [](const carry_origin::part& p) { return p.uniform ? lane_cover::of(1, 0) : p.wide.cover; };
  wide_value sum{nullptr, sum_of(cover_of(a), cover_of(b))};
  if ((!a.uniform && !a.wide.offsets) || (!b.uniform && !b.wide.offsets)) return sum;
  wide_offsets offsets{};
  for (unsigned l = 0; l < lanes_per_wave; ++l)
    for (const auto& p : c->parts)
      if (!p.uniform) offsets[l] += (*p.wide.offsets)[l];
  sum.offsets = std::make_shared<const wide_offsets>(offsets);
  return sum;
}

// Behind the writes of both halves.
void set_wide(lane_state& s, unsigned row, const wide_value& w) {
  if (w.offsets) s.set_wide(row, *w.offsets);
  s.set_wide_cover(row, w.cover);
}

bool add_or_subtract(lane_state& s, const isa::inst& i) {
  const isa::meaning& m = i.row->means;
  if (m.of != data_type::u32) return false;
  const lane_value unknown_carry = lane_value::each_of(word_set::range(0, 1));
  const lane_value a = input(s, i, m.reversed ? 1 : 0), b = input(s, i, m.reversed ? 0 : 1);
  sum r;
  std::shared_ptr<const carry_origin> origin;
  std::optional<wide_value> whole;
  switch (m.does) {
    case operation::add:
      r = {a + b, carry_of(a, b)};
      origin = origin_of(s, i);
      break;
    case operation::subtract:
      r = {a - b, borrow_of(a, b)};
      break;
    case operation::add_carry:
      r = {a + b + flag_in(s, i), unknown_carry};
      whole = wide_sum(s, i);
      break;
    case operation::subtract_borrow:
      r = {a - b - flag_in(s, i), unknown_carry};
      break;
    default:
      return false;
  }
  s.set_vector(i.dst.index, r.value);
  lane_mask carries = flags(s, r.carry);
  carries.carry = origin;
  s.set_mask(i.sdst.index, carries);
  if (whole && i.dst.index > 0) set_wide(s, i.dst.index - 1u, *whole);
  return true;
}

// --- Pairs -----------------------------------------------------------------------------------------

bool wide(lane_state& s, const isa::inst& i) {
  const isa::meaning& m = i.row->means;
  pair64 r;
  wide_value whole;
  if (m.does == operation::multiply_add && m.of == data_type::u32) {  // v_mad_u64_u32
    const lane_value a = input(s, i, 0), b = input(s, i, 1);
    r = pair64{a * b, product_high(a, b)} + source64(s, i.src[2]);
  } else if ((m.does == operation::shift_left || m.does == operation::shift_right) && bytes_of(m.of) == 8) {
    const auto n = source(s, i.src[0]).scalar();
    if (!n) return false;
    const pair64 v = source64(s, i.src[1]);
    if (m.does == operation::shift_left) {
      r = shifted_left(v, *n & 63);
      if (i.src[1].kind == isa::operand_kind::vgpr) {
        if (const auto of = s.wide(i.src[1].index)) {
          wide_offsets offsets = *of;
          for (int64_t& o : offsets) o = static_cast<int64_t>(static_cast<uint64_t>(o) << (*n & 63));
          whole.offsets = std::make_shared<const wide_offsets>(offsets);
        }
        whole.cover = shifted_left(s.wide_cover(i.src[1].index), *n & 63);
      }
    } else {
      r = m.of == data_type::i64 ? shifted_right_signed(v, *n & 63) : shifted_right(v, *n & 63);
    }
  } else {
    return false;
  }
  s.set_vector(i.dst.index, r.first);
  s.set_vector(i.dst.index + 1u, r.second);
  set_wide(s, i.dst.index, whole);
  if (i.sdst.kind == isa::operand_kind::scalar)  // EXEC changes behind what it is written by
    s.set_mask(i.sdst.index, flags(s, lane_value::each_of(word_set::range(0, 1))));
  return true;
}

// --- Compares --------------------------------------------------------------------------------------

// (No compare has a DPP form.)
void compare_instruction(lane_state& s, const isa::inst& i, bool modified, const std::optional<uint32_t>& mode) {
  const isa::meaning& means = i.row->means;
  lane_relation equal;
  for (unsigned n = 0; n < i.n_src; ++n) {
    const pair64 v = source64(s, i.src[n]);
    equal = equal & v.first.equality() & v.second.equality();
  }
  lane_value bits = lane_value::alike(equal, word_set::range(0, 1));
  if (all_sources_known(s, i)) {
    std::optional<uint64_t> yes;
    bool same = true;
    for (const uint32_t m : modes_of(i, mode)) {
      const execution e(s, i, m, false);
      const uint64_t now = e.mask(i.dst.index);
      same = same && !e.refused() && (!yes || *yes == now);
      yes = now;
    }
    if (yes && same) {
      std::array<uint32_t, lanes_per_wave> each;
      for (unsigned l = 0; l < lanes_per_wave; ++l) each[l] = static_cast<uint32_t>(*yes >> l & 1);
      bits = lane_value::of_lanes(each);
    }
  }
  const bool is_signed = means.of == data_type::i32;
  uint64_t possible = ~uint64_t{0};
  if (!modified && !bits.is_known() && is_order(means.compares) && (means.of == data_type::u32 || is_signed)) {
    const lane_value turn = lane_value::constant(is_signed ? 1u << 31 : 0);
    const lane_value a = input(s, i, 0) + turn, b = input(s, i, 1) + turn;
    std::array<uint32_t, lanes_per_wave> yes;
    bool known = true;
    possible = 0;
    for (unsigned l = 0; l < lanes_per_wave; ++l) {
      const outcome o = compare(means.compares, a.in_lane(l), b.in_lane(l));
      yes[l] = o.yes ? 1 : 0;
      known = known && o.yes != o.no;
      possible |= uint64_t{yes[l]} << l;
    }
    if (known) bits = lane_value::of_lanes(yes);
  }
  lane_mask m = flags(s, bits);
  m.lanes &= possible;
  if (!modified) m.compared = comparison_of(s, i);
  s.set_mask(i.dst.index, m);
  if (i.writes_exec) s.set_exec(m);
}

// --- Anything else ---------------------------------------------------------------------------------

// A function of the lane's own sources: lanes with equal sources have equal results.
void pure_function(lane_state& s, const isa::inst& i) {
  lane_relation equal;
  std::vector<lane_value> sources_of_all;
  bool from_sources_alone = true;
  for (const isa::input_operand& in : isa::operands_of(i).sources) {
    if (in.role == isa::operand_role::lanes) continue;
    if (in.role == isa::operand_role::flag) {
      const lane_mask m = source_mask(s, in.from);
      equal = equal & (m.bits && in.field >= 0 ? m.bits->equality() : lane_relation::each_its_own());
      from_sources_alone = false;
      continue;
    }
    if (in.of_other_lanes || in.from.dwords > 2) {
      equal = lane_relation::each_its_own();
      from_sources_alone = false;
    }
    const pair64 v = source64(s, in.from);
    sources_of_all.push_back(v.first);
    sources_of_all.push_back(v.second);
    equal = equal & v.first.equality() & v.second.equality();
  }
  if (operation_of(i) == operation::count_lanes_below) {
    equal = lane_relation::each_its_own();
    from_sources_alone = false;
  }
  const bool word = i.row->dst == isa::type::b16 || i.row->dst == isa::type::u16 || i.row->dst == isa::type::f16;
  // In DPP a lane may keep what it had.
  const bool whole = isa::result_part(i).whole() && i.variant != isa::encoding_variant::dpp;
  const word_set result = word && whole ? word_set::range(0, 0xffff) : word_set::any();
  if (i.dst.kind != isa::operand_kind::vgpr) return forget_results(s, i);
  const lane_cover images =
      from_sources_alone && !equal.uniform() ? images_of(sources_of_all.begin(), sources_of_all.end()) : lane_cover{};
  for (unsigned d = 0; d < i.dst.dwords; ++d)
    s.set_vector(i.dst.index + d, lane_value::alike(equal, result).with_cover(images));
  if (i.sdst.kind == isa::operand_kind::scalar)
    s.set_mask(i.sdst.index, flags(s, lane_value::each_of(word_set::range(0, 1))));
}

bool conditional_move(lane_state& s, const isa::inst& i) {
  const lane_mask m = source_mask(s, isa::operands_of(i).flag()->from);
  const lane_value a = input(s, i, 0), b = input(s, i, 1);
  if (!m.bits) {
    s.set_vector(i.dst.index, mixed(a, b));
  } else if (const auto c = m.bits->scalar()) {
    s.set_vector(i.dst.index, *c != 0 ? b : a);
  } else if (m.bits->is_known()) {
    uint64_t second = 0;
    for (unsigned l = 0; l < lanes_per_wave; ++l)
      if (m.bits->in_lane(l).start != 0) second |= uint64_t{1} << l;
    s.set_vector(i.dst.index, replaced(a, b, second, s.lanes()));
  } else {
    s.set_vector(i.dst.index, select(a, b, m.bits->equality()));
  }
  return true;
}

}  // namespace

void lane_transfer::vector_instruction(lane_state& s, size_t instruction) const {
  const isa::inst& i = graph_.code().instructions[instruction];
  const bool modified = is_modified(i);
  if (i.native == isa::format::vopc) return compare_instruction(s, i, modified, mode_);
  if ((i.row->flags & isa::ignores_exec) != 0) {
    if (i.dst.kind == isa::operand_kind::vgpr) {  // v_writelane
      s.forget_vector(i.dst.index);
    } else if (operation_of(i) == operation::read_first_lane && i.src[0].kind == isa::operand_kind::vgpr &&
               activity_.surely_active(instruction)) {
      const word_set v = s.vector(i.src[0].index).anywhere();
      forget_results(s, i);
      if (!i.writes_exec) s.set_scalar(i.dst.index, v);
    } else {
      forget_results(s, i);
    }
    return;
  }
  if (i.dst.kind == isa::operand_kind::none) return forget_results(s, i);
  if (executed(s, i, mode_)) return;
  if (!modified) {
    if (operation_of(i) == operation::select && conditional_move(s, i)) return;
    if (add_or_subtract(s, i) || wide(s, i)) return;
    operands o;
    const unsigned n_src = std::min<unsigned>(3, i.n_src);
    for (unsigned n = 0; n < n_src; ++n) o[n] = input(s, i, n);
    if (std::optional<lane_value> v = value_of(i.row->means, o)) {
      if (!v->relation().uniform()) v = v->with_cover(images_of(o.begin(), o.begin() + n_src));
      return s.set_vector(i.dst.index, *v);
    }
  }
  pure_function(s, i);
}

}  // namespace pws::wcet
