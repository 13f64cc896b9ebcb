#include "models/check/numbers/numbers.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "models/check/shadow/lanes.h"
#include "models/isa/predicates.h"

namespace pws::check {

namespace {

using mark = number_shadow::mark;
using isa::type;

constexpr uint32_t indexing_mode = 1u << 27;  // MODE.gpr_idx_en
constexpr uint64_t scratch_row = 256;         // bytes from a dword of a lane to its next

// NaN or infinity.
bool is_no_number(type t, uint64_t bits) {
  switch (t) {
    case type::f16:
      return (bits & 0x7c00) == 0x7c00;
    case type::f32:
      return (bits & 0x7f800000) == 0x7f800000;
    case type::f64:
      return (bits >> 52 & 0x7ff) == 0x7ff;
    default:
      return false;
  }
}

double number(type t, uint64_t bits) {
  if (t == type::f64) {
    double d;
    std::memcpy(&d, &bits, sizeof d);
    return d;
  }
  if (t == type::f32) {
    float f;
    std::memcpy(&f, &bits, sizeof f);
    return static_cast<double>(f);
  }
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double fraction = static_cast<double>(bits & 0x3ff);
  if (exponent == 31) return fraction != 0 ? std::nan("") : sign * static_cast<double>(INFINITY);
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

std::string text(type t, uint64_t bits) {
  if (isa::is_float(t)) return fmt::format("{:g}", number(t, bits));
  return fmt::format("{:#x}", bits);
}

// What only this check has to know of rows, by name.
enum class part : uint8_t { plain, scale, fmas, fixup, reciprocal, integer_reciprocal, from_integer, to_integer };
part part_of(const isa::inst& i) {
  const std::string_view name = i.row->mnemonic;
  if (name == "v_div_scale_f32" || name == "v_div_scale_f64") return part::scale;
  if (name == "v_div_fmas_f32" || name == "v_div_fmas_f64") return part::fmas;
  if (name.substr(0, 11) == "v_div_fixup") return part::fixup;
  if (name == "v_rcp_f32") return part::reciprocal;
  if (name == "v_rcp_iflag_f32") return part::integer_reciprocal;
  if (name == "v_cvt_f32_u32" || name == "v_cvt_f32_i32") return part::from_integer;
  if (name == "v_cvt_u32_f32" || name == "v_cvt_i32_f32") return part::to_integer;
  return part::plain;
}

bool is_vector_alu(const isa::inst& i) {
  return i.unit == isa::unit::valu || i.unit == isa::unit::valu_trans || i.unit == isa::unit::valu_f64;
}

// The part of a register that an operand of SDWA is.
uint64_t selected(uint64_t v, unsigned select) {
  if (select < 4) return v >> (8 * select) & 0xff;
  return select == 4 ? v & 0xffff : select == 5 ? v >> 16 & 0xffff : v;
}

}  // namespace

void numbers::capture(const isa::wave_state& s, const isa::inst& i) {
  const auto take = [&](const isa::operand& o, type t, unsigned k) {
    type_[k] = t;
    for_each_lane(active_, [&](uint32_t l) {
      uint64_t v = o.value;
      if (o.kind == isa::operand_kind::vgpr && unsigned{o.index} + o.dwords <= s.n_vgprs) {
        v = s.vgpr[o.index].lane[l];
        if (o.dwords == 2) v |= uint64_t{s.vgpr[o.index + 1].lane[l]} << 32;
      } else if (o.kind == isa::operand_kind::scalar) {
        v = o.dwords == 2 ? s.scalar64(o.index) : s.scalar[o.index];
      }
      if (i.variant == isa::encoding_variant::sdwa && k < 2)
        v = selected(v, k == 0 ? i.sdwa.src0_sel : i.sdwa.src1_sel);
      value_[k][l] = v;
    });
  };
  sources_ = std::min<unsigned>(i.n_src, 3);
  for (unsigned k = 0; k < sources_; ++k) take(i.src[k], i.row->src[k], k);
  if ((i.row->flags & isa::reads_dst) != 0) take(i.dst, i.row->dst, sources_++);
}

void numbers::executes(number_shadow&, const isa::wave_state& s, const isa::inst& i) {
  active_ = s.active();
  sources_ = 0;
  if (is_vector_alu(i) && active_ != 0) capture(s, i);
}

// The mark of a source that is a register.
mark numbers::mark_of(const number_shadow& w, const isa::inst& i, unsigned source, unsigned lane) const {
  const isa::operand& o = source < std::min<unsigned>(i.n_src, 3) ? i.src[source] : i.dst;
  if (o.kind != isa::operand_kind::vgpr) return 0;
  return w.of(unsigned{o.index} + o.dwords - 1u, lane);
}

mark numbers::arises(number_shadow& w, const isa::inst& i, unsigned lane, uint64_t result) {
  const mark m = w.arisen_at(i.pc);
  if (m == 0) return m;
  arisen_number& a = w.arisen(m);
  a.row = i.row;
  a.operands = sources_;
  for (unsigned k = 0; k < sources_; ++k) a.value[k][lane] = value_[k][lane];
  a.result[lane] = result;
  a.of_integers = part_of(i) == part::integer_reciprocal ||
                  (part_of(i) == part::reciprocal && i.src[0].kind == isa::operand_kind::vgpr &&
                   (w.integers(i.src[0].index) >> lane & 1) != 0);
  return m;
}

void numbers::float_result(number_shadow& w, const isa::wave_state& s, const isa::inst& i) {
  const unsigned upper = unsigned{i.dst.index} + i.dst.dwords - 1u;
  if (upper >= s.n_vgprs) return;
  const part is = part_of(i);
  // What it says of a division is about the two numbers that the program divides.
  const unsigned first = is == part::fixup ? 1 : 0;
  // Lanes exchanged: which operand a lane has had is not looked at.
  const bool known = i.variant != isa::encoding_variant::dpp &&
                     !(i.variant == isa::encoding_variant::sdwa && i.sdwa.dst_sel != 6 && i.sdwa.dst_sel != 4);
  uint64_t divided = 0;
  mark division = 0;
  for_each_lane(active_, [&](uint32_t l) {
    uint64_t result = s.vgpr[i.dst.index].lane[l];
    if (i.dst.dwords == 2) result |= uint64_t{s.vgpr[upper].lane[l]} << 32;
    mark m = 0;
    if (is_no_number(i.row->dst, result)) {
      bool had = !known;
      for (unsigned k = first; k < sources_; ++k) {
        if (!is_no_number(type_[k], value_[k][l])) continue;
        had = true;
        if (m == 0) m = mark_of(w, i, k, l);
      }
      if (!had && is == part::integer_reciprocal) {
        division = arises(w, i, l, result);
        divided |= uint64_t{1} << l;
      } else if (!had && is != part::scale && is != part::fmas) {
        m = arises(w, i, l, result);
      }
    }
    if (m != 0 || w.lanes(upper) != 0) w.set(upper, l, m);
  });
  if (i.dst.dwords == 2) w.clear(i.dst.index, active_);
  if (division != 0) report(w, division, divided, true, nullptr);
}

// Moves, selections, exchanges and signs keep a number's bits; all else makes another value of it.
void numbers::other_result(number_shadow& w, const isa::wave_state& s, const isa::inst& i) {
  const unsigned end = unsigned{i.dst.index} + i.dst.dwords;
  if (!w.any() || end > s.n_vgprs) return;
  constexpr uint64_t without_sign = 0x7fffffff;
  uint64_t divided = 0;
  mark division = 0;
  for_each_lane(active_, [&](uint32_t l) {
    mark m = 0;
    for (unsigned k = 0; k < sources_; ++k) {
      const mark had = mark_of(w, i, k, l);
      if (had == 0) continue;
      if (part_of(i) == part::to_integer && w.arisen(had).of_integers) {
        division = had;
        divided |= uint64_t{1} << l;
      }
      const bool same = ((value_[k][l] ^ s.vgpr[i.dst.index].lane[l]) & without_sign) == 0;
      if (i.dst.dwords == 1 && m == 0 && (same || i.variant == isa::encoding_variant::dpp)) m = had;
    }
    if (i.dst.dwords == 1) w.set(i.dst.index, l, m);
  });
  if (i.dst.dwords != 1)
    for (unsigned r = i.dst.index; r < end; ++r) w.clear(r, active_);
  if (division != 0) report(w, division, divided, true, nullptr);
}

// Divisions of 64-bit integers begin with a reciprocal of the divisor's halves, added up.
void numbers::follow_integers(number_shadow& w, const isa::inst& i) {
  uint64_t are = 0;
  if (part_of(i) == part::from_integer) {
    are = ~uint64_t{0};
  } else if (i.row->dst == type::f32) {
    are = ~uint64_t{0};
    bool any = false;
    for (unsigned k = 0; k < sources_; ++k) {
      const isa::operand& o = k < std::min<unsigned>(i.n_src, 3) ? i.src[k] : i.dst;
      if (o.kind == isa::operand_kind::constant || o.kind == isa::operand_kind::scalar) continue;
      are &= o.kind == isa::operand_kind::vgpr ? w.integers(o.index) : 0;
      any = true;
    }
    const part is = part_of(i);
    if (!any || is == part::reciprocal || is == part::integer_reciprocal) are = 0;
  }
  for (unsigned d = 0; d < i.dst.dwords; ++d) w.set_integers(i.dst.index + d, active_, d == 0 ? are : 0);
}

void numbers::executed(number_shadow& w, const isa::wave_state& s, const isa::inst& i) {
  if (i.dst.kind != isa::operand_kind::vgpr) return;
  if (i.relative_index || (s.mode & indexing_mode) != 0) {  // which register it was is not known
    w.clear();
  } else if (isa::operation_of(i) == isa::operation::write_lane) {
    w.clear(i.dst.index, ~uint64_t{0});
  } else if (is_vector_alu(i)) {
    if (isa::is_float(i.row->dst))
      float_result(w, s, i);
    else
      other_result(w, s, i);
    follow_integers(w, i);
  }
}

void numbers::accessed(number_shadow& w, const isa::inst& i, uint64_t outside, uint64_t in_scratch,
                       const uint64_t* address) {
  if (i.dst.kind == isa::operand_kind::vgpr) {  // what has been loaded
    for (unsigned d = 0; d < i.dst.dwords; ++d) {
      w.clear(i.dst.index + d, active_);
      w.set_integers(i.dst.index + d, active_, 0);
      if (w.scratch.empty()) continue;
      for_each_lane(in_scratch, [&](uint32_t l) {
        if (const auto at = w.scratch.find(address[l] + scratch_row * d); at != w.scratch.end())
          w.set(i.dst.index + d, l, at->second);
      });
    }
    if (i.src[1].kind == isa::operand_kind::none) return;
  }
  for (unsigned k = 1; k <= (i.unit == isa::unit::lds ? 2u : 1u); ++k) {
    if (i.src[k].kind != isa::operand_kind::vgpr) continue;
    for (unsigned d = 0; d < i.src[k].dwords; ++d) {
      const unsigned r = unsigned{i.src[k].index} + d;
      if (w.any() || !w.scratch.empty())
        for_each_lane(in_scratch, [&](uint32_t l) {
          if (const mark m = w.of(r, l); m != 0)
            w.scratch[address[l] + scratch_row * d] = m;
          else
            w.scratch.erase(address[l] + scratch_row * d);
        });
      for (uint64_t rest = w.lanes(r) & outside; rest != 0;) {
        const mark m = w.of(r, static_cast<unsigned>(__builtin_ctzll(rest)));
        uint64_t same = 0;
        for_each_lane(rest, [&](uint32_t l) { same |= uint64_t{w.of(r, l) == m} << l; });
        site stored = w.who;
        stored.pc = i.pc;
        stored.lanes = same;
        report(w, m, same, false, &stored);
        rest &= ~same;
      }
    }
  }
}

void numbers::report(number_shadow& w, mark m, uint64_t lanes, bool division, const site* stored) {
  const arisen_number& a = w.arisen(m);
  const auto lane = static_cast<unsigned>(__builtin_ctzll(lanes));
  const bool nan = std::isnan(number(a.row->dst, a.result[lane]));
  const std::string_view rule = division ? "integer_division_by_zero" : nan ? "nan_arises" : "infinity_arises";
  if (!sink_.is_new(rule, a.pc, 0)) return;
  finding f;
  f.check = family::numbers;
  f.rule = rule;
  f.here = w.who;
  f.here.pc = a.pc;
  f.here.lanes = lanes;
  if (division) {
    f.what = fmt::format("an integer is divided by zero, or its remainder is taken (in lane {})", lane);
    f.mend = "a test of the divisor in front of the division";
  } else {
    std::string operands;
    const bool fixup = std::string_view(a.row->mnemonic).substr(0, 11) == "v_div_fixup";
    for (unsigned k = fixup ? 1 : 0; k < a.operands; ++k) {
      const type t = k < 3 && a.row->src[k] != type::none ? a.row->src[k] : a.row->dst;
      operands += (operands.empty() ? "" : ", ") + text(t, a.value[k][lane]);
    }
    f.what = fixup ? fmt::format("{} arises: lane {} divides {} by {}", nan ? "a NaN" : "an infinity", lane,
                                 text(a.row->src[2], a.value[2][lane]), text(a.row->src[1], a.value[1][lane]))
                   : fmt::format("{} arises: {} of {} in lane {}", nan ? "a NaN" : "an infinity", a.row->mnemonic,
                                 operands, lane);
  }
  if (stored != nullptr) {
    f.other = *stored;
    f.other_is = "stored by";
  }
  sink_.add(std::move(f));
}

}  // namespace pws::check
