// Odd and even lanes go different ways, and both read lane 0's vector register there, which is none of the odd lanes'.
//
// Arguments: data  u32[work-items]: even lanes add lane 0's value, odd ones twice that
// One workgroup, a multiple of 64 work-items.
.text
.globl across_sides
.p2align 8
.type across_sides,@function
across_sides:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_lshlrev_b32 v1, 2, v0
  v_and_b32 v4, 1, v0
  s_waitcnt lgkmcnt(0)
  v_mov_b32 v3, s5
  v_add_u32 v2, vcc, s4, v1
  v_addc_u32 v3, vcc, 0, v3, vcc
  flat_load_dword v5, v[2:3]
  s_waitcnt vmcnt(0) lgkmcnt(0)
  v_mov_b32 v6, v5
  v_cmp_eq_u32 vcc, 0, v4
  s_and_saveexec_b64 s[8:9], vcc
  s_xor_b64 s[8:9], exec, s[8:9]
  s_cbranch_execz odd
  v_readlane_b32 s6, v5, 0
  v_add_u32 v6, vcc, s6, v6
odd:
  s_andn2_saveexec_b64 s[8:9], s[8:9]
  s_cbranch_execz both
  v_readlane_b32 s6, v5, 0
  s_lshl_b32 s6, s6, 1
  v_add_u32 v6, vcc, s6, v6
both:
  s_or_b64 exec, exec, s[8:9]
  flat_store_dword v[2:3], v6
  s_endpgm
.Lend:
  .size across_sides, .Lend-across_sides

.rodata
.p2align 6
.amdhsa_kernel across_sides
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 7
  .amdhsa_next_free_sgpr 10
.end_amdhsa_kernel

.amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.kernels:
  - .name: across_sides
    .symbol: across_sides.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 10
    .vgpr_count: 7
    .max_flat_workgroup_size: 1024
    .args:
      - {.name: data, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
...
.end_amdgpu_metadata
// SPDX-License-Identifier: Apache-2.0
