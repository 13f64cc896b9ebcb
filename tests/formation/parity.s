// One wavefront whose odd and even work-items part at a branch: what a waveform shows of it.
//
// Arguments: out  u32[64]: three times its number of an odd work-item, twice of an even one
.text
.globl parity
.p2align 8
.type parity,@function
parity:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_and_b32 v1, 1, v0
  v_cmp_eq_u32 vcc, 1, v1
  s_and_saveexec_b64 s[6:7], vcc
  s_xor_b64 s[6:7], exec, s[6:7]
  s_cbranch_execz even
  v_mul_u32_u24 v2, 3, v0
even:
  s_andn2_saveexec_b64 s[6:7], s[6:7]
  s_cbranch_execz store
  v_lshlrev_b32 v2, 1, v0
store:
  s_or_b64 exec, exec, s[6:7]
  s_waitcnt lgkmcnt(0)
  v_lshlrev_b32 v3, 2, v0
  v_mov_b32 v5, s5
  v_add_u32 v4, vcc, s4, v3
  v_addc_u32 v5, vcc, 0, v5, vcc
  flat_store_dword v[4:5], v2
  s_endpgm
.Lend:
  .size parity, .Lend-parity

.rodata
.p2align 6
.amdhsa_kernel parity
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 6
  .amdhsa_next_free_sgpr 12
.end_amdhsa_kernel

.amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.kernels:
  - .name: parity
    .symbol: parity.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 12
    .vgpr_count: 6
    .max_flat_workgroup_size: 64
    .args:
      - {.name: out, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
...
.end_amdgpu_metadata
// SPDX-License-Identifier: Apache-2.0
