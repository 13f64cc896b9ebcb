// An if with an else in a loop, blocks of known lengths. Work-item t takes the one side (9 instructions) in iterations
// whose number has t's parity, and the other (6) else; t < 16 goes round twice, the others three times. Work-items from
// 60 on return at once.
//
// out[t] is 100 for each time on the one side, and 1 for each on the other.
.text
.globl if_else
.p2align 8
.type if_else,@function
if_else:                                  // 12 instructions
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_lshlrev_b32 v1, 2, v0                 // v1: byte offset
  v_mov_b32 v2, 0                         // v2: result
  v_mov_b32 v3, 0                         // v3: iteration
  v_mov_b32 v6, 3                         // v6: iterations
  v_cmp_gt_u32 vcc, 16, v0
  v_subb_u32 v6, vcc, v6, 0, vcc
  v_cmp_gt_u32 vcc, 60, v0
  s_and_saveexec_b64 s[6:7], vcc
  s_mov_b64 s[8:9], 0                     // s[8:9]: work-items that have left the loop
  s_waitcnt lgkmcnt(0)
  s_cbranch_execz done
loop:                                     // 6 instructions
  v_xor_b32 v4, v3, v0
  v_and_b32 v4, 1, v4
  v_cmp_eq_u32 vcc, 0, v4
  s_and_saveexec_b64 s[10:11], vcc
  s_xor_b64 s[10:11], exec, s[10:11]
  s_cbranch_execz other
  v_add_u32 v2, vcc, 100, v2              // 9 instructions
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
other:                                    // 3 instructions
  s_or_saveexec_b64 s[10:11], s[10:11]
  s_xor_b64 exec, exec, s[10:11]
  s_cbranch_execz next
  v_add_u32 v2, vcc, 1, v2                // 6 instructions
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
  s_nop 0
next:                                     // 6 instructions
  s_or_b64 exec, exec, s[10:11]
  v_add_u32 v3, vcc, 1, v3
  v_cmp_le_u32 vcc, v6, v3
  s_or_b64 s[8:9], vcc, s[8:9]
  s_andn2_b64 exec, exec, s[8:9]
  s_cbranch_execnz loop
  s_or_b64 exec, exec, s[8:9]             // 6 instructions
  v_mov_b32 v5, s5
  v_add_u32 v4, vcc, s4, v1
  v_addc_u32 v5, vcc, 0, v5, vcc
  flat_store_dword v[4:5], v2
  s_nop 0
done:
  s_endpgm
.Lend:
  .size if_else, .Lend-if_else

.rodata
.p2align 6
.amdhsa_kernel if_else
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 7
  .amdhsa_next_free_sgpr 20
.end_amdhsa_kernel

.amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.kernels:
  - .name: if_else
    .symbol: if_else.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 20
    .vgpr_count: 7
    .max_flat_workgroup_size: 64
    .args:
      - .name: out
        .offset: 0
        .size: 8
        .value_kind: global_buffer
        .address_space: global
...
.end_amdgpu_metadata
// SPDX-License-Identifier: Apache-2.0
