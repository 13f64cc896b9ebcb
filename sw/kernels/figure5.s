// The PWS paper's Figure 5: two splits and two merges. A bit of the figure stands for 16 work-items here, so that its
// register values are the wavefront's: s0 = 11, s1 = 01, s2 = 00, and SpM goes 1111 -> 1101 -> 1100 -> 1101 -> 1111.
//
// Each SWF adds its own number to what its work-items store: out[i] = 100 * (SWF in region 3) + 10 * (SWF in region 2)
// + (SWF in region 1), SWFs counted as in the figure.
.include "pws.inc"

.set split_1, 0xffffffff  // 11
.set split_2, 0xffff0000  // 01
.set split_3, 0x00000000  // 00

.text
.globl figure5
.p2align 8
.type figure5,@function
figure5:
  s_load_dwordx2 s[4:5], s[0:1], 0x0   // out
  s_mov_b32 s10, split_1               // the figure's s0, s1 and s2
  s_mov_b32 s11, split_2
  s_mov_b32 s12, split_3
  v_lshlrev_b32 v1, 2, v0
  v_mov_b32 v2, 0
  s_mov_b32 s13, 1                     // which SWF this is: a scalar register, so each has its own
  s_waitcnt lgkmcnt(0)
  v_add_u32 v2, vcc, s13, v2           // (1)
  split s10, s11
  // Both sides go on here. s[14:15]: work-items of this SWF.
  s_mov_b64 s[14:15], exec
  s_cmp_eq_u64 s[14:15], s[10:11]      // SpM of the parent is the mask itself here
  s_cselect_b32 s13, 1, 2
  s_mul_i32 s16, s13, 10
  v_add_u32 v2, vcc, s16, v2           // (2)
  s_cmp_eq_u32 s13, 2
  s_cbranch_scc1 swf2                  // it does not split again
  split s10, s12
  s_mov_b64 s[14:15], exec
  s_cmp_eq_u32 s15, s12
  s_cselect_b32 s13, 1, 3
  s_mul_i32 s16, s13, 100
  v_add_u32 v2, vcc, s16, v2           // (3)
  merge
  s_nop 7                              // (2)
  s_branch second_merge
swf2:
  s_nop 15
  s_nop 15
  s_nop 15
second_merge:
  merge
  v_mov_b32 v3, s4                     // (1)
  v_mov_b32 v4, s5
  v_add_u32 v3, vcc, v3, v1
  v_addc_u32 v4, vcc, 0, v4, vcc
  flat_store_dword v[3:4], v2
  s_endpgm
.Lend:
  .size figure5, .Lend-figure5

.rodata
.p2align 6
.amdhsa_kernel figure5
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 5
  .amdhsa_next_free_sgpr 20
.end_amdhsa_kernel

.amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.kernels:
  - .name: figure5
    .symbol: figure5.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 20
    .vgpr_count: 5
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
