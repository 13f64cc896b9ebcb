// Kernels for -O0 too, where every function of the headers is a call: these call none.
#include <hip/hip_runtime.h>
#include "common.h"
LOOP_KERNEL plain(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  const uint32_t i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
  uint32_t x = data[i];
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(5);
    x = x * 5 + j;
  }
  data[i] = x;
}

LOOP_KERNEL plain_nest(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  const uint32_t i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
  uint32_t x = data[i], k = 0;
  while (k < n && x != 0x3039) {
    PWS_LOOP_BOUND(4);
    uint32_t j = 0;
    do {
      PWS_LOOP_BOUND(3);
      if (x == 0x303a) continue;
      x = x * 5 + j;
    } while (++j < m);
    ++k;
  }
  data[i] = x;
}

LOOP_KERNEL plain_by_lane(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  const uint32_t i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
  uint32_t x = data[i];
  for (uint32_t j = 0; j < n - i % 3; ++j) {
    PWS_LOOP_BOUND(5);
    if (x == 0x3039) break;
    x = x * 5 + j;
  }
  data[i] = x;
}
// SPDX-License-Identifier: Apache-2.0
