// What an instruction's sources hold before it is executed.
#include "models/check/numbers/number_format.h"
#include "models/check/numbers/numbers.h"
#include "models/check/numbers/sdwa_parts.h"
#include "models/check/shadow/lanes.h"
#include "models/isa/predicates.h"
#include "models/isa/vector/lane_reach.h"

namespace pws::check {

namespace {

using isa::operand;
using isa::operand_kind;
using isa::type;

}  // namespace

numbers::part numbers::part_of(std::string_view name) {
  if (name == "v_div_scale_f32" || name == "v_div_scale_f64") return part::scale;
  if (name == "v_div_fmas_f32" || name == "v_div_fmas_f64") return part::fmas;
  if (name.substr(0, 11) == "v_div_fixup") return part::fixup;
  if (name == "v_rcp_f32") return part::reciprocal;
  if (name == "v_rcp_iflag_f32") return part::integer_reciprocal;
  if (name == "v_cvt_f32_u32" || name == "v_cvt_f32_i32") return part::from_integer;
  if (name == "v_cvt_u32_f32" || name == "v_cvt_i32_f32") return part::to_integer;
  return part::plain;
}

const numbers::row_facts& numbers::facts_of(const isa::opcode_row* row) {
  const auto [at, is_new] = facts_.try_emplace(row);
  if (is_new) at->second = {float_use_of(*row), part_of(row->mnemonic)};
  return at->second;
}

const operand& numbers::source(const isa::inst& i, unsigned k) const {
  return k < std::min<unsigned>(i.n_src, 3) ? i.src[k] : i.dst;
}

void numbers::capture(const isa::wave_state& s, const isa::inst& i) {
  const auto take = [&](const operand& o, type t, unsigned k) {
    type_[k] = t;
    const unsigned select = sdwa::of_source(i, k);
    if (o.kind == operand_kind::vgpr && unsigned{o.index} + o.dwords <= s.n_vgprs) {
      const uint32_t* const low = s.vgpr[o.index].lane;
      const uint32_t* const high = o.dwords >= 2 ? s.vgpr[o.index + 1].lane : nullptr;
      for (unsigned l = 0; l < 64; ++l) value_[k][l] = low[l] | (high != nullptr ? uint64_t{high[l]} << 32 : 0);
    } else {
      const uint64_t v = o.kind != operand_kind::scalar ? o.value
                         : o.dwords == 2                ? s.scalar64(o.index)
                                                        : s.scalar[o.index];
      for (uint64_t& x : value_[k]) x = v;
    }
    if (sdwa::is(i) && k < 2) {
      std::copy(value_[k], value_[k] + 64, raw_[k]);
      for (uint64_t& x : value_[k]) x = sdwa::selected(x, select);
    }
  };
  const unsigned own = is_.use == float_use::select ? 2 : 3;
  sources_ = std::min<unsigned>(i.n_src, own);
  for (unsigned k = 0; k < sources_; ++k) take(i.src[k], i.row->src[k], k);
  if ((i.row->flags & isa::reads_dst) != 0) take(i.dst, i.row->dst, sources_++);
  if (i.variant == isa::encoding_variant::dpp) capture_permuted(i);
}

// DPP: the first source is another lane's, or 0; and some lanes keep their result.
void numbers::capture_permuted(const isa::inst& i) {
  permuted_ = true;
  uint64_t own[64], writes = 0;
  std::copy(value_[0], value_[0] + 64, own);
  for (int l = 0; l < 64; ++l) {
    const int from = isa::dpp_source(i.dpp.ctrl, l);
    const bool there = from >= 0 && (active_ >> from & 1) != 0;
    const bool enabled = (i.dpp.row_mask >> (l / 16) & i.dpp.bank_mask >> (l / 4 % 4) & 1) != 0;
    from_[l] = static_cast<int8_t>(there ? from : -1);
    value_[0][l] = there ? own[from] : 0;
    if (enabled && (there || i.dpp.bound_ctrl)) writes |= uint64_t{1} << l;
  }
  active_ &= writes;
}

number_mark numbers::mark_of(const path& p, const isa::inst& i, unsigned k, unsigned lane) const {
  const operand& o = source(i, k);
  const unsigned r = unsigned{o.index} + o.dwords - 1u;
  if (o.kind == operand_kind::scalar) return r < isa::scalar_count ? p.scalars.values[r].mark : number_mark{0};
  if (o.kind != operand_kind::vgpr) return 0;
  const int l = lane_of(k, lane);
  if (l < 0) return 0;
  return p.wave.value(r, static_cast<unsigned>(l), sdwa::of_source(i, k) == sdwa::upper_half);
}

number_mark numbers::dependence_of(const path& p, const isa::inst& i, unsigned k, unsigned lane) const {
  const operand& o = source(i, k);
  const int l = lane_of(k, lane);
  if (o.kind != operand_kind::vgpr || l < 0) return 0;
  return p.wave.dependence(unsigned{o.index} + o.dwords - 1u, static_cast<unsigned>(l));
}

// What the result depends on. Functions look at the bits of numbers too, by compares and logic of integers.
void numbers::find_dependences(const path& p, const isa::inst& i) {
  depends_ = false;
  for (unsigned k = 0; k < sources_; ++k) {
    const operand& o = source(i, k);
    const bool of_bits = !isa::is_float(type_[k]) && isa::operation_of(i) != isa::operation::move;
    const bool constant =
        o.kind == operand_kind::constant || (o.kind == operand_kind::scalar && is_constant(p, i, k, 0));
    for_each_lane(active_, [&](uint32_t l) {
      if (k == 0) dependence_[l] = 0;
      number_mark m = mark_of(p, i, k, l);
      if (m == 0 && !constant &&
          (of_bits ? may_be_no_number(value_[k][l], o.dwords) : is_no_number(type_[k], value_[k][l])))
        m = given_number;
      if (m == 0) m = dependence_of(p, i, k, l);
      if (m == 0) return;
      dependence_[l] = joined(dependence_[l], m);
      depends_ = true;
    });
  }
}

bool numbers::is_constant(const path& p, const isa::inst& i, unsigned k, unsigned lane) const {
  const operand& o = source(i, k);
  const int l = lane_of(k, lane);
  switch (o.kind) {
    case operand_kind::constant:
      return true;
    case operand_kind::scalar:
      for (unsigned d = 0; d < o.dwords; ++d)
        if (unsigned{o.index} + d >= isa::scalar_count || !p.scalars.constants[o.index + d]) return false;
      return true;
    case operand_kind::vgpr:
      return l >= 0 && (p.wave.constants(o.index) >> l & 1) != 0;
    default:
      return false;
  }
}

void numbers::executes(const path& p, const isa::wave_state& s, const isa::inst& i) {
  is_ = facts_of(i.row);
  active_ = s.active();
  sources_ = 0;
  permuted_ = depends_ = false;
  switch (is_.use) {
    case float_use::arithmetic:
    case float_use::two_halves:
    case float_use::select:
    case float_use::carry:
    case float_use::compare:
      if (active_ == 0) return;
      capture(s, i);
      if (is_.use != float_use::select) find_dependences(p, i);
      return;
    case float_use::scalar:
      return capture_scalars(s, i);
    case float_use::replace:
    case float_use::combine:
      return capture(s, i);
    case float_use::exchange_lanes:
      return capture_exchange(p, s, i);
    case float_use::read_lane:
    case float_use::write_lane: {
      lane_ = active_ == 0 ? 0 : static_cast<unsigned>(__builtin_ctzll(active_));
      if (isa::operation_of(i) == isa::operation::read_first_lane) return;
      const operand& o = i.src[1];
      lane_ = (o.kind == operand_kind::scalar ? s.scalar[o.index] : static_cast<uint32_t>(o.value)) & 63;
      return;
    }
    default:
      return;
  }
}

}  // namespace pws::check
