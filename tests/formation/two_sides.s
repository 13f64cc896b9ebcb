// The dynamic warp formation paper's Figure 9: A branches to B or C, equally long, which meet at D. One workgroup of up
// to 1024 work-items.
//
// Arguments: way, sum  u32[work-items]: the blocks' numbers (A is 1) as decimal digits; each block's number 7 times
//            shift     which bit of its number decides where a work-item goes: 0 to 5
//            flip      1: the other way round in every second wavefront, so that the lanes of two fit together
.macro block number
  v_mad_u32_u24 v2, v2, 10, \number
  .rept 7
  v_add_u32 v3, vcc, \number, v3
  .endr
.endm

// Stores v\from at v1 bytes behind where s\first and s\second point.
.macro store first, second, from
  v_mov_b32 v5, s\second
  v_add_u32 v4, vcc, s\first, v1
  v_addc_u32 v5, vcc, 0, v5, vcc
  flat_store_dword v[4:5], v\from
.endm

.text
.globl two_sides
.p2align 8
.type two_sides,@function
two_sides:
  s_load_dwordx4 s[4:7], s[0:1], 0x0    // way, sum
  s_load_dwordx2 s[8:9], s[0:1], 0x10   // shift, flip
  v_lshlrev_b32 v1, 2, v0
  v_mov_b32 v2, 0
  v_mov_b32 v3, 0
  s_waitcnt lgkmcnt(0)
  v_lshrrev_b32 v4, s8, v0
  v_lshrrev_b32 v5, 6, v0
  v_and_b32 v5, s9, v5
  v_xor_b32 v4, v4, v5
  v_and_b32 v4, 1, v4
  block 1
  v_cmp_eq_u32 vcc, 0, v4
  s_and_saveexec_b64 s[10:11], vcc
  s_xor_b64 s[10:11], exec, s[10:11]
  s_cbranch_execz to_c
  block 2
to_c:
  s_andn2_saveexec_b64 s[10:11], s[10:11]
  s_cbranch_execz to_d
  block 3
to_d:
  s_or_b64 exec, exec, s[10:11]
  block 4
  store 4, 5, 2
  store 6, 7, 3
  s_endpgm
.Lend:
  .size two_sides, .Lend-two_sides

.rodata
.p2align 6
.amdhsa_kernel two_sides
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 6
  .amdhsa_next_free_sgpr 12
.end_amdhsa_kernel

.amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.kernels:
  - .name: two_sides
    .symbol: two_sides.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 12
    .vgpr_count: 6
    .max_flat_workgroup_size: 1024
    .args:
      - {.name: way, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: sum, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: shift, .offset: 16, .size: 4, .value_kind: by_value}
      - {.name: flip, .offset: 20, .size: 4, .value_kind: by_value}
...
.end_amdgpu_metadata
// SPDX-License-Identifier: Apache-2.0
