; Loops whose time per pass is known, for tests of timing relations. Each kernel's only argument is the number of passes
; (u32, not 0); what lies in the loop is a macro argument.

  .amdgcn_target "amdgcn-amd-amdhsa--gfx803"

; s0 counts the passes; the body may use s[16:31] and v[0:31].
.macro loop_kernel name, body:vararg
  .text
  .globl \name
  .p2align 8
  .type \name,@function
\name:
  s_load_dword s0, s[4:5], 0x0
  s_waitcnt lgkmcnt(0)
  s_branch .Lloop_\name
  .p2align 6
.Lloop_\name:
  \body
  s_sub_u32 s0, s0, 1
  s_cmp_lg_u32 s0, 0
  s_cbranch_scc1 .Lloop_\name
  s_endpgm
.Lend_\name:
  .size \name, .Lend_\name-\name

  .rodata
  .p2align 6
  .amdhsa_kernel \name
    .amdhsa_next_free_vgpr 24
    .amdhsa_next_free_sgpr 32
    .amdhsa_user_sgpr_private_segment_buffer 1
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .end_amdhsa_kernel
.endm

.macro independent_adds
  .irp r, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
  v_add_f32_e32 v\r, v\r, v0
  .endr
.endm

.macro dependent_adds
  .rept 16
  v_add_f32_e32 v1, v1, v0
  .endr
.endm

.macro dependent_scalar_adds
  .rept 8
  s_add_u32 s16, s16, 1
  .endr
.endm

loop_kernel empty_loop, s_nop 0
loop_kernel sleep_1_loop, s_sleep 1
loop_kernel sleep_2_loop, s_sleep 2
loop_kernel sleep_5_loop, s_sleep 5
loop_kernel independent_valu_loop, independent_adds
loop_kernel dependent_valu_loop, dependent_adds
loop_kernel scalar_loop, dependent_scalar_adds

  .amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.target: amdgcn-amd-amdhsa--gfx803
amdhsa.kernels:
  - .name: empty_loop
    .symbol: empty_loop.kd
    .kernarg_segment_size: 4
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 24
    .max_flat_workgroup_size: 1024
    .args:
      - {.name: passes, .offset: 0, .size: 4, .value_kind: by_value}
  - .name: sleep_1_loop
    .symbol: sleep_1_loop.kd
    .kernarg_segment_size: 4
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 24
    .max_flat_workgroup_size: 1024
    .args:
      - {.name: passes, .offset: 0, .size: 4, .value_kind: by_value}
  - .name: sleep_2_loop
    .symbol: sleep_2_loop.kd
    .kernarg_segment_size: 4
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 24
    .max_flat_workgroup_size: 1024
    .args:
      - {.name: passes, .offset: 0, .size: 4, .value_kind: by_value}
  - .name: sleep_5_loop
    .symbol: sleep_5_loop.kd
    .kernarg_segment_size: 4
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 24
    .max_flat_workgroup_size: 1024
    .args:
      - {.name: passes, .offset: 0, .size: 4, .value_kind: by_value}
  - .name: independent_valu_loop
    .symbol: independent_valu_loop.kd
    .kernarg_segment_size: 4
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 24
    .max_flat_workgroup_size: 1024
    .args:
      - {.name: passes, .offset: 0, .size: 4, .value_kind: by_value}
  - .name: dependent_valu_loop
    .symbol: dependent_valu_loop.kd
    .kernarg_segment_size: 4
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 24
    .max_flat_workgroup_size: 1024
    .args:
      - {.name: passes, .offset: 0, .size: 4, .value_kind: by_value}
  - .name: scalar_loop
    .symbol: scalar_loop.kd
    .kernarg_segment_size: 4
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 24
    .max_flat_workgroup_size: 1024
    .args:
      - {.name: passes, .offset: 0, .size: 4, .value_kind: by_value}
...
  .end_amdgpu_metadata
