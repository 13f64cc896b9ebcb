; Programs that go wrong, where a compiler would not write them. No kernel has arguments.

  .amdgcn_target "amdgcn-amd-amdhsa--gfx803"

.macro kernel name, body:vararg
  .text
  .globl \name
  .p2align 8
  .type \name,@function
\name:
  s_nop 0
  \body
  s_endpgm
.Lend_\name:
  .size \name, .Lend_\name-\name

  .rodata
  .p2align 6
  .amdhsa_kernel \name
    .amdhsa_next_free_vgpr 8
    .amdhsa_next_free_sgpr 16
    .amdhsa_user_sgpr_private_segment_buffer 1
    .amdhsa_group_segment_fixed_size 64
  .end_amdhsa_kernel
.endm

; No lane's address is a multiple of 4 but for lanes 0, 4, 8, ...: v0 is the work-item's number.
.macro misaligned_read
  s_mov_b32 m0, -1
  ds_read_b32 v1, v0
  s_waitcnt lgkmcnt(0)
.endm

.macro store_nowhere
  v_mov_b32_e32 v1, 0x1234
  v_mov_b32_e32 v2, 0
  s_mov_b64 exec, 0x80
  flat_store_dword v[1:2], v0
.endm

kernel trap, s_trap 2
kernel halt, s_sethalt 1
kernel illegal, .long 0xbfff0000
kernel spin, s_branch -1
kernel runs_off_its_code, s_branch 0x7000
kernel misaligned_lds, misaligned_read
kernel null_store, store_nowhere

  .amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.target: amdgcn-amd-amdhsa--gfx803
amdhsa.kernels:
  - .name: trap
    .symbol: trap.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 64
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 1024
  - .name: halt
    .symbol: halt.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 64
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 1024
  - .name: illegal
    .symbol: illegal.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 64
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 1024
  - .name: spin
    .symbol: spin.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 64
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 1024
  - .name: runs_off_its_code
    .symbol: runs_off_its_code.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 64
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 1024
  - .name: misaligned_lds
    .symbol: misaligned_lds.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 64
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 1024
  - .name: null_store
    .symbol: null_store.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 64
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 1024
...
  .end_amdgpu_metadata
