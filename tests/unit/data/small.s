; The smallest complete program: one kernel, one variable, one symbolic and one base-relative relocation.
  .amdgcn_target "amdgcn-amd-amdhsa--gfx803"
  .text
  .globl small
  .p2align 8
  .type small,@function
small:
  s_endpgm
.Lend:
  .size small, .Lend-small

  .rodata
  .p2align 6
  .amdhsa_kernel small
    .amdhsa_next_free_vgpr 1
    .amdhsa_next_free_sgpr 1
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_kernarg_size 8
  .end_amdhsa_kernel

  .data
  .globl value
  .type value,@object
  .p2align 3
value:
  .quad value + 4
  .quad .Llocal
.Llocal:
  .quad 0x1122334455667788
  .size value, 24

  .amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.target: amdgcn-amd-amdhsa--gfx803
amdhsa.printf: ["1:1:4:%d"]
amdhsa.kernels:
  - .name: small
    .symbol: small.kd
    .language: Assembler
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 1
    .vgpr_count: 1
    .max_flat_workgroup_size: 256
    .reqd_workgroup_size: [64, 2, 1]
    .args:
      - {.name: out, .type_name: 'int*', .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
...
  .end_amdgpu_metadata
