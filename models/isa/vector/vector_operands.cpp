// SPDX-License-Identifier: Apache-2.0
// Operands of vector instructions outside the fast path: scalars and constants as rows, and the modified forms.
// (GCN3 ISA 6.2 "Operands", chapter 13 "SDWA" and "DPP")
#include <fmt/format.h>

#include "base/error.h"
#include "models/isa/operands.h"
#include "models/isa/scalar/scalar_executors.h"
#include "models/isa/vector/lane_reach.h"
#include "models/isa/vector/vector_executor.h"

namespace pws::isa::vector_detail {

void outside_vgprs(const wave_state& s, const operand& o) {
  throw program_error(fmt::format("vector register v{} used, but the wavefront has {}",
                                  o.index + (o.dwords > 0 ? o.dwords - 1 : 0), s.n_vgprs));
}

void not_a_mask(const inst& i) {
  throw program_error(fmt::format("{}: the lane mask must be a scalar register pair or a constant", i.row->mnemonic));
}

uint64_t scalar_value(const wave_state& s, const operand& o) {
  if (o.kind == operand_kind::none || o.kind == operand_kind::vgpr) throw program_error("operand is not a scalar");
  return special_source(s, o);  // EXEC among them: as every instruction sees it, without other SWFs' lanes
}

const uint32_t* fill(const wave_state& s, const operand& o, uint32_t* row) {
  const uint64_t v = scalar_value(s, o);
  broadcast(row, static_cast<uint32_t>(v));
  if (o.dwords == 2) broadcast(row + wave_size, static_cast<uint32_t>(v >> 32));
  return row;
}

namespace {

constexpr bool is_16_bit(type t) {
  return t == type::b16 || t == type::u16 || t == type::i16 || t == type::f16;
}

void select_part(uint32_t* to, const uint32_t* from, register_part part) {
  for (unsigned l = 0; l < wave_size; ++l) to[l] = part.of(from[l]);
}

// Permutes a row; returns the lanes that write their result.
uint64_t permute(uint32_t* to, const uint32_t* from, const dpp_fields& dpp, uint64_t active) {
  const dpp_lanes lanes = lanes_of(dpp, active);
  for (int l = 0; l < wave_size; ++l) to[l] = lanes.from[l] >= 0 ? from[lanes.from[l]] : 0;
  return lanes.writes;
}

void change_sign(uint32_t* row, type t, bool absolute, bool negate) {
  const uint32_t bit = is_16_bit(t) ? 0x8000u : 0x80000000u;
  uint32_t* const top = dwords_of(t) == 2 ? row + wave_size : row;
  for (unsigned l = 0; l < wave_size; ++l) {
    const uint32_t v = absolute ? top[l] & ~bit : top[l];
    top[l] = negate ? v ^ bit : v;
  }
}

void flush_halves(uint32_t* row) {
  for (unsigned l = 0; l < wave_size; ++l) row[l] = half::from_bits(static_cast<uint16_t>(row[l])).flushed().bits;
}

// Output modifiers are for results that flush denormals, outside IEEE mode; they turn -0 into +0. Not inlined: the
// arithmetic must stay behind the change of the host's floating-point state.
template <class T, class Element>
[[gnu::noinline]] void scale_and_clamp(Element* row, float factor, bool clamp, bool dx10) {
  for (unsigned l = 0; l < wave_size; ++l) {
    T v = lane_type<T>::load(row, l);
    if (factor != 1.0f) {
      v = static_cast<T>(v * static_cast<T>(factor));
      if (v == T(0.0f)) v = T(0.0f);
    }
    if (clamp) {
      const bool nan = v != v;
      if (!nan || dx10) v = v > T(0.0f) ? (v < T(1.0f) ? v : T(1.0f)) : T(0.0f);
    }
    lane_type<T>::store(row, l, v);
  }
}

void modify_result(const inst& i, fp_state fp, uint32_t* row, const wave_state& s) {
  const uint32_t mode = s.mode;
  const type t = i.row->dst;
  const fp_mode m{mode};
  const bool keeps_denormals = (mode & (t == type::f32 ? 0x20u : 0x80u)) != 0;
  constexpr float factors[] = {1.0f, 2.0f, 4.0f, 0.5f};
  const float factor = m.ieee() || keeps_denormals ? 1.0f : factors[i.omod & 3];
  // Not of minima, maxima and transcendentals, which know no denormal modes.
  if (t == type::f16 && is_half(fp) && !keeps_denormals) flush_halves(row);
  if (factor == 1.0f && !i.clamp) return;
  switch (t) {
    case type::f32:
      want_fp(fp_state::f32, s);
      return scale_and_clamp<float>(row, factor, i.clamp, m.dx10_clamp());
    case type::f64: {
      want_fp(fp_state::f64, s);
      alignas(64) uint64_t wide[wave_size];
      join_halves(wide, row);
      scale_and_clamp<double>(wide, factor, i.clamp, m.dx10_clamp());
      return split_halves(row, wide, all_lanes);
    }
    case type::f16:
      want_fp(fp_state::f16, s);
      return scale_and_clamp<half>(row, factor, i.clamp, m.dx10_clamp());
    default:
      return;  // omod on integers has no effect
  }
}

// Clamp of an integer result: the limit of the type where the exact result is beyond it. Compilers use it for
// saturating unsigned addition and subtraction, and the 64-bit count of leading zeros is made with such an addition.
void saturate(const inst& i, const lane_args& a, uint32_t* row) {
  const meaning& m = i.row->means;
  const bool word = m.of == data_type::u16, add = m.does == operation::add, reversed = m.reversed;
  const bool has_limit = (word || m.of == data_type::u32) && (add || m.does == operation::subtract);
  if (i.variant != encoding_variant::vop3 || !has_limit)
    throw program_error(fmt::format("unimplemented {} with integer clamp", i.row->mnemonic));
  const uint32_t all = word ? 0xffff : 0xffffffff;
  for (unsigned l = 0; l < wave_size; ++l) {
    const uint32_t x = a.src[reversed ? 1 : 0][l] & all, y = a.src[reversed ? 0 : 1][l] & all;
    if (add && y > all - x) row[l] = all;
    if (!add && x < y) row[l] = 0;
  }
}

// SDWA destination: the result goes to one byte or word, the rest is zero, its sign, or what was there.
void place_part(uint32_t* row, const uint32_t* old, register_part part, other_bits rest) {
  if (part.whole()) return;
  const uint32_t mask = part.mask(), sign = mask & ~(mask >> 1);
  const uint32_t above = ~(mask | (mask - 1));
  for (unsigned l = 0; l < wave_size; ++l) {
    const uint32_t v = row[l] << part.first & mask;
    row[l] = rest == other_bits::kept                      ? v | (old[l] & ~mask)
             : rest == other_bits::sign && (v & sign) != 0 ? v | above
                                                           : v;
  }
}

void exec_unindexed(wave_state& s, const inst& i, shape what, uint64_t active);

}  // namespace

void refuse_indexing_if(bool refused, const inst& i) {
  if (refused)
    throw program_error(
        fmt::format("unimplemented {} in VGPR indexing mode: SDWA, DPP and lane accesses have none", i.row->mnemonic));
}

void exec_modified(wave_state& s, const inst& i, shape what, uint64_t active) {
  if ((s.mode & mode_indexing) == 0) return exec_unindexed(s, i, what, active);
  refuse_indexing_if(i.variant == encoding_variant::sdwa || i.variant == encoding_variant::dpp, i);
  exec_unindexed(s, in_place(i, indexed_by_m0(i, s.mode, s.scalar[m0])), what, active);
}

namespace {

void exec_unindexed(wave_state& s, const inst& i, shape what, uint64_t active) {
  spare_row spare[3];
  spare_row permuted;
  spare_row result{};
  lane_args a{};
  uint64_t writes = active;
  const bool sdwa = i.variant == encoding_variant::sdwa;
  const bool flush_inputs = is_half(what.fp) && (s.mode & 0x40) == 0;
  for (unsigned k = 0; k < what.n_src; ++k) {
    const type t = i.row->src[k];
    uint32_t* const own = spare[k].lane;
    const uint32_t* row = source_row(s, i.src[k], own);
    if (sdwa && k < 2) {
      select_part(own, row, source_part(i, k));
      row = own;
    }
    if (i.variant == encoding_variant::dpp && k == 0) {
      writes = permute(permuted.lane, row, i.dpp, active);
      row = permuted.lane;
    }
    const bool absolute = (i.abs >> k & 1) != 0;
    const bool negate = (i.neg >> k & 1) != 0;
    const bool flush = flush_inputs && t == type::f16;
    if (flush || (is_float(t) && (absolute || negate))) {
      if (row != own) std::memcpy(own, row, dwords_of(t) * sizeof(vgpr_row));
      if (absolute || negate) change_sign(own, t, absolute, negate);
      if (flush) flush_halves(own);
      row = own;
    }
    a.src[k] = row;
  }
  a.mode = s.mode;
  a.mask = writes;
  if (what.reads_flag) a.flags_in = flag_mask(s, i, what.n_src, what.implicit_flag);
  uint32_t* dst = nullptr;
  if (what.dst_dwords != 0) {
    dst = vgpr(s, i.dst);
    a.src[what.n_src] = dst;
    a.dst = result.lane;
  }
  reinterpret_cast<lane_kernel>(i.kernel)(a);
  if (dst != nullptr) {
    if (i.clamp && !is_float(i.row->dst)) saturate(i, a, result.lane);
    modify_result(i, what.fp, result.lane, s);
    if (sdwa) place_part(result.lane, dst, result_part(i), rest_of_result(i));
    for (unsigned k = 0; k < what.dst_dwords; ++k) copy_lanes(dst + wave_size * k, result.lane + wave_size * k, writes);
  }
  if (what.writes_flag) write_flags(s, i, what, a.flags_out & writes);
}

}  // namespace

}  // namespace pws::isa::vector_detail
