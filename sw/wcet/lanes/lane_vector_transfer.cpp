// SPDX-License-Identifier: Apache-2.0
// Vector instructions.
#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "models/isa/host_fp.h"
#include "models/isa/operands.h"
#include "models/isa/predicates.h"
#include "sw/wcet/lanes/lane_transfer.h"

namespace pws::wcet {

namespace {

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

bool reads_mode_of_numbers(const isa::inst& i) {
  return (isa::operands_of(i).mode_read & isa::mode_of_numbers) != 0;
}

// --- What is known in every lane: executed ---------------------------------------------------------

bool all_sources_known(const lane_state& s, const isa::inst& i) {
  for (unsigned n = 0; n < i.n_src; ++n) {
    const isa::operand_kind kind = i.src[n].kind;
    if (kind != isa::operand_kind::vgpr && kind != isa::operand_kind::scalar && kind != isa::operand_kind::constant)
      return false;
    if (isa::touches_exec(i.src[n])) return false;  // it executes with another one
    if (i.src[n].dwords > 2) return false;
    const lane_pair v = source64(s, i.src[n]);
    if (!v.low.is_known() || !v.high.is_known()) return false;
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
    const lane_pair v = source64(s, o);
    for (unsigned d = 0; d < std::min<unsigned>(2, o.dwords); ++d) {
      const lane_value& part = d == 0 ? v.low : v.high;
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
  if (!reads_mode_of_numbers(i)) return {0};
  if (!launched) return {};
  std::vector<uint32_t> modes;
  for (uint32_t d = 0; d < 4; ++d) modes.push_back((*launched & ~isa::mode_denormals) | d << 4 | d << 6);
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
  if (reads_mode_of_numbers(i) && (before || i.clamp || i.omod != 0)) return false;
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

// --- Functions of integers -------------------------------------------------------------------------

// The cover of a function of those values: few arguments give few results.
template <class It>
lane_cover images_of(It first, It last) {
  lane_cover c = lane_cover::of(1, 0);
  for (; first != last && !c.empty(); ++first) c = images(c, first->cover());
  return c;
}

// --- Carries ---------------------------------------------------------------------------------------

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

// With 32 or 16 bits of result; false: it is none. A 16-bit result clears the upper half.
bool integer_function(lane_state& s, const isa::inst& i) {
  const isa::meaning& m = i.row->means;
  if (!isa::is_integer_function(m) || i.dst.dwords != 1) return false;
  lane_number source[3];
  const unsigned n_src = std::min<unsigned>(3, i.n_src), bits = bytes_of(m.of) == 2 ? 16 : 32;
  for (unsigned n = 0; n < 3; ++n) source[n] = {n < n_src ? input(s, i, n) : lane_value(), isa::is_signed(m.of), bits};
  const bool has_flag = isa::operands_of(i).flag() != nullptr;
  lane_number flag = has_flag ? flag_in(s, i) : lane_value();
  flag.lanes = s.lanes();
  const isa::integer_sources<lane_number> in(m, false, source, flag, lane_value::constant);
  lane_value result = in.result(m.does);
  if (bits == 16) result = result & lane_value::constant(0xffff);
  const std::shared_ptr<const carry_origin> origin = m.does == operation::add ? origin_of(s, i) : nullptr;
  const wide_value whole = m.does == operation::add_carry ? wide_sum(s, i) : wide_value{};
  if (!has_flag && !isa::carries(m.does) && !result.relation().uniform())
    result = result.with_cover(images_of(source, source + n_src));
  s.set_vector(i.dst.index, result);
  if (i.sdst.kind != isa::operand_kind::scalar) return true;
  lane_mask carries = flags(s, in.carry(m.does));
  carries.carry = origin;
  s.set_mask(i.sdst.index, carries);
  if (m.does == operation::add_carry && i.dst.index > 0) set_wide(s, i.dst.index - 1u, whole);
  return true;
}

// --- Pairs -----------------------------------------------------------------------------------------

bool wide(lane_state& s, const isa::inst& i) {
  const isa::meaning& m = i.row->means;
  lane_pair r;
  wide_value whole;
  if (m.does == operation::multiply_add && m.of == data_type::u32) {  // v_mad_u64_u32
    const lane_value a = input(s, i, 0), b = input(s, i, 1);
    r = lane_pair{a * b, product_high(a, b)} + source64(s, i.src[2]);
  } else if (isa::is_shift(m.does) && bytes_of(m.of) == 8) {
    const auto n = source(s, i.src[0]).scalar();
    if (!n) return false;
    r = arithmetic(m, source64(s, i.src[1]), source64(s, i.src[0]), {});
    if (m.does == operation::shift_left && i.src[1].kind == isa::operand_kind::vgpr) {
      if (const auto of = s.wide(i.src[1].index)) {
        wide_offsets offsets = *of;
        for (int64_t& o : offsets) o = isa::shifted_left<int64_t>(o, *n);
        whole.offsets = std::make_shared<const wide_offsets>(offsets);
      }
      whole.cover = shifted_left(s.wide_cover(i.src[1].index), *n & 63);
    }
  } else {
    return false;
  }
  s.set_vector(i.dst.index, r.low);
  s.set_vector(i.dst.index + 1u, r.high);
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
    const lane_pair v = source64(s, i.src[n]);
    equal = equal & v.low.equality() & v.high.equality();
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
  uint64_t possible = ~uint64_t{0};
  if (!modified && !bits.is_known() && isa::is_integer(means.of) && bytes_of(means.of) <= 4) {
    const bool is_signed = isa::is_signed(means.of);
    const unsigned width = 8 * bytes_of(means.of);
    const lane_value a = lane_number{input(s, i, 0), is_signed, width}.extended(),
                     b = lane_number{input(s, i, 1), is_signed, width}.extended();
    std::array<uint32_t, lanes_per_wave> yes;
    bool known = true;
    possible = 0;
    for (unsigned l = 0; l < lanes_per_wave; ++l) {
      const outcome o = compare(means.compares, a.in_lane(l), b.in_lane(l), is_signed);
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
    const lane_pair v = source64(s, in.from);
    sources_of_all.push_back(v.low);
    sources_of_all.push_back(v.high);
    equal = equal & v.low.equality() & v.high.equality();
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
  if (!modified && (wide(s, i) || integer_function(s, i))) return;
  pure_function(s, i);
}

}  // namespace pws::wcet
