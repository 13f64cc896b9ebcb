// SPDX-License-Identifier: Apache-2.0
// A kernel in which both sides of a split execute one of everything that the fault tests break. Nothing that it
// computes is an address or decides where it goes on, so that a fault shows where it is, and nowhere else first.
#pragma once

#include <string>

#include "tests/cosim/directed_programs.h"

namespace pws::test {

inline std::string fault_kernel_body() {
  return "  v_mov_b32_dpp v16, v2 wave_shl:1 row_mask:0xf bank_mask:0xf\n"
         "  v_mov_b32_dpp v17, v2 wave_rol:1 row_mask:0xf bank_mask:0xf\n"
         "  v_mov_b32 v18, v2\n  v_cvt_f32_u32 v19, v2\n  v_and_b32 v3, 1, v2\n  s_mov_b64 s[20:21], exec\n"
         "  s_mov_b32 s30, 0x1234\n  s_set_gpr_idx_idx s30\n"  // M0, not as a destination
         "  v_cmp_eq_u32 vcc, 1, v3\n  s_and_saveexec_b64 s[22:23], vcc\n  .long 0xbf147f7e\n"
         "  s_mov_b64 exec, s[20:21]\n  s_nop 7\n  s_mov_b32 m0, -1\n"
         // .long: split exec_lo, exec_hi and, at the end, merge. Both sides, each with its own work-items
         "  v_add_u32 v10, vcc, v18, v2\n  v_subrev_u32 v11, vcc, 7, v10\n  v_xor_b32 v12, 0x1234567, v11\n"
         "  v_mul_lo_u32 v13, v12, v11\n  v_mul_u32_u24 v14, v12, v18\n  v_lshlrev_b32 v15, 3, v13\n"
         "  v_ashrrev_i32 v16, 2, v13\n  v_bfe_u32 v17, v13, 3, 9\n  v_alignbit_b32 v10, v12, v13, v2\n"
         "  v_mad_u32_u24 v11, v17, v14, v15\n  v_add_f32 v12, 1.0, v19\n  v_mul_f32 v13, v12, v19\n"
         "  v_fma_f32 v14, v12, v13, v19\n  v_mac_f32 v14, v12, v19\n  v_min_f32 v15, v13, v14\n"
         "  v_cvt_u32_f32 v16, v13\n  v_floor_f32 v17, v14\n  v_cmp_lt_f32 vcc, v12, v13\n"
         "  v_cndmask_b32 v10, v11, v10, vcc\n  v_cmp_ne_u32 vcc, v10, v11\n"
         // Doubles: bits of 2/pi for a large argument, a tie that the last bit decides, a denormal one rounded up
         "  v_mov_b32 v11, 0x7e000000\n  v_trig_preop_f64 v[12:13], v[10:11], 3\n  v_mov_b32 v10, 0x10000001\n"
         "  v_mov_b32 v11, 0x3ff00000\n  v_cvt_f32_f64 v14, v[10:11]\n  s_getreg_b32 s40, hwreg(HW_REG_MODE, 0, 8)\n"
         "  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), 0x31\n  v_mov_b32 v10, 1\n  v_mov_b32 v11, 0\n"
         "  v_cvt_f32_f64 v15, v[10:11]\n  s_setreg_b32 hwreg(HW_REG_MODE, 0, 8), s40\n"
         // A sum that saturates, an argument beyond half a turn
         "  v_mov_b32 v10, -1\n  v_add_u32_e64 v11, vcc, v10, v18 clamp\n  v_mov_b32 v12, 0x3f400000\n"
         "  v_sin_f32 v13, v12\n"
         // Halves: a quotient that would underflow, were it of another format
         "  v_mov_b32 v10, 0x3c00\n  v_mov_b32 v11, 0x0401\n  v_mov_b32 v12, 0x7bff\n"
         "  v_div_fixup_f16 v13, v10, v12, v11\n"
         "  s_mov_b32 s30, 0x1357\n  s_sub_u32 s31, s30, 7\n  s_mul_i32 s32, s31, s30\n  s_bfe_u32 s33, s32, 0x80004\n"
         "  s_cmp_lg_u32 s31, s32\n  s_cselect_b32 s34, s31, s30\n  s_bcnt1_i32_b64 s35, vcc\n"
         "  s_and_saveexec_b64 s[36:37], vcc\n  s_mov_b64 exec, s[36:37]\n"
         "  s_cmp_eq_u32 s30, s30\n  s_cbranch_scc0 same\n  s_nop 0\nsame:\n  s_mov_b64 exec, s[20:21]\n"
         "  .long 0xbf150000\n"
         // A second split, at whose merge the SWF is first and waits for its parent.
         "  v_cmp_eq_u32 vcc, 1, v3\n  s_and_saveexec_b64 s[22:23], vcc\n  .long 0xbf147f7e\n"
         "  s_cbranch_execz soon\n  s_nop 15\n  s_nop 15\nsoon:\n  s_mov_b64 exec, s[20:21]\n"
         "  .long 0xbf150000\n";
}

inline directed_programs fault_kernel() {
  return programs_of({fault_kernel_body()}, 1);
}
inline batch_report run_fault_kernel() {
  const directed_programs p = fault_kernel();
  return run_batch(p.machine, assemble(p.text), p.launches, 60);
}

}  // namespace pws::test
