// Loops of the source that share a header in the machine code, so that they are one loop with several latches.
#include <hip/hip_runtime.h>
#include "common.h"
// Both bodies begin at the same place: one machine loop with two latches, m * n iterations.
LOOP_KERNEL nested_do_whiles(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], i = 0;
  do {
    PWS_LOOP_BOUND(6);
    uint32_t j = 0;
    do {
      PWS_LOOP_BOUND(8);
      x = mixed(x + j);
    } while (++j < m);
  } while (++i < n);
  data[item()] = x;
}

LOOP_KERNEL three_deep_do_whiles(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], i = 0;
  do {
    PWS_LOOP_BOUND(4);
    uint32_t j = 0;
    do {
      PWS_LOOP_BOUND(5);
      uint32_t k = 0;
      do {
        PWS_LOOP_BOUND(3);
        x = mixed(x ^ k);
      } while (++k < m);
    } while (++j < m + 2);
  } while (++i < n);
  data[item()] = x;
}

// The outer test folds into the inner one: where that has failed for `left`, the outer loop ends.
LOOP_KERNEL outer_test_in_inner(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], left = n;
  while (left) {
    PWS_LOOP_BOUND(20);
    for (uint32_t j = 0; j < 3 && left; ++j) {
      PWS_LOOP_BOUND(3);
      x = mixed(x + j);
      left = j == m ? left - 1 : left;
    }
  }
  data[item()] = x;
}

LOOP_KERNEL outer_test_in_two_inner(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], left = n;
  while (left) {
    PWS_LOOP_BOUND(5);
    for (uint32_t j = 0; j < 2 && left; ++j) {
      PWS_LOOP_BOUND(2);
      for (uint32_t k = 0; k < 4 && left; ++k) {
        PWS_LOOP_BOUND(4);
        x = mixed(x + k);
        if (j == 1 && k == m) --left;
      }
    }
  }
  data[item()] = x;
}

// A lane's own number of rounds, which both loops test.
LOOP_KERNEL outer_test_in_inner_divergent(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], left = n - threadIdx.x % 4;
  while (left) {
    PWS_LOOP_BOUND(12);
    for (uint32_t j = 0; j < 3 && left; ++j) {
      PWS_LOOP_BOUND(3);
      x = mixed(x + j);
      if (j == m) --left;
    }
  }
  data[item()] = x;
}

LOOP_KERNEL do_in_while(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], i = 0;
  while (i < n) {
    PWS_LOOP_BOUND(7);
    do {
      PWS_LOOP_BOUND(4);
      x = mixed(x + i);
      ++i;
    } while (i % 4 != 0 && i < m);
  }
  data[item()] = x;
}

LOOP_KERNEL while_in_do(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], i = 0, j = 0;
  do {
    PWS_LOOP_BOUND(5);
    while (j < m * (i + 1)) {
      PWS_LOOP_BOUND(6);
      x = mixed(x ^ j);
      ++j;
    }
  } while (++i < n);
  data[item()] = x;
}

// The outer loop's `continue` is a latch from within the inner one.
LOOP_KERNEL continue_of_the_outer(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], i = 0;
  while (i < n) {
    PWS_LOOP_BOUND(9);
    ++i;
    for (uint32_t j = 0;; ++j) {
      PWS_LOOP_BOUND(4);
      x = mixed(x + j);
      if (j + 1 >= m) goto next;
    }
  next:;
  }
  data[item()] = x;
}

// Equal conditions: where the inner loop ends, so does the outer one.
LOOP_KERNEL one_condition_for_two(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], k = 0;
  while (k < n) {
    PWS_LOOP_BOUND(1);
    while (k < n) {
      PWS_LOOP_BOUND(25);
      x = mixed(x + k);
      ++k;
    }
  }
  data[item()] = x;
}

// The outer loop runs often and the inner one once each time.
LOOP_KERNEL inner_runs_once(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], k = 0;
  while (k < n) {
    PWS_LOOP_BOUND(25);
    do {
      PWS_LOOP_BOUND(1);
      x = mixed(x + k);
      ++k;
    } while (k < m && k > n);
  }
  data[item()] = x;
}

LOOP_KERNEL do_whiles_of_loads(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()] + 64 * threadIdx.x, i = 0;
  do {
    PWS_LOOP_BOUND(3);
    uint32_t j = 0;
    do {
      PWS_LOOP_BOUND(5);
      x = next_of(table, x);
    } while (++j < m);
  } while (++i < n);
  data[item()] = x;
}

// The inner loop stands in an if whose other side continues.
LOOP_KERNEL do_whiles_with_continue(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], i = 0;
  do {
    PWS_LOOP_BOUND(8);
    if ((i & 3) == 3) continue;
    uint32_t j = 0;
    do {
      PWS_LOOP_BOUND(4);
      if ((x & 0x700) == 0x100) continue;
      x = mixed(x + j);
    } while (++j < m);
  } while (++i < n);
  data[item()] = x;
}
// SPDX-License-Identifier: Apache-2.0
