// For the drawings of the RTL's interface: an SWF in which each kind of instruction issues, a split of its own among them.
.include "pws.inc"

.text
.globl rtl_timing
.p2align 8
.type rtl_timing,@function
rtl_timing:
  s_mov_b64 s[10:11], 0xffffffff   // work-items 0 to 31 ...
  s_not_b64 s[16:17], s[10:11]     // ... go on as an SWF, the others here;
  s_mov_b64 s[12:13], 0xffff0000   // 0 to 15 of them as one of that SWF's
  v_mov_b32 v1, 1
  split s16, s17
  s_mov_b64 s[14:15], exec
  s_cmp_eq_u64 s[14:15], s[10:11]
  s_cbranch_scc0 rest
  s_branch swf
  .p2align 6  // one fetch for what is drawn
swf:
  s_add_u32 s20, s10, 1
  s_addc_u32 s21, s11, s20
  s_cmp_lg_u32 s21, 7
  s_cbranch_scc1 taken
  s_nop 0
taken:
  v_add_u32 v2, vcc, v0, v1
  v_mul_lo_u32 v3, v0, v1
  v_cmp_lt_u32 vcc, v2, v3
  s_nop 0
  split s12, s13
  s_nop 0
  merge
rest:
  merge
  s_endpgm
.Lend:
  .size rtl_timing, .Lend-rtl_timing

.rodata
.p2align 6
.amdhsa_kernel rtl_timing
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 24
.end_amdhsa_kernel

.amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.kernels:
  - .name: rtl_timing
    .symbol: rtl_timing.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 24
    .vgpr_count: 4
    .max_flat_workgroup_size: 64
...
.end_amdgpu_metadata
// SPDX-License-Identifier: Apache-2.0
