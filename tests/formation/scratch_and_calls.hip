// Sides that call functions, and private memory by an index of the work-item's own.
//
//   calls    data  u32[work-items]: by x % 3: 0: 3 x + 1; 1: 5 x + 2, and 3 x + 1 of that if it is even; 2: x
//   scratch  data  u32[work-items]: of an array 0, 1, 4, .. 225 of its own a work-item with an odd value reverses the
//                  first value % 16 + 1 elements, one with an even value adds it to all. Then the sum of each element
//                  times its index
// Grid: any.
#include <pws.h>

#include "formation.h"

static __device__ __attribute__((noinline)) uint32_t three_times(uint32_t x) {
  HIDE(x);
  return x * 3 + 1;
}

static __device__ __attribute__((noinline)) uint32_t five_times(uint32_t x) {
  HIDE(x);
  return x * 5 + 2;
}

extern "C" __global__ void calls(uint32_t* data) {
  const uint32_t i = own_index();
  uint32_t x = data[i];
  const uint32_t kind = x % 3;
  if (kind == 0) {
    x = three_times(x);
  } else if (kind == 1) {
    x = five_times(x);
    if (x % 2 == 0) x = three_times(x);
  }
  data[i] = x;
}

extern "C" __global__ void scratch(uint32_t* data) {
  const uint32_t i = own_index(), value = data[i];
  volatile uint32_t own[16];
#pragma unroll 1
  for (uint32_t k = 0; k < 16; ++k) {
    PWS_LOOP_BOUND(16);
    own[k] = k * k;
  }
  if (value % 2 != 0) {
#pragma unroll 1
    for (uint32_t low = 0, high = value % 16; low < high; ++low, --high) {
      PWS_LOOP_BOUND(8);
      const uint32_t kept = own[low];
      own[low] = own[high];
      own[high] = kept;
    }
  } else {
#pragma unroll 1
    for (uint32_t k = 0; k < 16; ++k) {
      PWS_LOOP_BOUND(16);
      own[k] = own[k] + value;
    }
  }
  uint32_t sum = 0;
#pragma unroll 1
  for (uint32_t k = 0; k < 16; ++k) {
    PWS_LOOP_BOUND(16);
    sum += own[k] * k;
  }
  data[i] = sum;
}
// SPDX-License-Identifier: Apache-2.0
