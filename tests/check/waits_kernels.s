; Kernels for tests of the waits check: NAME_bad has one wait or wait state too few, NAME_good has it. No kernel has
; arguments; v0 is the work-item's number, s[4:5] the address of the dispatch packet.

  .amdgcn_target "amdgcn-amd-amdhsa--gfx803"
  .include "pws.inc"

.macro kernel name, wait, body:vararg
  .text
  .globl \name
  .p2align 8
  .type \name,@function
\name:
  s_mov_b32 m0, -1
  v_lshlrev_b32_e32 v1, 2, v0
  \body \wait
  s_endpgm
.Lend_\name:
  .size \name, .Lend_\name-\name

  .rodata
  .p2align 6
  .amdhsa_kernel \name
    .amdhsa_next_free_vgpr 16
    .amdhsa_next_free_sgpr 32
    .amdhsa_user_sgpr_private_segment_buffer 1
    .amdhsa_user_sgpr_dispatch_ptr 1
    .amdhsa_group_segment_fixed_size 1024
  .end_amdhsa_kernel
.endm

; s[4:5] is the dispatch packet: 64 readable bytes.
.macro packet_load wait
  v_mov_b32_e32 v2, s4
  v_mov_b32_e32 v3, s5
  flat_load_dword v4, v[2:3]
  flat_load_dword v5, v[2:3]
  s_waitcnt vmcnt(\wait)
  v_add_u32_e32 v6, vcc, v4, v4
  s_waitcnt vmcnt(0)
.endm
; An image of one axis where the packet is. Its address is v2 alone, whatever else an image may have: v3 may be on its way.
.macro image_texel wait
  s_lshr_b64 s[8:9], s[4:5], 8
  s_or_b32 s9, s9, 0x10400000
  s_mov_b32 s10, 0
  s_mov_b32 s11, 0x80800004
  s_mov_b64 s[12:13], 0
  s_mov_b64 s[14:15], 0
  v_mov_b32_e32 v2, 0
  v_mov_b32_e32 v4, s4
  v_mov_b32_e32 v5, s5
  flat_load_dword v3, v[4:5]
  image_load v6, v2, s[8:15] dmask:0x1 unorm
  s_waitcnt vmcnt(\wait)
  v_add_u32_e32 v7, vcc, v6, v6
  s_waitcnt vmcnt(0) lgkmcnt(0)
.endm
.macro scalar_load wait
  s_load_dword s8, s[4:5], 0x0
  s_load_dword s9, s[4:5], 0x4
  s_waitcnt lgkmcnt(\wait)
  s_add_u32 s10, s9, s9
  s_waitcnt lgkmcnt(0)
.endm
.macro lds_read wait
  ds_write_b32 v1, v0
  ds_read_b32 v4, v1
  ds_read_b32 v5, v1 offset:4
  s_waitcnt lgkmcnt(\wait)
  v_add_u32_e32 v6, vcc, v4, v4
  s_waitcnt lgkmcnt(0)
.endm
.macro lds_barrier wait
  ds_write_b32 v1, v0
  s_waitcnt lgkmcnt(\wait)
  s_barrier
  ds_read_b32 v4, v1
  s_waitcnt lgkmcnt(0)
.endm
.macro overwritten wait
  ds_read_b32 v4, v1
  s_waitcnt lgkmcnt(\wait)
  v_mov_b32_e32 v4, 0
  s_waitcnt lgkmcnt(0)
.endm
.macro lane_select wait
  v_readfirstlane_b32 s8, v0
  s_nop \wait
  v_readlane_b32 s9, v0, s8
.endm
.macro dpp wait
  v_mov_b32_e32 v4, v0
  s_nop \wait
  v_mov_b32_dpp v5, v4 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
.endm

kernel packet_load_bad, 2, packet_load
kernel packet_load_good, 1, packet_load
kernel scalar_load_bad, 1, scalar_load
kernel scalar_load_good, 0, scalar_load
kernel lds_read_bad, 2, lds_read
kernel lds_read_good, 1, lds_read
kernel lds_barrier_bad, 1, lds_barrier
kernel lds_barrier_good, 0, lds_barrier
kernel overwritten_bad, 1, overwritten
kernel overwritten_good, 0, overwritten
; A split within a side of another one; what the innermost path loads is under way where the side between goes on, and that
; one waits for it, or not.
.macro nested wait
  v_mov_b32_e32 v2, s4
  v_mov_b32_e32 v3, s5
  s_mov_b64 s[8:9], 0xffff
  s_mov_b64 s[10:11], 0xffffffff
  split s8, s9
  s_cmp_eq_u32 exec_lo, 0xffff
  s_cbranch_scc1 .Louter\@
  split s10, s11
  s_cmp_eq_u32 exec_hi, 0
  s_cbranch_scc1 .Linner\@
  flat_load_dword v4, v[2:3]
.Linner\@:
  merge
  s_waitcnt vmcnt(\wait)
.Louter\@:
  merge
  v_add_u32_e32 v6, vcc, v4, v4
  s_waitcnt vmcnt(0)
.endm
kernel image_texel_bad, 1, image_texel
kernel image_texel_good, 0, image_texel
kernel lane_select_bad, 2, lane_select
kernel lane_select_good, 3, lane_select
kernel dpp_bad, 0, dpp
kernel dpp_good, 1, dpp
kernel nested_bad, 1, nested
kernel nested_good, 0, nested

  .amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.target: amdgcn-amd-amdhsa--gfx803
amdhsa.kernels:
  - .name: packet_load_bad
    .symbol: packet_load_bad.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 1024
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
  - .name: packet_load_good
    .symbol: packet_load_good.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 1024
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
  - .name: image_texel_bad
    .symbol: image_texel_bad.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 1024
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
  - .name: image_texel_good
    .symbol: image_texel_good.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 1024
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
  - .name: scalar_load_bad
    .symbol: scalar_load_bad.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 1024
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
  - .name: scalar_load_good
    .symbol: scalar_load_good.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 1024
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
  - .name: lds_read_bad
    .symbol: lds_read_bad.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 1024
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
  - .name: lds_read_good
    .symbol: lds_read_good.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 1024
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
  - .name: lds_barrier_bad
    .symbol: lds_barrier_bad.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 1024
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
  - .name: lds_barrier_good
    .symbol: lds_barrier_good.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 1024
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
  - .name: overwritten_bad
    .symbol: overwritten_bad.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 1024
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
  - .name: overwritten_good
    .symbol: overwritten_good.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 1024
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
  - .name: lane_select_bad
    .symbol: lane_select_bad.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 1024
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
  - .name: lane_select_good
    .symbol: lane_select_good.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 1024
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
  - .name: dpp_bad
    .symbol: dpp_bad.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 1024
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
  - .name: dpp_good
    .symbol: dpp_good.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 1024
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
  - .name: nested_bad
    .symbol: nested_bad.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 1024
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
  - .name: nested_good
    .symbol: nested_good.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 1024
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
...
  .end_amdgpu_metadata
// SPDX-License-Identifier: Apache-2.0
