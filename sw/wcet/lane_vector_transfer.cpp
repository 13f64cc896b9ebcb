// Vector instructions.
#include <algorithm>
#include <cstring>
#include <string_view>
#include <unordered_map>

#include "models/isa/opcode_row.h"
#include "sw/wcet/lane_transfer.h"

namespace pws::wcet {

namespace {

using pair64 = lane_state::pair64;

constexpr uint8_t whole_dword = 6;  // SDWA select

// Not its name alone says what it does.
bool is_modified(const isa::inst& i) {
  return i.variant == isa::encoding_variant::dpp || i.neg != 0 || i.abs != 0 || i.omod != 0 || i.clamp ||
         (i.variant == isa::encoding_variant::sdwa && i.sdwa.dst_sel != whole_dword);
}

lane_value selected(const lane_value& v, uint8_t select, bool is_signed) {
  if (select == whole_dword) return v;
  const unsigned bits = select < 4 ? 8 : 16, first = select < 4 ? 8u * select : 16u * (select - 4u);
  if (is_signed) return shifted_right_signed(shifted_left(v, 32 - first - bits), 32 - bits);
  return shifted_right(v, first) & lane_value::constant(low_bits_mask(bits));
}

// A 32-bit source as the instruction sees it.
lane_value input(const lane_state& s, const isa::inst& i, unsigned n) {
  const lane_value v = source(s, i.src[n]);
  if (i.variant != isa::encoding_variant::sdwa || n > 1) return v;
  return n == 0 ? selected(v, i.sdwa.src0_sel, i.sdwa.src0_sext) : selected(v, i.sdwa.src1_sel, i.sdwa.src1_sext);
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
    const pair64 v = source64(s, i.src[n]);
    if (!v.first.is_known() || !v.second.is_known()) return false;
  }
  return true;
}

// By the instruction's own semantics. For integers only: what floating point gives depends on MODE.
bool executed(lane_state& s, const isa::inst& i) {
  constexpr uint32_t not_alone_of_sources = isa::reads_vcc | isa::implicit_vcc | isa::writes_vcc | isa::reads_dst |
                                            isa::ignores_exec | isa::reads_m0 | isa::writes_exec | isa::scalar_dst;
  if (is_modified(i) || (i.row->flags & not_alone_of_sources) != 0 || has_float(*i.row) ||
      i.dst.kind != isa::operand_kind::vgpr || i.sdst.kind != isa::operand_kind::none || !all_sources_known(s, i))
    return false;
  std::vector<isa::vgpr_row> rows(s.vgprs());
  isa::wave_state w;
  w.n_vgprs = s.vgprs();
  w.n_sgprs = isa::sgpr_limit;
  w.vgpr = rows.data();
  w.set_scalar64(isa::exec_lo, ~uint64_t{0});
  for (unsigned n = 0; n < i.n_src; ++n) {
    const isa::operand& o = i.src[n];
    const pair64 v = source64(s, o);
    for (unsigned d = 0; d < std::min<unsigned>(2, o.dwords); ++d) {
      const lane_value& part = d == 0 ? v.first : v.second;
      if (o.kind == isa::operand_kind::scalar) w.scalar[o.index + d] = part.base().start;
      if (o.kind != isa::operand_kind::vgpr) continue;
      for (unsigned l = 0; l < lanes_per_wave; ++l) rows[o.index + d].lane[l] = part.in_lane(l).start;
    }
  }
  i.exec(w, i);
  for (unsigned d = 0; d < i.dst.dwords; ++d) {
    std::array<uint32_t, lanes_per_wave> result;
    std::copy(std::begin(rows[i.dst.index + d].lane), std::end(rows[i.dst.index + d].lane), result.begin());
    s.set_vector(i.dst.index + d, lane_value::of_lanes(result));
  }
  return true;
}

// --- By name ---------------------------------------------------------------------------------------

using operands = std::array<lane_value, 3>;
using expression = lane_value (*)(const operands&);

const lane_value any_in_each = lane_value::unknown();

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

// Of the low 24 bits: as of all of them, where there are no others.
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

lane_value either(const operands& o) {
  return select(o[0], o[1], o[0].equality() & o[1].equality());
}

const std::unordered_map<std::string_view, expression>& expressions() {
  static const std::unordered_map<std::string_view, expression> table = {
      {"v_mov_b32", [](const operands& o) { return o[0]; }},
      {"v_not_b32", [](const operands& o) { return o[0] ^ lane_value::constant(~uint32_t{0}); }},
      {"v_and_b32", [](const operands& o) { return o[0] & o[1]; }},
      {"v_or_b32", [](const operands& o) { return o[0] | o[1]; }},
      {"v_xor_b32", [](const operands& o) { return o[0] ^ o[1]; }},
      {"v_lshlrev_b32", by_count<shifted_left>},
      {"v_lshrrev_b32", by_count<shifted_right>},
      {"v_ashrrev_i32", by_count<shifted_right_signed>},
      {"v_mul_lo_u32", [](const operands& o) { return o[0] * o[1]; }},
      {"v_mul_hi_u32", [](const operands& o) { return product_high(o[0], o[1]); }},
      {"v_mul_u32_u24", [](const operands& o) { return product24(o[0], o[1], false); }},
      {"v_mul_i32_i24", [](const operands& o) { return product24(o[0], o[1], true); }},
      {"v_mad_u32_u24", [](const operands& o) { return product24(o[0], o[1], false) + o[2]; }},
      {"v_mad_i32_i24", [](const operands& o) { return product24(o[0], o[1], true) + o[2]; }},
      {"v_bfe_u32", [](const operands& o) { return field(o, false); }},
      {"v_bfe_i32", [](const operands& o) { return field(o, true); }},
      {"v_min_u32", [](const operands& o) { return smaller(o[0], o[1]); }},
      {"v_max_u32", either},
      {"v_min_i32", either},
      {"v_max_i32", either},
      {"v_lshlrev_b16",
       [](const operands& o) {
         const auto n = o[0].scalar();
         return n ? low_word(shifted_left(low_word(o[1]), *n & 15))
                  : lane_value::alike(o[0].equality() & o[1].equality(), word_set::range(0, 0xffff));
       }},
      {"v_add_u16", [](const operands& o) { return low_word(o[0] + o[1]); }},
      {"v_sub_u16", [](const operands& o) { return low_word(o[0] - o[1]); }},
      {"v_subrev_u16", [](const operands& o) { return low_word(o[1] - o[0]); }},
      {"v_mul_lo_u16", [](const operands& o) { return low_word(low_word(o[0]) * low_word(o[1])); }},
  };
  return table;
}

// --- Carries ---------------------------------------------------------------------------------------

struct sum {
  lane_value value, carry;
};

// Lanes of EXEC alone.
lane_mask flags(const lane_state& s, const lane_value& bits) {
  lane_mask m = s.exec();
  for (unsigned l = 0; l < lanes_per_wave; ++l)
    if (!bits.in_lane(l).contains(1)) m.lanes &= ~(uint64_t{1} << l);
  m.bits = std::make_shared<const lane_value>(bits);
  return m;
}

lane_value flag_in(const lane_state& s, const isa::inst& i) {
  const lane_mask m = source_mask(s, i.src[2]);
  return m.bits ? *m.bits : lane_value::each_of(word_set::range(0, 1));
}

// A low half as part of a 64-bit value; nothing: of none that is known.
std::optional<carry_origin::part> part_of(const lane_state& s, const isa::operand& o) {
  if (o.kind != isa::operand_kind::vgpr || s.vector(o.index).is_uniform()) return carry_origin::part{};
  const auto offsets = s.wide(o.index);
  if (!offsets) return std::nullopt;
  return carry_origin::part{offsets, o.index + 1u, s.version(o.index + 1u)};
}

// v_add_u32 LOW, MASK, a, b: what v_addc_u32 may make of it.
std::shared_ptr<const carry_origin> origin_of(const lane_state& s, const isa::inst& i) {
  if (i.variant == isa::encoding_variant::sdwa) return nullptr;
  const auto a = part_of(s, i.src[0]), b = part_of(s, i.src[1]);
  if (!a || !b) return nullptr;
  const unsigned row = i.dst.index, version = s.version(row) + 1;  // as the sum leaves it
  return std::make_shared<const carry_origin>(carry_origin{row, version, {*a, *b}});
}

// v_addc_u32 HIGH, MASK, a, b, MASK where the low halves' sum is in the register before: the offsets of the 64-bit sum.
std::optional<wide_offsets> wide_sum(const lane_state& s, const isa::inst& i) {
  const auto c = source_mask(s, i.src[2]).carry;
  if (!c || i.variant == isa::encoding_variant::sdwa || i.dst.index != c->row + 1 || s.version(c->row) != c->version)
    return std::nullopt;
  const auto fits = [&](const carry_origin::part& p, const isa::operand& upper) {
    if (!p.offsets) return source(s, upper).is_uniform();
    return upper.kind == isa::operand_kind::vgpr && upper.index == p.upper && s.version(p.upper) == p.version;
  };
  const auto& [a, b] = c->parts;
  if (!(fits(a, i.src[0]) && fits(b, i.src[1])) && !(fits(a, i.src[1]) && fits(b, i.src[0]))) return std::nullopt;
  wide_offsets sum{};
  for (unsigned l = 0; l < lanes_per_wave; ++l)
    for (const auto& p : c->parts)
      if (p.offsets) sum[l] += (*p.offsets)[l];
  return sum;
}

bool add_or_subtract(lane_state& s, const isa::inst& i, std::string_view name) {
  const lane_value unknown_carry = lane_value::each_of(word_set::range(0, 1));
  const lane_value a = input(s, i, 0), b = input(s, i, 1);
  sum r;
  std::shared_ptr<const carry_origin> origin;
  std::optional<wide_offsets> offsets;
  if (name == "v_add_u32") {
    r = {a + b, carry_of(a, b)};
    origin = origin_of(s, i);
  } else if (name == "v_sub_u32")
    r = {a - b, borrow_of(a, b)};
  else if (name == "v_subrev_u32")
    r = {b - a, borrow_of(b, a)};
  else if (name == "v_addc_u32") {
    r = {a + b + flag_in(s, i), unknown_carry};
    offsets = wide_sum(s, i);
  } else if (name == "v_subb_u32")
    r = {a - b - flag_in(s, i), unknown_carry};
  else if (name == "v_subbrev_u32")
    r = {b - a - flag_in(s, i), unknown_carry};
  else
    return false;
  s.set_vector(i.dst.index, r.value);
  lane_mask m = flags(s, r.carry);
  m.carry = origin;
  s.set_mask(i.sdst.index, m);
  if (offsets) s.set_wide(i.dst.index - 1u, *offsets);
  return true;
}

// --- Pairs -----------------------------------------------------------------------------------------

bool wide(lane_state& s, const isa::inst& i, std::string_view name) {
  pair64 r;
  std::optional<wide_offsets> offsets;
  if (name == "v_mad_u64_u32") {
    const lane_value a = input(s, i, 0), b = input(s, i, 1);
    r = pair64{a * b, product_high(a, b)} + source64(s, i.src[2]);
  } else {
    const auto n = source(s, i.src[0]).scalar();
    if (!n) return false;
    const pair64 v = source64(s, i.src[1]);
    if (name == "v_lshlrev_b64") {
      r = shifted_left(v, *n & 63);
      const auto of = i.src[1].kind == isa::operand_kind::vgpr ? s.wide(i.src[1].index) : nullptr;
      if (of) {
        offsets = *of;
        for (int64_t& o : *offsets) o = static_cast<int64_t>(static_cast<uint64_t>(o) << (*n & 63));
      }
    } else if (name == "v_lshrrev_b64")
      r = shifted_right(v, *n & 63);
    else if (name == "v_ashrrev_i64")
      r = shifted_right_signed(v, *n & 63);
    else
      return false;
  }
  if (i.sdst.kind == isa::operand_kind::scalar)
    s.set_mask(i.sdst.index, flags(s, lane_value::each_of(word_set::range(0, 1))));
  s.set_vector(i.dst.index, r.first);
  s.set_vector(i.dst.index + 1u, r.second);
  if (offsets) s.set_wide(i.dst.index, *offsets);
  return true;
}

// --- Compares --------------------------------------------------------------------------------------

void compare_instruction(lane_state& s, const isa::inst& i, std::string_view name, bool modified) {
  lane_value bits = lane_value::each_of(word_set::range(0, 1));
  const bool writes_exec = name.substr(0, 6) == "v_cmpx";
  if (i.variant != isa::encoding_variant::dpp) {
    lane_relation equal;
    for (unsigned n = 0; n < i.n_src; ++n) {
      const pair64 v = source64(s, i.src[n]);
      equal = equal & v.first.equality() & v.second.equality();
    }
    bits = lane_value::alike(equal, word_set::range(0, 1));
  }
  const size_t first = writes_exec ? 7 : 6;
  const std::string_view op = name.substr(first, 2), of = name.size() >= 3 ? name.substr(name.size() - 3) : name;
  if (!modified && name.size() == first + 6 && (of == "u32" || of == "i32")) {
    const lane_value turn = lane_value::constant(of == "i32" ? 1u << 31 : 0);
    const lane_value a = input(s, i, 0) + turn, b = input(s, i, 1) + turn;
    std::array<uint32_t, lanes_per_wave> yes;
    bool known = true;
    uint64_t possible = 0;
    for (unsigned l = 0; l < lanes_per_wave; ++l) {
      const outcome o = compare(op, a.in_lane(l), b.in_lane(l));
      yes[l] = o.yes ? 1 : 0;
      known = known && o.yes != o.no;
      possible |= uint64_t{yes[l]} << l;
    }
    if (known) bits = lane_value::of_lanes(yes);
    lane_mask m = flags(s, bits);
    m.lanes &= possible;
    s.set_mask(i.dst.index, m);
    if (writes_exec) s.set_exec(m);
    return;
  }
  const lane_mask m = flags(s, bits);
  s.set_mask(i.dst.index, m);
  if (writes_exec) s.set_exec(m);
}

// --- Anything else ---------------------------------------------------------------------------------

// A function of the lane's own sources: lanes with equal sources have equal results.
void pure_function(lane_state& s, const isa::inst& i) {
  const std::string_view name = i.row->mnemonic;
  lane_relation equal;
  if (i.variant == isa::encoding_variant::dpp || name.substr(0, 7) == "v_mbcnt" ||
      (i.row->flags & (isa::implicit_vcc | isa::ignores_exec)) != 0) {
    equal = lane_relation::each_its_own();
  } else {
    const auto add = [&](const isa::operand& o) {
      if (o.dwords > 2) equal = lane_relation::each_its_own();
      const pair64 v = source64(s, o);
      equal = equal & v.first.equality() & v.second.equality();
    };
    const unsigned sources = i.n_src - ((i.row->flags & isa::reads_vcc) != 0 ? 1u : 0u);
    for (unsigned n = 0; n < sources; ++n) add(i.src[n]);
    if ((i.row->flags & isa::reads_dst) != 0 || i.variant == isa::encoding_variant::sdwa) add(i.dst);
    if ((i.row->flags & isa::reads_vcc) != 0) {
      const lane_mask m = source_mask(s, i.src[sources]);
      equal = equal & (m.bits ? m.bits->equality() : lane_relation::each_its_own());
    }
  }
  const bool word = i.row->dst == isa::type::b16 || i.row->dst == isa::type::u16 || i.row->dst == isa::type::f16;
  const word_set result =
      word && i.variant != isa::encoding_variant::sdwa ? word_set::range(0, 0xffff) : word_set::any();
  if (i.dst.kind != isa::operand_kind::vgpr) return forget_results(s, i);
  for (unsigned d = 0; d < i.dst.dwords; ++d) s.set_vector(i.dst.index + d, lane_value::alike(equal, result));
  if (i.sdst.kind == isa::operand_kind::scalar)
    s.set_mask(i.sdst.index, flags(s, lane_value::each_of(word_set::range(0, 1))));
}

bool conditional_move(lane_state& s, const isa::inst& i) {
  const lane_mask m = source_mask(s, i.src[2]);
  const lane_value a = input(s, i, 0), b = input(s, i, 1);
  if (!m.bits) {
    s.set_vector(i.dst.index, mixed(a, b));
  } else if (const auto c = m.bits->scalar()) {
    s.set_vector(i.dst.index, *c != 0 ? b : a);
  } else {
    s.set_vector(i.dst.index, select(a, b, m.bits->equality()));
  }
  return true;
}

}  // namespace

void lane_transfer::vector_instruction(lane_state& s, size_t instruction) const {
  const isa::inst& i = graph_.code().instructions[instruction];
  const std::string_view name = i.row->mnemonic;
  const bool modified = is_modified(i);
  if (i.native == isa::format::vopc) return compare_instruction(s, i, name, modified);
  if ((i.row->flags & isa::ignores_exec) != 0) {
    if (i.dst.kind == isa::operand_kind::vgpr) {  // v_writelane
      s.forget_vector(i.dst.index);
    } else if (name == "v_readfirstlane_b32" && i.src[0].kind == isa::operand_kind::vgpr &&
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
  if (executed(s, i)) return;
  if (!modified) {
    if (name == "v_cndmask_b32" && conditional_move(s, i)) return;
    if (add_or_subtract(s, i, name) || wide(s, i, name)) return;
    if (const auto e = expressions().find(name); e != expressions().end()) {
      operands o;
      for (unsigned n = 0; n < std::min<unsigned>(3, i.n_src); ++n) o[n] = input(s, i, n);
      s.set_vector(i.dst.index, e->second(o));
      return;
    }
  }
  pure_function(s, i);
}

}  // namespace pws::wcet
