// A loop that all 64 lanes leave at different times, with a load, a store, an LDS atomic and a scalar load under way at
// the branch: what waits for them comes behind it, on both ways.
//
// Arguments: data   u32[64 * work-items]: work-item t reads data[t + work-items * k] in iteration k
//            table  u32[64]: read by the scalar unit, added in iterations that another one follows
//            log    u32[64 * work-items]: in iteration k, 1000 * t + k goes where data was read
//            sum    u32[work-items]: data and table, and k, which the LDS atomic returns
//            last   u32[work-items]: what was written into log last, read back
//            count  work-items
//            flip   0: lane l makes l + 1 iterations; 63: 64 - l
// One workgroup of up to 1024 work-items.
.text
.globl in_flight
.p2align 8
.type in_flight,@function
in_flight:
  s_load_dwordx8 s[4:11], s[0:1], 0x0    // data, table, log, sum
  s_load_dwordx4 s[12:15], s[0:1], 0x20  // last; count, flip
  v_lshlrev_b32 v1, 2, v0                // byte offset in LDS; in data and log, that of this iteration
  v_mov_b32 v2, v1
  v_mov_b32 v3, 0                        // sum
  v_mov_b32 v4, 1
  v_and_b32 v5, 63, v0
  v_mul_u32_u24 v6, 0x3e8, v0            // 1000 * t + k
  s_mov_b32 m0, -1
  s_mov_b64 s[2:3], 0                    // who has left
  s_mov_b32 s20, 0                       // k
  ds_write_b32 v1, v3
  s_waitcnt lgkmcnt(0)
  v_xor_b32 v5, s15, v5                  // the last iteration
  s_lshl_b32 s21, s14, 2
  // Buffers without bounds, so that loads and stores come back in order.
  s_mov_b64 s[24:25], s[4:5]
  s_mov_b32 s26, -1
  s_mov_b32 s27, 0xf000
  s_mov_b64 s[28:29], s[8:9]
  s_mov_b64 s[30:31], s[26:27]
loop:
  buffer_load_dword v7, v2, s[24:27], 0 offen
  buffer_store_dword v6, v2, s[28:31], 0 offen
  ds_add_rtn_u32 v8, v1, v4
  s_load_dword s22, s[6:7], 0x0
  v_cmp_eq_u32 vcc, s20, v5
  s_or_b64 s[2:3], vcc, s[2:3]
  s_andn2_b64 exec, exec, s[2:3]
  s_cbranch_execz out
  s_add_u32 s20, s20, 1
  v_add_u32 v6, vcc, 1, v6
  s_waitcnt vmcnt(1)                     // all but the store
  v_add_u32 v3, vcc, v7, v3
  v_add_u32 v2, vcc, s21, v2
  s_waitcnt lgkmcnt(0)
  v_add_u32 v3, vcc, v8, v3
  v_add_u32 v3, vcc, s22, v3
  s_add_u32 s6, s6, 4
  s_addc_u32 s7, s7, 0
  s_branch loop
out:
  s_or_b64 exec, exec, s[2:3]
  s_waitcnt vmcnt(1) lgkmcnt(0)
  v_add_u32 v3, vcc, v7, v3
  v_add_u32 v3, vcc, v8, v3
  v_mov_b32 v10, s11
  v_add_u32 v9, vcc, s10, v1
  v_addc_u32 v10, vcc, 0, v10, vcc
  flat_store_dword v[9:10], v3
  buffer_load_dword v11, v2, s[28:31], 0 offen
  v_mov_b32 v10, s13
  v_add_u32 v9, vcc, s12, v1
  v_addc_u32 v10, vcc, 0, v10, vcc
  s_waitcnt vmcnt(0)
  flat_store_dword v[9:10], v11
  s_endpgm
.Lend:
  .size in_flight, .Lend-in_flight

.rodata
.p2align 6
.amdhsa_kernel in_flight
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_group_segment_fixed_size 4096
  .amdhsa_next_free_vgpr 12
  .amdhsa_next_free_sgpr 32
.end_amdhsa_kernel

.amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.kernels:
  - .name: in_flight
    .symbol: in_flight.kd
    .kernarg_segment_size: 48
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 4096
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 12
    .max_flat_workgroup_size: 1024
    .args:
      - {.name: data, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: table, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: log, .offset: 16, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: sum, .offset: 24, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: last, .offset: 32, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: count, .offset: 40, .size: 4, .value_kind: by_value}
      - {.name: flip, .offset: 44, .size: 4, .value_kind: by_value}
...
.end_amdgpu_metadata
// SPDX-License-Identifier: Apache-2.0
