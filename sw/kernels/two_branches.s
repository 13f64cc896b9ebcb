// The control-flow graph of the DPE paper's Figure 1: A branches to B and C, C to D and E, which meet at F; B and F meet
// at G. A bit of its masks stands for 16 work-items here: A 1111, B 1000, C 0111, D 0100, E 0011.
//
// Each block is three instructions, F one, and appends its number (A is 1) to what its work-items store, so that
// out[i] is the way that work-item i took: 127, 13467 or 13567.
.include "pws.inc"

.macro block number
  v_mad_u32_u24 v2, v2, 10, \number
  s_nop 0
  s_nop 0
.endm

// Whether this path is the one of the mask in s[first:first+1].
.macro if_not_mine_to target, first
  s_mov_b64 s[14:15], exec
  s_cmp_eq_u64 s[14:15], s[\first:\first+1]
  s_cbranch_scc0 \target
.endm

.text
.globl two_branches
.p2align 8
.type two_branches,@function
two_branches:
  s_load_dwordx2 s[4:5], s[0:1], 0x0   // out
  s_mov_b32 s10, 0x0000ffff            // B
  s_mov_b32 s11, 0
  s_mov_b32 s12, 0xffff0000            // D
  s_mov_b32 s13, 0
  v_lshlrev_b32 v1, 2, v0
  v_mov_b32 v2, 0
  s_waitcnt lgkmcnt(0)
  block 1
  split s10, s11
  if_not_mine_to block_c, 10
  block 2
  s_branch block_g
block_c:
  block 3
  split s12, s13
  if_not_mine_to block_e, 12
  block 4
  s_branch block_f
block_e:
  block 5
block_f:
  merge
  v_mad_u32_u24 v2, v2, 10, 6
block_g:
  merge
  block 7
  v_mov_b32 v3, s4
  v_mov_b32 v4, s5
  v_add_u32 v3, vcc, v3, v1
  v_addc_u32 v4, vcc, 0, v4, vcc
  flat_store_dword v[3:4], v2
  s_endpgm
.Lend:
  .size two_branches, .Lend-two_branches

.rodata
.p2align 6
.amdhsa_kernel two_branches
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 5
  .amdhsa_next_free_sgpr 20
.end_amdhsa_kernel

.amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.kernels:
  - .name: two_branches
    .symbol: two_branches.kd
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
