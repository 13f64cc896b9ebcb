// What instructions of the scalar and vector ALUs do to definedness, where something that they read is undefined.
#include "models/check/init/bit_rules.h"
#include "models/check/init/init_checker.h"
#include "models/isa/predicates.h"
#include "models/isa/scalar/scalar_executors.h"
#include "models/isa/vector/lane_reach.h"
#include "models/isa/vector/vector_executor.h"

namespace pws::check::init {

namespace {

using isa::inst;
using isa::operand;
using isa::operand_kind;
using isa::operation;

operand pair(unsigned first) {
  operand o;
  o.kind = operand_kind::scalar;
  o.index = static_cast<uint16_t>(first);
  o.dwords = 2;
  return o;
}

}  // namespace

// ---- operands

// Up to 64 bits. What EXEC holds is defined: what was not has been reported.
known init_checker::scalar_source(const context& c, const isa::wave_state& s, const operand& o) const {
  switch (o.kind) {
    case operand_kind::none:
    case operand_kind::vgpr:
      return {};
    case operand_kind::scc:
      return {s.scc ? uint64_t{1} : 0, c.scalars.scc ? uint64_t{1} : 0};
    case operand_kind::vccz:
      return {0, undefined_zero_test({s.vcc(), c.scalars.bits64(isa::vcc_lo)}) ? uint64_t{1} : 0};
    case operand_kind::scalar:
      if (o.index >= isa::exec_lo) break;
      return {isa::special_source(s, o), o.dwords >= 2 ? c.scalars.bits64(o.index) : c.scalars.bits[o.index]};
    default:
      break;
  }
  return {isa::special_source(s, o), 0};
}

origin init_checker::scalar_origin(context& c, const inst& i, const operand& o) {
  using kind = origin_table::kind;
  if (o.kind == operand_kind::scc)
    return c.scalars.scc_from != 0 ? c.scalars.scc_from
                                   : origins_.of(at(c, i, 0), kind::scalar_register, isa::scalar_count);
  const unsigned first = o.kind == operand_kind::vccz ? unsigned{isa::vcc_lo} : o.index;
  const unsigned count = o.kind == operand_kind::vccz ? 2 : o.dwords;
  for (unsigned r = first; r < first + count && r < isa::exec_lo; ++r) {
    if (c.scalars.bits[r] == 0) continue;
    if (c.scalars.from[r] == 0)
      c.scalars.from[r] = origins_.of(at(c, i, 0), kind::scalar_register, static_cast<uint16_t>(r));
    return c.scalars.from[r];
  }
  return 0;
}

origin init_checker::vector_origin(context& c, const inst& i, unsigned r) {
  const origin from = c.vectors->from(r);
  if (from != 0) return from;
  const uint64_t lanes = c.vectors->lanes(r);
  const origin fresh = origins_.of(at(c, i, lanes), origin_table::kind::vector_register, static_cast<uint16_t>(r));
  c.vectors->set_origin(r, fresh);
  return fresh;
}

// The origin of the first source that has something undefined.
origin init_checker::source_origin(context& c, const inst& i) {
  operand o;
  o.dwords = 1;
  if (i.reads_scc && c.scalars.scc) {
    o.kind = operand_kind::scc;
    return scalar_origin(c, i, o);
  }
  for (unsigned k = 0; k < i.n_reads; ++k) {
    const inst::run& r = i.reads[k];
    for (unsigned n = r.first; n < unsigned{r.first} + r.count; ++n) {
      if (r.is_vgpr) {
        if (n < c.vectors->size() && c.vectors->lanes(n) != 0) return vector_origin(c, i, n);
      } else if (c.scalars.bits[n] != 0) {
        o.kind = operand_kind::scalar;
        o.index = static_cast<uint16_t>(n);
        return scalar_origin(c, i, o);
      }
    }
  }
  return 0;
}

void init_checker::set_scalar(context& c, const inst& i, const operand& o, uint64_t bits, origin from) {
  if (o.kind != operand_kind::scalar) return;
  if (touches_exec(o)) {
    const uint64_t lanes = (o.index == isa::exec_hi ? bits << 32 : bits) & c.launched;
    if (lanes != 0) use_mask(c, i, lanes, from);
    return;
  }
  for (unsigned k = 0; k < o.dwords; ++k)
    c.scalars.set(o.index + k, k < 2 ? static_cast<uint32_t>(bits >> (32 * k)) : (bits != 0 ? ~uint32_t{0} : 0), from);
}

void init_checker::set_mask(context& c, const inst& i, const operand& o, uint64_t lanes, origin from) {
  if (o.kind == operand_kind::scalar) set_scalar(c, i, o, lanes, from);
}

// ---- scalar instructions

void init_checker::scalar_alu(context& c, const isa::wave_state& s, const inst& i) {
  const isa::opcode_row& row = *i.row;
  const operation o = isa::operation_of(i);
  const origin from = source_origin(c, i);
  if (i.relative_index) {  // s_movrel: by M0, a register that is not named
    operand by;
    by.kind = operand_kind::scalar;
    by.index = isa::m0;
    by.dwords = 1;
    use_scalar(c, s, i, by, ~uint64_t{0}, "m0_undefined", "says which register is meant");
    operand source = i.src[0], target = i.dst;
    operand& moved = o == operation::move_relative_source ? source : target;
    const int64_t index = moved.index + static_cast<int64_t>(static_cast<int32_t>(s.scalar[isa::m0]));
    if (moved.kind != operand_kind::scalar || index < 0 || index + moved.dwords > isa::sgpr_limit) return;
    moved.index = static_cast<uint16_t>(index);
    return set_scalar(c, i, target, scalar_source(c, s, source).bits, from);
  }
  if (o == operation::set_hardware_register) {
    const unsigned size = isa::hardware_register_field(static_cast<uint32_t>(i.simm)).size;
    return use_scalar(c, s, i, i.src[0], size == 32 ? 0xffffffff : (uint64_t{1} << size) - 1, "register_undefined",
                      "goes to a hardware register");
  }
  if (o == operation::set_vector_register_indexing) {
    for (unsigned k = 0; k < i.n_src; ++k)
      use_scalar(c, s, i, i.src[k], 0xff, "m0_undefined", "says which register is meant");
    return;
  }
  rule_sources r;
  for (unsigned k = 0; k < i.n_src && k < 3; ++k) r.arg[r.n++] = scalar_source(c, s, i.src[k]);
  if (i.native == isa::format::sopk) {
    const bool is_unsigned = row.means.of == isa::data_type::u32;
    r.arg[r.n++].value = is_unsigned ? static_cast<uint16_t>(i.simm) : static_cast<uint64_t>(int64_t{i.simm});
  }
  const bool keeps = (row.flags & isa::reads_dst) != 0 || o == operation::conditional_move;
  if (keeps && i.dst.kind == operand_kind::scalar) r.old = scalar_source(c, s, i.dst);
  r.carry = {s.scc ? uint64_t{1} : 0, i.reads_scc && c.scalars.scc ? uint64_t{1} : 0};
  if (o == operation::compare) {
    c.scalars.scc = undefined_compare(row, r.arg[0], r.arg[1]);
    c.scalars.scc_from = from;
    return;
  }
  if (isa::is_saveexec(i)) {
    r.arg[r.n++] = {s.active(), 0};
    r.width = 64;
    const known k = result_of(row, r);
    set_scalar(c, i, i.dst, 0, 0);
    set_scalar(c, i, pair(isa::exec_lo), k.bits, from);
    c.scalars.scc = false;
    return;
  }
  r.width = i.dst.kind == operand_kind::scalar ? 32 * i.dst.dwords : 32;
  known k = result_of(row, r);
  if (o == operation::compare_bit) {
    const uint64_t number = r.arg[1].value & (32 * i.src[0].dwords - 1);
    c.scalars.scc = r.arg[1].bits != 0 || (r.arg[0].bits >> number & 1) != 0;
    c.scalars.scc_from = from;
    return;
  }
  if (i.writes_scc) {
    c.scalars.scc = value_known(row) ? undefined_zero_test(k) : k.bits != 0;
    c.scalars.scc_from = from;
  }
  set_scalar(c, i, i.dst, k.bits, from);
}

// ---- vector instructions

namespace {

// The bytes or word that SDWA chooses of a source.
known selected(const known& k, unsigned select, bool sign_extended) {
  if (select >= 6) return k;
  const unsigned width = select < 4 ? 8 : 16;
  known r = part_of(k, select < 4 ? 8 * select : 16 * (select - 4), width, sign_extended);
  r.value &= 0xffffffff;
  r.bits &= 0xffffffff;
  return r;
}

// Undefined bits of an SDWA result in its place; `old` are the destination's.
uint32_t placed(uint32_t bits, uint32_t old, const isa::sdwa_fields& f) {
  if (f.dst_sel >= 6) return bits;
  const unsigned width = f.dst_sel < 4 ? 8 : 16, shift = f.dst_sel < 4 ? 8 * f.dst_sel : 16 * (f.dst_sel - 4);
  const uint32_t part = ((uint32_t{1} << width) - 1) << shift;
  const uint32_t v = bits << shift & part;
  if (f.dst_unused == 0) return v;
  if (f.dst_unused == 1) return (v & part & ~(part >> 1)) != 0 ? v | ~(part | (part - 1)) : v;
  return v | (old & ~part);
}

uint32_t result_mask(isa::type t) {
  return t == isa::type::b16 || t == isa::type::u16 || t == isa::type::i16 || t == isa::type::f16 ? 0xffff : 0xffffffff;
}

}  // namespace

void init_checker::vector_alu(context& c, const isa::wave_state& s, const inst& original) {
  inst i = original;  // registers that M0 names, put in place
  const isa::opcode_row& row = *i.row;
  const operation o = isa::operation_of(i);
  const uint64_t active = s.active();
  const auto by_m0 = [&](uint64_t looked_at) {
    operand by;
    by.kind = operand_kind::scalar;
    by.index = isa::m0;
    by.dwords = 1;
    use_scalar(c, s, original, by, looked_at, "m0_undefined", "says which register is meant");
  };
  if ((s.mode & isa::vector_detail::gpr_index_enable) != 0) {
    by_m0(0xf0ff);
    const uint32_t index = s.scalar[isa::m0] & 0xff, enabled = s.scalar[isa::m0] >> 12 & 0xf;
    const auto move = [&](operand& moved, unsigned bit) {
      if (moved.kind == operand_kind::vgpr && (enabled >> bit & 1) != 0)
        moved.index = static_cast<uint16_t>(moved.index + index);
    };
    for (unsigned k = 0; k < 3; ++k) move(i.src[k], k);
    move(i.dst, 3);
  } else if (i.relative_index) {
    by_m0(~uint64_t{0});
    const uint64_t index = s.scalar[isa::m0];
    if (index >= c.vectors->size()) return;  // it will be refused
    if (o != operation::move_relative_destination) i.src[0].index = static_cast<uint16_t>(i.src[0].index + index);
    if (o != operation::move_relative_source) i.dst.index = static_cast<uint16_t>(i.dst.index + index);
  }
  vector_shadow& v = *c.vectors;
  const auto outside = [&](const operand& r) { return r.kind == operand_kind::vgpr && r.index + r.dwords > v.size(); };
  if (outside(i.dst) || outside(i.src[0]) || outside(i.src[1]) || outside(i.src[2])) return;  // it will be refused

  unsigned n = 0;
  while (n < 3 && row.src[n] != isa::type::none) ++n;
  known uniform[3];
  uint64_t some = 0;  // lanes with something undefined
  for (unsigned k = 0; k < n; ++k) {
    const operand& source = i.src[k];
    if (source.kind == operand_kind::vgpr) {
      for (unsigned d = 0; d < source.dwords; ++d) some |= v.lanes(source.index + d);
    } else {
      uniform[k] = scalar_source(c, s, source);
      if (uniform[k].bits != 0) some = ~uint64_t{0};
    }
  }
  const bool sdwa = i.variant == isa::encoding_variant::sdwa, dpp = i.variant == isa::encoding_variant::dpp;
  known flags;
  if ((row.flags & isa::reads_vcc) != 0) flags = scalar_source(c, s, i.src[n]);
  if ((row.flags & isa::implicit_vcc) != 0) flags = {s.vcc(), c.scalars.bits64(isa::vcc_lo)};
  some |= flags.bits;
  const bool accumulates = (row.flags & isa::reads_dst) != 0;
  const bool has_dst = i.dst.kind == operand_kind::vgpr;
  if (has_dst && (accumulates || (sdwa && i.sdwa.dst_unused == 2)))
    for (unsigned d = 0; d < i.dst.dwords; ++d) some |= v.lanes(i.dst.index + d);
  if (dpp && some != 0) some = ~uint64_t{0};
  const origin from = some != 0 ? source_origin(c, i) : 0;

  const auto source_at = [&](unsigned k, unsigned lane) {
    const operand& source = i.src[k];
    known r = uniform[k];
    if (source.kind == operand_kind::vgpr) {
      r = {s.vgpr[source.index].lane[lane], v.bits(source.index, lane)};
      if (source.dwords >= 2) {
        r.value |= uint64_t{s.vgpr[source.index + 1].lane[lane]} << 32;
        r.bits |= uint64_t{v.bits(source.index + 1, lane)} << 32;
      }
      for (unsigned d = 2; d < source.dwords; ++d) r.bits |= v.bits(source.index + d, lane);
    }
    if (sdwa && k < 2) {
      r = selected(r, k == 0 ? i.sdwa.src0_sel : i.sdwa.src1_sel, k == 0 ? i.sdwa.src0_sext : i.sdwa.src1_sext);
    }
    if (source.dwords < 2) {
      const uint64_t mask = looked_at(row, k);
      r.value &= mask;
      r.bits &= mask;
    }
    return r;
  };

  uint64_t undefined_flags = 0, writes = active;
  struct change {
    uint32_t bits[4];
  };
  change changes[isa::wave_size];
  for (uint64_t left = active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctzll(left));
    change& to = changes[lane];
    to = {};
    int first_from = static_cast<int>(lane);
    if (dpp) {
      first_from = isa::dpp_source(i.dpp.ctrl, first_from);
      const bool valid = first_from >= 0 && (active >> first_from & 1) != 0;
      const bool enabled = (i.dpp.row_mask >> (lane / 16) & (i.dpp.bank_mask >> (lane / 4 % 4)) & 1) != 0;
      if (!enabled || (!valid && !i.dpp.bound_ctrl)) writes &= ~(uint64_t{1} << lane);
      if (!valid) first_from = -1;
    }
    if ((some >> lane & 1) == 0) continue;
    rule_sources r;
    r.n = n;
    for (unsigned k = 0; k < n; ++k)
      r.arg[k] = k == 0 && first_from < 0 ? known{} : source_at(k, k == 0 ? static_cast<unsigned>(first_from) : lane);
    r.carry = {flags.value >> lane & 1, flags.bits >> lane & 1};
    if (o == operation::compare) {
      if (undefined_compare(row, r.arg[0], r.arg[1])) undefined_flags |= uint64_t{1} << lane;
      continue;
    }
    if (has_dst && accumulates)
      for (unsigned d = 0; d < i.dst.dwords; ++d) r.old.bits |= v.bits(i.dst.index + d, lane);
    const unsigned dwords = has_dst ? i.dst.dwords : 1;
    r.width = dwords >= 2 ? 64 : result_mask(row.dst) == 0xffff ? 16 : 32;
    const known k = result_of(row, r);
    if (k.bits != 0 || r.carry.bits != 0 || r.arg[0].bits != 0 || r.arg[1].bits != 0 || r.arg[2].bits != 0)
      undefined_flags |= uint64_t{1} << lane;
    for (unsigned d = 0; d < dwords; ++d) {
      uint32_t bits = d < 2 ? static_cast<uint32_t>(k.bits >> (32 * d)) : (k.bits != 0 ? ~uint32_t{0} : 0);
      bits &= result_mask(row.dst);
      to.bits[d] = sdwa && has_dst ? placed(bits, v.bits(i.dst.index, lane), i.sdwa) : bits;
    }
  }
  if (has_dst)
    for (uint64_t left = writes; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctzll(left));
      for (unsigned d = 0; d < i.dst.dwords; ++d) v.set(i.dst.index + d, lane, changes[lane].bits[d], from);
    }
  undefined_flags &= writes;
  if (!has_dst) set_mask(c, original, i.dst, undefined_flags, from);  // a compare
  set_mask(c, original, i.sdst, undefined_flags, from);
  if (o == operation::compare && (row.flags & isa::writes_exec) != 0)
    set_mask(c, original, pair(isa::exec_lo), undefined_flags, from);
}

// ---- between lanes

namespace {
constexpr unsigned lane_bits = 63;
}

void init_checker::write_lane(context& c, const isa::wave_state& s, const inst& i) {
  use_scalar(c, s, i, i.src[1], lane_bits, "lane_undefined", "says which lane is meant");
  const known value = scalar_source(c, s, i.src[0]);
  const auto lane = static_cast<unsigned>(scalar_source(c, s, i.src[1]).value & lane_bits);
  if (i.dst.index >= c.vectors->size()) return;
  const origin from = value.bits != 0 ? scalar_origin(c, i, i.src[0]) : 0;
  c.vectors->set(i.dst.index, lane, static_cast<uint32_t>(value.bits), from);
  if ((scalar_source(c, s, i.src[1]).bits & lane_bits) == 0) return;
  for (unsigned l = 0; l < isa::wave_size; ++l) c.vectors->set(i.dst.index, l, ~uint32_t{0}, from);  // any of them
}

void init_checker::read_lane(context& c, const isa::wave_state& s, const inst& i) {
  auto lane = static_cast<unsigned>(s.active() == 0 ? 0 : __builtin_ctzll(s.active()));
  if (isa::operation_of(i) == operation::read_lane) {
    use_scalar(c, s, i, i.src[1], lane_bits, "lane_undefined", "says which lane is meant");
    lane = static_cast<unsigned>(scalar_source(c, s, i.src[1]).value & lane_bits);
  }
  const operand& source = i.src[0];
  uint64_t bits = 0;
  origin from = 0;
  if (isa::operation_of(i) == operation::read_lane && (scalar_source(c, s, i.src[1]).bits & lane_bits) != 0) {
    bits = ~uint32_t{0};  // no lane is active, and so this was no use
  } else if (source.kind != operand_kind::vgpr) {
    bits = scalar_source(c, s, source).bits;
    if (bits != 0) from = scalar_origin(c, i, source);
  } else if (source.index < c.vectors->size()) {
    bits = c.vectors->bits(source.index, lane);
    if (bits != 0) from = vector_origin(c, i, source.index);
  }
  set_scalar(c, i, i.dst, bits, from);
}

// ds_swizzle, ds_permute, ds_bpermute: a lane that is off gives 0.
void init_checker::exchange(context& c, const isa::wave_state& s, const inst& i) {
  vector_shadow& v = *c.vectors;
  const uint64_t active = s.active();
  if (i.vgpr_end > v.size()) return;  // it will be refused
  const bool swizzles = isa::operation_of(i) == operation::swizzle;
  const unsigned data = swizzles ? i.src[0].index : i.src[1].index, address = i.src[0].index;
  const uint64_t undefined = (v.lanes(data) | (swizzles ? 0 : v.lanes(address))) & active;
  if (undefined == 0) return v.define(i.dst.index, active);
  const bool pulls = std::string_view(i.row->mnemonic) == "ds_bpermute_b32";
  const origin from = vector_origin(c, i, (v.lanes(data) & active) != 0 ? data : address);
  const auto given = [&](unsigned lane) { return (active >> lane & 1) != 0 ? v.bits(data, lane) : 0; };
  uint32_t result[isa::wave_size] = {};
  for (unsigned lane = 0; lane < isa::wave_size; ++lane) {
    if (swizzles) {
      const uint32_t o = i.offset0;
      const unsigned source = (o & 0x8000) != 0
                                  ? (lane & ~3u) | (o >> (2 * (lane & 3)) & 3)
                                  : (lane & 32) | (((lane & o & 0x1f) | (o >> 5 & 0x1f)) ^ (o >> 10 & 0x1f));
      result[lane] = given(source);
      continue;
    }
    if ((active >> lane & 1) == 0) continue;
    const unsigned other = (s.vgpr[address].lane[lane] + i.offset0) >> 2 & lane_bits;
    const bool unknown = (v.bits(address, lane) & (lane_bits << 2)) != 0;
    if (pulls)
      result[lane] = unknown ? ~uint32_t{0} : given(other);
    else if (!unknown)
      result[other] = given(lane);
  }
  // Pushed to a lane that nobody knows: it may be any.
  if (!swizzles && !pulls)
    for (uint64_t left = v.lanes(address) & active; left != 0; left &= left - 1)
      if ((v.bits(address, static_cast<unsigned>(__builtin_ctzll(left))) & (lane_bits << 2)) != 0)
        for (uint32_t& bits : result) bits = ~uint32_t{0};
  for (uint64_t left = active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctzll(left));
    v.set(i.dst.index, lane, result[lane], from);
  }
}

}  // namespace pws::check::init
