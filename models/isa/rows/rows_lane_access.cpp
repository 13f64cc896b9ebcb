// SPDX-License-Identifier: Apache-2.0
// Vector instructions that are no function of one lane: access to one lane of a register, indexed registers, v_nop.
// (GCN3 ISA, chapter 12, V_READLANE_B32, V_WRITELANE_B32, V_READFIRSTLANE_B32, V_MOVREL*)
#include <fmt/format.h>

#include "base/error.h"
#include "models/isa/vector/lane_bits.h"
#include "models/isa/vector/lane_reach.h"
#include "models/isa/vector/vector_executor.h"

namespace pws::isa {

namespace {

// The value of one lane of a source that is a vector register, or the scalar itself.
uint32_t lane_value(const wave_state& s, const operand& o, unsigned lane) {
  if (o.kind == operand_kind::vgpr) return vector_detail::vgpr(s, o)[lane];
  return static_cast<uint32_t>(vector_detail::scalar_value(s, o));
}
uint32_t uniform_value(const wave_state& s, const inst& i, unsigned n) {
  if (i.src[n].kind == operand_kind::vgpr)
    throw program_error(fmt::format("{}: source {} must be a scalar", i.row->mnemonic, n));
  return static_cast<uint32_t>(vector_detail::scalar_value(s, i.src[n]));
}

void refuse_indexing(const wave_state& s, const inst& i) {
  vector_detail::refuse_indexing_if((s.mode & mode_indexing) != 0, i);
}

void read_lane(wave_state& s, const inst& i) {
  refuse_indexing(s, i);
  s.scalar[i.dst.index] = lane_value(s, i.src[0], uniform_value(s, i, 1) & 63);
}
void write_lane(wave_state& s, const inst& i) {
  refuse_indexing(s, i);
  const uint32_t v = uniform_value(s, i, 0);
  vector_detail::vgpr(s, i.dst)[uniform_value(s, i, 1) & 63] = v;
}
// The first active lane; lane 0 if there is none.
void read_first_lane(wave_state& s, const inst& i) {
  refuse_indexing(s, i);
  const uint64_t active = s.active();
  s.scalar[i.dst.index] = lane_value(s, i.src[0], active == 0 ? 0 : static_cast<unsigned>(__builtin_ctzll(active)));
}

template <bool Source, bool Destination>
void move_relative(wave_state& s, const inst& i) {
  refuse_indexing(s, i);
  const uint64_t active = s.active();
  if (active == 0) return;
  vector_detail::spare_row spare;
  const uint32_t* const from =
      vector_detail::source_row(s, Source ? relative_vector_register(s, i, i.src[0]) : i.src[0], spare.lane);
  copy_lanes(vector_detail::vgpr(s, Destination ? relative_vector_register(s, i, i.dst) : i.dst), from, active);
}

void nothing(wave_state&, const inst&) {}

// v_mqsad_u32_u8, the only row with four dwords of result: distances of four bytes from a sliding window over eight,
// where the reference's byte is not zero, each added to its own dword. Sources are read whole before the result is
// written.
void masked_quad_distances(wave_state& s, const inst& i) {
  refuse_indexing(s, i);
  if (i.clamp) throw program_error(fmt::format("unimplemented {} with integer clamp", i.row->mnemonic));
  const uint64_t active = s.active();
  if (active == 0) return;
  vector_detail::spare_row window_spare, reference_spare;
  const uint32_t* window = vector_detail::source_row(s, i.src[0], window_spare.lane);
  const uint32_t* reference = vector_detail::source_row(s, i.src[1], reference_spare.lane);
  alignas(64) uint32_t result[4][wave_size];
  for (unsigned n = 0; n < 4; ++n)
    for (unsigned l = 0; l < wave_size; ++l) {
      const uint64_t bytes = window[l] | uint64_t{window[wave_size + l]} << 32;
      result[n][l] = masked_byte_distances(static_cast<uint32_t>(bytes >> (8 * n)), reference[l]);
    }
  const operand& sum = i.src[2];
  if (sum.kind != operand_kind::vgpr)
    throw program_error(fmt::format("{}: the sums must be vector registers", i.row->mnemonic));
  const uint32_t* const sums = vector_detail::vgpr(s, sum);
  for (unsigned n = 0; n < 4; ++n)
    for (unsigned l = 0; l < wave_size; ++l) result[n][l] += sums[n * wave_size + l];
  for (unsigned n = 0; n < 4; ++n) copy_lanes(vector_detail::vgpr(s, i.dst) + n * wave_size, result[n], active);
}

opcode_row move_row(uint16_t opcode, const char* mnemonic, operation does, exec_fn exec) {
  return {format::vop1,
          opcode,
          mnemonic,
          unit::valu,
          type::b32,
          {type::b32, type::none, type::none},
          reads_m0 | relative_index | no_sdwa | no_dpp,
          exec,
          nullptr,
          {does, data_type::b32}};
}
opcode_row no_operands(uint16_t opcode, const char* mnemonic) {
  return {format::vop1, opcode, mnemonic, unit::valu, type::none, {}, no_dst | no_sdwa | no_dpp, &nothing, nullptr};
}

}  // namespace

operand relative_vector_register(const wave_state& s, const inst& i, const operand& o) {
  if (o.kind != operand_kind::vgpr)
    throw program_error(fmt::format("{}: the indexed operand must be a vector register", i.row->mnemonic));
  const uint64_t index = uint64_t{o.index} + s.scalar[m0];
  if (index >= s.n_vgprs)
    throw program_error(fmt::format("{}: v[{} + M0] with M0 = {} is outside the wavefront's {} vector registers",
                                    i.row->mnemonic, o.index, s.scalar[m0], s.n_vgprs));
  operand r = o;
  r.index = static_cast<uint16_t>(index);
  return r;
}

std::vector<opcode_row> lane_access_rows() {
  constexpr uint32_t plain_only = no_sdwa | no_dpp;
  return {
      {format::vop1,
       0x02,
       "v_readfirstlane_b32",
       unit::valu,
       type::b32,
       {type::b32, type::none, type::none},
       scalar_dst | plain_only | no_vop3,
       &read_first_lane,
       nullptr,
       {operation::read_first_lane, data_type::b32}},
      {format::vop3,
       0x289,
       "v_readlane_b32",
       unit::valu,
       type::b32,
       {type::b32, type::b32, type::none},
       ignores_exec | scalar_dst,
       &read_lane,
       nullptr,
       {operation::read_lane, data_type::b32}},
      {format::vop3,
       0x28a,
       "v_writelane_b32",
       unit::valu,
       type::b32,
       {type::b32, type::b32, type::none},
       ignores_exec | reads_dst,
       &write_lane,
       nullptr,
       {operation::write_lane, data_type::b32}},
      {format::vop3,
       0x1e7,
       "v_mqsad_u32_u8",
       unit::valu_f64,
       type::b128,
       {type::b64, type::b32, type::b128},
       0,
       &masked_quad_distances,
       nullptr},
      move_row(0x36, "v_movreld_b32", operation::move_relative_destination, &move_relative<false, true>),
      move_row(0x37, "v_movrels_b32", operation::move_relative_source, &move_relative<true, false>),
      move_row(0x38, "v_movrelsd_b32", operation::move_relative_both, &move_relative<true, true>),
      no_operands(0x00, "v_nop"),
      // No floating-point exceptions are recorded, so that there are none to clear.
      no_operands(0x35, "v_clrexcp"),
  };
}

}  // namespace pws::isa
