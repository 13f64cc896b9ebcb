// Loops that are left, or gone on with, from within: break, continue, return, goto, switch.
#include <hip/hip_runtime.h>
#include "common.h"
LOOP_KERNEL breaks(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  for (uint32_t j = 0; j < 1000; ++j) {
    PWS_LOOP_BOUND(15);
    x = mixed(x + j);
    if (j + 1 >= n) break;
  }
  data[item()] = x;
}

LOOP_KERNEL breaks_by_lane(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  for (uint32_t j = 0;; ++j) {
    PWS_LOOP_BOUND(15);
    x = mixed(x + j);
    if (j + 1 >= n - threadIdx.x % 5) break;
    x = mixed(x ^ j);
  }
  data[item()] = x;
}

LOOP_KERNEL continues(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(15);
    x = mixed(x + j);
    if ((x & 7) == m) continue;
    x = mixed(mixed(x ^ j));
  }
  data[item()] = x;
}

LOOP_KERNEL continues_while(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], j = 0;
  while (j < n) {
    PWS_LOOP_BOUND(15);
    ++j;
    if ((j + threadIdx.x) % 2 == 0) continue;
    x = mixed(x + j);
    if (x % 16 == m) continue;
    x = mixed(mixed(x));
  }
  data[item()] = x;
}

// The continues leave the scope of variables, which is a way of its own back to the test.
LOOP_KERNEL continues_out_of_a_scope(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], j = 0;
  while (j < n) {
    PWS_LOOP_BOUND(12);
    ++j;
    uint32_t local = mixed(x);
    if (local % 4096 == m) continue;
    uint32_t other = mixed(local + j);
    switch (other % 4096) {
      case 0:
        continue;
      case 1:
        x += 7;
        break;
      default:
        x ^= mixed(mixed(other));
    }
    x = mixed(x);
  }
  data[item()] = x;
}

LOOP_KERNEL returns(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(15);
    x = mixed(x + j);
    if (x == 0x3039) return;
  }
  data[item()] = x;
}

LOOP_KERNEL returns_by_lane(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(15);
    x = mixed(x + j);
    if (j == threadIdx.x) return;
  }
  data[item()] = x;
}

LOOP_KERNEL goes_out_of_two(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  for (uint32_t i = 0; i < n; ++i) {
    PWS_LOOP_BOUND(5);
    for (uint32_t j = 0; j < m; ++j) {
      PWS_LOOP_BOUND(6);
      x = mixed(x + j);
      if (x == 0x3039) goto out;
    }
  }
out:
  data[item()] = x;
}

LOOP_KERNEL returns_from_two(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  for (uint32_t i = 0; i < n; ++i) {
    PWS_LOOP_BOUND(5);
    for (uint32_t j = 0; j < m; ++j) {
      PWS_LOOP_BOUND(6);
      x = mixed(x + j);
      if (i * m + j == 20 + threadIdx.x) {
        data[item()] = x;
        return;
      }
    }
    x = mixed(x);
  }
  data[item()] = x + 1;
}

LOOP_KERNEL breaks_inner_by_lane(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  for (uint32_t i = 0; i < n; ++i) {
    PWS_LOOP_BOUND(5);
    for (uint32_t j = 0; j < m; ++j) {
      PWS_LOOP_BOUND(6);
      x = mixed(x + j);
      if (j == (threadIdx.x + i) % 8) break;
    }
    if (i > threadIdx.x % 64 + 3) break;
  }
  data[item()] = x;
}

LOOP_KERNEL switch_in_loop(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(12);
    switch (j % 4) {
      case 0:
        x = mixed(x + 3);
        break;
      case 1:
        x = mixed(x ^ 5);
        [[fallthrough]];
      case 2:
        x = mixed(x - j);
        break;
      default:
        x = mixed(mixed(x));
        continue;
    }
    x += j;
  }
  data[item()] = x;
}

LOOP_KERNEL switch_by_lane_in_loop(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(12);
    switch ((threadIdx.x + j) % 4) {
      case 0:
        x = mixed(x + 3);
        break;
      case 1:
        x = mixed(x ^ 5);
        break;
      case 2:
        x = mixed(x - j);
        break;
      default:
        x = mixed(mixed(x));
        break;
    }
  }
  data[item()] = x;
}

LOOP_KERNEL loop_in_switch(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  switch (m) {
    case 0:
      for (uint32_t j = 0; j < n; ++j) {
        PWS_LOOP_BOUND(9);
        x = mixed(x + j);
      }
      break;
    case 1:
      for (uint32_t j = 0; j < n; ++j) {
        PWS_LOOP_BOUND(12);
        x = mixed(x ^ j);
      }
      break;
    default:
      while (x > 5) {
        PWS_LOOP_BOUND(6);
        x /= 64;
      }
  }
  data[item()] = x;
}

// A machine of states: the loop's body is a switch, and its exit a state.
LOOP_KERNEL states(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], state = 0, steps = 0;
  while (state != 4) {
    PWS_LOOP_BOUND(16);
    switch (state) {
      case 0:
        x = mixed(x);
        state = 1;
        break;
      case 1:
        x = mixed(x + 1);
        state = 2;
        break;
      case 2:
        x ^= steps;
        state = 3;
        break;
      case 3:
        state = steps + 4 < n ? 0 : 4;
        steps += 4;
        break;
      default:
        return;
    }
  }
  data[item()] = x;
}

LOOP_KERNEL continue_over_a_loop(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  for (uint32_t i = 0; i < n; ++i) {
    PWS_LOOP_BOUND(6);
    x = mixed(x + i);
    if ((x & 0xff00) == 0x100) continue;
    for (uint32_t j = 0; j < m; ++j) {
      PWS_LOOP_BOUND(4);
      x = mixed(x ^ j);
    }
  }
  data[item()] = x;
}

LOOP_KERNEL loop_in_the_last_iteration(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  for (uint32_t i = 0; i < n; ++i) {
    PWS_LOOP_BOUND(6);
    x = mixed(x + i);
    if (i + 1 == n) {
      for (uint32_t j = 0; j < m; ++j) {
        PWS_LOOP_BOUND(4);
        x = mixed(x ^ j);
      }
    }
  }
  data[item()] = x;
}
// SPDX-License-Identifier: Apache-2.0
