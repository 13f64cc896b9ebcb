// SPDX-License-Identifier: Apache-2.0
// What vector instructions do to definedness, where something that they read is undefined.
#include "models/check/init/bit_rules.h"
#include "models/check/init/init_checker.h"
#include "models/check/shadow/lanes.h"
#include "models/isa/operands.h"
#include "models/isa/predicates.h"
#include "models/isa/vector/lane_reach.h"

namespace pws::check::init {

using isa::inst;
using isa::operand;
using isa::operand_kind;
using isa::operation;

// What a vector instruction finds in its sources.
struct init_checker::vector_inputs {
  isa::input_operand value[3];
  unsigned n = 0;
  known uniform[3];   // of those that are no vector registers
  known flags;        // by lane
  uint64_t some = 0;  // lanes with something undefined
};
// Undefined bits of a lane's result, and whether those of its masks are.
struct init_checker::lane_result {
  uint32_t bits[4] = {};
  bool flag = false;
};

namespace {

constexpr uint64_t all_lanes = ~uint64_t{0};

known selected(const known& k, const isa::register_part& part) {
  if (part.whole()) return k;
  const known r = part_of(k, part.first, part.bits, part.sign_extended);
  return {r.value & 0xffffffff, r.bits & 0xffffffff};
}

// Undefined bits of an SDWA result in its place; `old` are the destination's.
uint32_t placed(uint32_t bits, uint32_t old, const isa::output_operand& to) {
  if (to.part.whole()) return bits;
  const uint32_t part = to.part.mask(), v = bits << to.part.first & part;
  if (to.rest == isa::other_bits::zero) return v;
  if (to.rest == isa::other_bits::sign) return (v & ~(part >> 1)) != 0 ? v | ~(part | (part - 1)) : v;
  return v | (old & ~part);
}

uint32_t result_mask(isa::type t) {
  return t == isa::type::b16 || t == isa::type::u16 || t == isa::type::i16 || t == isa::type::f16 ? 0xffff : 0xffffffff;
}

}  // namespace

init_checker::vector_inputs init_checker::inputs_of(const context& c, const isa::wave_state& s, const inst& i) const {
  vector_inputs in;
  const auto add_registers = [&](const operand& o) {
    for (unsigned d = 0; o.kind == operand_kind::vgpr && d < o.dwords; ++d) in.some |= c.vectors->lanes(o.index + d);
  };
  for (const isa::input_operand& source : isa::operands_of(i).sources) {
    switch (source.role) {
      case isa::operand_role::value:
      case isa::operand_role::old:
        add_registers(source.from);
        if (source.from.kind != operand_kind::vgpr) in.uniform[in.n] = scalar_source(c, s, source.from);
        if (in.uniform[in.n].bits != 0) in.some = all_lanes;
        in.value[in.n++] = source;
        break;
      case isa::operand_role::flag:
        in.flags = scalar_source(c, s, source.from);
        in.some |= in.flags.bits;
        break;
      case isa::operand_role::kept:
        add_registers(source.from);
        break;
      default:
        break;
    }
  }
  if (i.variant == isa::encoding_variant::dpp && in.some != 0) in.some = all_lanes;
  return in;
}

known init_checker::source_in(const context& c, const isa::wave_state& s, const inst& i, const vector_inputs& in,
                              unsigned k, unsigned lane) const {
  const operand& source = in.value[k].from;
  known r = in.uniform[k];
  if (source.kind == operand_kind::vgpr) {
    const vector_shadow& v = *c.vectors;
    r = {s.vgpr[source.index].lane[lane], v.bits(source.index, lane)};
    if (source.dwords >= 2) {
      r.value |= uint64_t{s.vgpr[source.index + 1].lane[lane]} << 32;
      r.bits |= uint64_t{v.bits(source.index + 1, lane)} << 32;
    }
    for (unsigned d = 2; d < source.dwords; ++d) r.bits |= v.bits(source.index + d, lane);
  }
  r = selected(r, in.value[k].part);
  if (source.dwords >= 2) return r;
  const uint64_t mask = looked_at(*i.row, k);
  return {r.value & mask, r.bits & mask};
}

// `first`: the lane of which the first source is; -1: it is 0.
init_checker::lane_result init_checker::result_in(const context& c, const isa::wave_state& s, const inst& i,
                                                  const vector_inputs& in, unsigned lane, int first) const {
  lane_result to;
  rule_sources r;
  r.n = in.n;
  for (unsigned k = 0; k < in.n; ++k)
    if (k != 0 || first >= 0) r.arg[k] = source_in(c, s, i, in, k, k == 0 ? static_cast<unsigned>(first) : lane);
  r.carry = {in.flags.value >> lane & 1, in.flags.bits >> lane & 1};
  if (isa::operation_of(i) == operation::compare) {
    to.flag = undefined_compare(*i.row, r.arg[0], r.arg[1]);
    return to;
  }
  const bool has_dst = i.dst.kind == operand_kind::vgpr;
  const unsigned dwords = has_dst ? i.dst.dwords : 1;
  const uint32_t mask = result_mask(i.row->dst);
  r.width = dwords >= 2 ? 64 : mask == 0xffff ? 16 : 32;
  const known k = result_of(*i.row, r);
  to.flag = (k.bits | r.carry.bits | r.arg[0].bits | r.arg[1].bits | r.arg[2].bits) != 0;
  const isa::output_operand place{i.dst, isa::operand_role::value, isa::result_part(i), isa::rest_of_result(i)};
  for (unsigned d = 0; d < dwords; ++d) {
    const uint32_t bits = mask & (d < 2 ? static_cast<uint32_t>(k.bits >> (32 * d)) : (k.bits != 0 ? ~uint32_t{0} : 0));
    to.bits[d] = has_dst ? placed(bits, c.vectors->bits(i.dst.index, lane), place) : bits;
  }
  return to;
}

void init_checker::vector_alu(context& c, const isa::wave_state& s, const inst& original) {
  const isa::index_by_m0 index = isa::indexed_by_m0(original, s.mode, s.scalar[isa::m0]);
  if (index.looked_at != 0)
    use_scalar(c, s, original, isa::scalar_run(isa::m0, 1), index.looked_at, "m0_undefined",
               "says which register is meant");
  const inst i = isa::in_place(original, index);
  vector_shadow& v = *c.vectors;
  if (i.vgpr_end > v.size()) return;  // it will be refused

  const vector_inputs in = inputs_of(c, s, i);
  const origin from = in.some != 0 ? source_origin(c, i) : 0;
  const uint64_t active = s.active();
  isa::dpp_lanes lanes{};
  const bool dpp = i.variant == isa::encoding_variant::dpp;
  if (dpp) lanes = isa::lanes_of(i.dpp, active);
  const uint64_t writes = dpp ? lanes.writes : active;
  uint64_t undefined_flags = 0;
  lane_result results[isa::wave_size];
  for_each_lane(active & in.some, [&](unsigned lane) {
    results[lane] = result_in(c, s, i, in, lane, dpp ? lanes.from[lane] : static_cast<int>(lane));
    if (results[lane].flag) undefined_flags |= uint64_t{1} << lane;
  });
  if (i.dst.kind == operand_kind::vgpr)
    for_each_lane(writes, [&](unsigned lane) {
      for (unsigned d = 0; d < i.dst.dwords; ++d) v.set(i.dst.index + d, lane, results[lane].bits[d], from);
    });
  for (const isa::output_operand& to : isa::operands_of(original).results)
    if (to.role == isa::operand_role::flag) set_mask(c, original, to.to, undefined_flags & writes, from);
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
  const bool pulls = isa::operation_of(i) == operation::permute_backward;
  const origin from = vector_origin(c, i, (v.lanes(data) & active) != 0 ? data : address);
  const auto given = [&](unsigned lane) { return (active >> lane & 1) != 0 ? v.bits(data, lane) : 0; };
  uint32_t result[isa::wave_size] = {};
  for (unsigned lane = 0; lane < isa::wave_size; ++lane) {
    const unsigned other = isa::exchange_partner(i, s.vgpr[address].lane[lane], lane);
    if (swizzles) {
      result[lane] = given(other);
      continue;
    }
    if ((active >> lane & 1) == 0) continue;
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
