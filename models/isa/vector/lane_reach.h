// SPDX-License-Identifier: Apache-2.0
// Which lanes' vector registers an instruction reaches beside those that EXEC chooses: v_readlane, v_writelane and
// v_readfirstlane name a lane, DPP and ds_swizzle, ds_permute, ds_bpermute move data between lanes.
#pragma once

#include <cstdint>

#include "models/isa/inst.h"
#include "models/isa/wave_state.h"

namespace pws::isa {

// Bit per lane, for the state before the instruction executes; 0 for every other instruction. Lanes are reached whether
// they are active or not: that an inactive one gives 0 does not count.
uint64_t reached_lanes(const inst& i, const wave_state& s);

// The lane that `lane` reads under DPP control `ctrl`, or -1 where there is none (GCN3 ISA, "DPP_CTRL"). Throws
// program_error for reserved controls.
int dpp_source(unsigned ctrl, int lane);

// Where lanes have an operand of DPP from, and which of them write a result.
struct dpp_lanes {
  int8_t from[wave_size];  // -1: from none, as that lane is not there or not active; the operand is 0
  uint64_t writes;
};
dpp_lanes lanes_of(const dpp_fields& dpp, uint64_t active);

// ds_swizzle, ds_permute, ds_bpermute: the lane that the lane named, which has that address, gets a value from
// (ds_permute: gives its own to).
constexpr unsigned exchange_partner(const inst& i, uint32_t address, unsigned lane) {
  const uint32_t o = i.offset0;
  if (i.src[1].kind == operand_kind::vgpr) return (address + o) >> 2 & 63;
  if ((o & 0x8000) != 0) return (lane & ~3u) | (o >> (2 * (lane & 3)) & 3);  // of four
  const uint32_t and_mask = o & 0x1f, or_mask = o >> 5 & 0x1f, xor_mask = o >> 10 & 0x1f;
  return (lane & 32) | (((lane & and_mask) | or_mask) ^ xor_mask);
}

// The register that M0 names for a v_movrel* operand: `o` plus M0, which is unsigned and does not wrap around. Throws
// program_error where it is outside of the wavefront's.
operand relative_vector_register(const wave_state& s, const inst& i, const operand& o);

}  // namespace pws::isa
