// SPDX-License-Identifier: Apache-2.0
// The hardware registers of s_getreg and s_setreg, and which bits of one such an instruction names.
#pragma once

#include <cstdint>

namespace pws::isa {

// Their numbers (GCN3 ISA, "S_GETREG_B32").
enum hardware_register : unsigned {
  hw_mode = 1,
  hw_status = 2,
  hw_trapsts = 3,
  hw_id = 4,
  hw_gpr_alloc = 5,
  hw_lds_alloc = 6,
  hw_ib_sts = 7
};

// MODE bit 21, which GCN3 does not use: scheme pws-mode splits while it is set.
inline constexpr unsigned mode_split_enable_bit = 21;

// Fields of MODE: how single precision, and double and half precision, is rounded and whether denormals are 0; what
// clamping makes of NaN, and minima of signalling ones; M0 chooses vector registers (GPR_IDX_EN); the branch stack's
// depth (CSP).
inline constexpr uint32_t mode_rounding = 0x0f, mode_denormals = 0xf0;
inline constexpr uint32_t mode_of_f32 = 0x33, mode_of_f64_and_f16 = 0xcc;
inline constexpr uint32_t mode_dx10_clamp = 0x100, mode_ieee = 0x200;
inline constexpr uint32_t mode_indexing = 1u << 27, mode_branch_stack = 7u << 29;
inline constexpr uint32_t mode_of_numbers = mode_rounding | mode_denormals | mode_dx10_clamp | mode_ieee;

// GCN3 ISA, "S_GETREG_B32": the immediate's register [5:0], offset [10:6], size - 1 [15:11].
struct hardware_register_field {
  unsigned id, offset, size;
  explicit hardware_register_field(uint32_t s) : id(s & 0x3f), offset((s >> 6) & 0x1f), size(((s >> 11) & 0x1f) + 1) {}
  uint32_t mask() const { return ((uint32_t{2} << (size - 1)) - 1) << offset; }
};

}  // namespace pws::isa
