// SPDX-License-Identifier: Apache-2.0
// What the kernels of this folder share. Each takes (data, table, n, m): data[i] is work-item i's own word, table has
// 4096 words, a ring of all of its indices. loop_kernels_test.cpp has what they are launched with.
#pragma once

#include <hip/hip_runtime.h>
#include <pws.h>

#include <cstdint>

#define LOOP_KERNEL extern "C" __global__ __launch_bounds__(64) void

constexpr uint32_t table_words = 4096;

__device__ __forceinline__ uint32_t item() {
  return blockIdx.x * 64 + threadIdx.x;
}
// A few instructions whose result the compiler cannot foresee.
__device__ __forceinline__ uint32_t mixed(uint32_t x) {
  x ^= x >> 15;
  x *= 0x2c1b3c6du;
  return x ^ (x >> 12);
}
// A load per lane, of addresses that nothing is known of.
__device__ __forceinline__ uint32_t next_of(const uint32_t* table, uint32_t x) {
  return table[x % table_words];
}
