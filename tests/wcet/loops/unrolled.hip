// Loops whose bodies the compiler copies: unrolled, peeled, unswitched, split; each copy has its anchor.
#include <hip/hip_runtime.h>
#include "common.h"
LOOP_KERNEL unrolled_by_2(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
#pragma unroll 2
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(17);
    x = mixed(x + j);
  }
  data[item()] = x;
}

LOOP_KERNEL unrolled_by_3(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
#pragma unroll 3
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(20);
    x = mixed(x + j);
  }
  data[item()] = x;
}

LOOP_KERNEL unrolled_by_4(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
#pragma unroll 4
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(23);
    x = mixed(x + j);
  }
  data[item()] = x;
}

// With fewer iterations than copies: only the loop for what remains runs.
LOOP_KERNEL unrolled_by_8_of_7(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
#pragma unroll 8
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(7);
    x = mixed(x + j);
  }
  data[item()] = x;
}

// The number of iterations is known and no multiple.
LOOP_KERNEL unrolled_by_4_of_22(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
#pragma unroll 4
  for (uint32_t j = 0; j < 22; ++j) {
    PWS_LOOP_BOUND(22);
    x = mixed(x + j * n);
  }
  data[item()] = x;
}

// With an exit that stays in every copy.
LOOP_KERNEL unrolled_with_break(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
#pragma unroll 4
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(21);
    x = mixed(x + j);
    if (x == 0x3039) break;
    x ^= j;
  }
  data[item()] = x;
}

// While loops have no count: each copy tests.
LOOP_KERNEL unrolled_while(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], j = 0;
#pragma unroll 3
  while (mixed(x) != 0x3039 && j < n) {
    PWS_LOOP_BOUND(13);
    x += ++j;
  }
  data[item()] = x;
}

LOOP_KERNEL unrolled_divergent(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  const uint32_t mine = n - threadIdx.x % 7;
#pragma unroll 4
  for (uint32_t j = 0; j < mine; ++j) {
    PWS_LOOP_BOUND(23);
    x = mixed(x + j);
  }
  data[item()] = x;
}

LOOP_KERNEL unrolled_completely(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
#pragma unroll
  for (uint32_t j = 0; j < 9; ++j) {
    PWS_LOOP_BOUND(9);
    x = mixed(x + j * n);
  }
  data[item()] = x;
}

LOOP_KERNEL unrolled_completely_in_a_loop(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
#pragma unroll 1
  for (uint32_t i = 0; i < n; ++i) {
    PWS_LOOP_BOUND(6);
#pragma unroll
    for (uint32_t j = 0; j < 5; ++j) {
      PWS_LOOP_BOUND(5);
      x = mixed(x + i * j);
    }
  }
  data[item()] = x;
}

LOOP_KERNEL unrolled_around_a_loop(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
#pragma unroll 2
  for (uint32_t i = 0; i < n; ++i) {
    PWS_LOOP_BOUND(7);
#pragma unroll 1
    for (uint32_t j = 0; j < m; ++j) {
      PWS_LOOP_BOUND(5);
      x = mixed(x + i * j);
    }
  }
  data[item()] = x;
}

LOOP_KERNEL unrolled_both(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
#pragma unroll 2
  for (uint32_t i = 0; i < n; ++i) {
    PWS_LOOP_BOUND(5);
#pragma unroll 3
    for (uint32_t j = 0; j < m; ++j) {
      PWS_LOOP_BOUND(7);
      x = mixed(x + i * j);
    }
  }
  data[item()] = x;
}

// Unrolled loads are all on their way at the same time.
LOOP_KERNEL unrolled_loads(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  for (uint32_t i = 0; i < n; ++i) {
    PWS_LOOP_BOUND(6);
#pragma unroll 4
    for (uint32_t j = 0; j < m; ++j) {
      PWS_LOOP_BOUND(8);
      x += table[(i * 8 + j) * 64 % table_words + threadIdx.x];
    }
  }
  data[item()] = x;
}

LOOP_KERNEL unroll_1(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
#pragma unroll 1
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(12);
    x = mixed(x + j);
  }
  data[item()] = x;
}

LOOP_KERNEL unroll_disabled(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
#pragma clang loop unroll(disable)
  for (uint32_t j = 0; j < 12; ++j) {
    PWS_LOOP_BOUND(12);
    x = mixed(x + j * n);
  }
  data[item()] = x;
}

LOOP_KERNEL vector_length(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
#pragma clang loop vectorize(enable) vectorize_width(4) interleave_count(2)
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(32);
    x += table[j] * 3;
  }
  data[item()] = x;
}

// The first iteration is another: a candidate for peeling.
LOOP_KERNEL first_is_different(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], before = 0;
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(16);
    if (j == 0) {
      before = mixed(mixed(mixed(x)));
    } else {
      x = mixed(x + before);
    }
  }
  data[item()] = x + before;
}

LOOP_KERNEL first_two_are_different(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], before = 0, last = 7;
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(16);
    x = mixed(x + before);
    before = last;  // what it holds is the same from the third iteration on
    last = 11;
    if (j < 2) x = mixed(x ^ 5);
  }
  data[item()] = x;
}

LOOP_KERNEL last_is_different(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(16);
    x = j + 1 == n ? mixed(mixed(x)) : mixed(x + j);
  }
  data[item()] = x;
}

// The condition moves out, and a loop for each of its values stays.
LOOP_KERNEL unswitched(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(16);
    if (m == 1) {
      x = mixed(x + j);
    } else if (m == 2) {
      data[item()] = x;
      x = mixed(mixed(x));
    } else {
      x = mixed(next_of(table, x));
    }
  }
  data[item()] = x;
}

// The first part of the iterations takes one side, the second the other.
LOOP_KERNEL split_by_index(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(16);
    if (j < m)
      x = mixed(x + j);
    else
      x = mixed(x ^ mixed(j));
  }
  data[item()] = x;
}

// A count that the compiler knows without the loop, and stores that it knows as a fill.
LOOP_KERNEL foreseen(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t sum = 0;
  uint32_t words[8];
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(30);
    sum += j;
  }
  for (uint32_t j = 0; j < 8; ++j) {
    PWS_LOOP_BOUND(8);
    words[j] = 0;
  }
  words[n % 8] = sum;
  data[item()] = words[m % 8];
}

LOOP_KERNEL one_after_the_other(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], y = x + 1;
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(10);
    x = mixed(x + j);
  }
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(10);
    y = mixed(y + j);
  }
  uint32_t k = 0;
  for (; k < n; ++k) {
    PWS_LOOP_BOUND(10);
    x += y;
    y = mixed(y);
  }
  for (; k < m; ++k) {
    PWS_LOOP_BOUND(12);
    y ^= mixed(x);
  }
  data[item()] = x ^ y;
}

LOOP_KERNEL dead_loop(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  if (sizeof(x) == 8) {
    for (uint32_t j = 0; j < n; ++j) {
      PWS_LOOP_BOUND(10);
      x = mixed(x);
    }
  }
  for (uint32_t j = 3; j < 3; ++j) {
    PWS_LOOP_BOUND(10);
    x = mixed(x);
  }
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(5);
    x = mixed(x);
    if (false) {
      while (x > 1) {
        PWS_LOOP_BOUND(2);
        x /= 2;
      }
    }
  }
  data[item()] = x;
}
// SPDX-License-Identifier: Apache-2.0
