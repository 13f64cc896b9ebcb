// Where a loop's test stands, and how often it is executed: once more than the body, or as often.
#include <hip/hip_runtime.h>
#include "common.h"
// Not rotated: the test is too long to be copied, so that its block runs n + 1 times.
LOOP_KERNEL test_that_is_not_copied(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], j = 0;
  while (mixed(mixed(mixed(mixed(x + j)))) != 0x3039 && j < n) {
    PWS_LOOP_BOUND(15);
    ++j;
  }
  data[item()] = x + j;
}

LOOP_KERNEL test_that_is_not_copied_once(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], j = 0;
  while (mixed(mixed(mixed(mixed(x + j)))) != 0x3039 && j < n) {
    PWS_LOOP_BOUND(1);
    ++j;
  }
  data[item()] = x + j;
}

LOOP_KERNEL test_that_loads(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()] % table_words, j = 0;
  while (next_of(table, x) != table_words && j < n) {
    PWS_LOOP_BOUND(10);
    x = next_of(table, x);
    ++j;
  }
  data[item()] = x;
}

LOOP_KERNEL test_of_three_parts(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], j = 0;
  while (j < n && (mixed(x) != 77 || mixed(x + 1) != 78) && mixed(x + j) != 79) {
    PWS_LOOP_BOUND(12);
    x += j;
    ++j;
  }
  data[item()] = x;
}

LOOP_KERNEL test_that_counts(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], j = n;
  while (j-- != 0) {
    PWS_LOOP_BOUND(18);
    x = mixed(x + j);
  }
  data[item()] = x;
}

LOOP_KERNEL test_with_a_comma(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], j = 0;
  for (; x = mixed(x), j < n; ++j) {
    PWS_LOOP_BOUND(11);
    x += j;
  }
  data[item()] = x;
}

LOOP_KERNEL for_loop(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(20);
    x = mixed(x + j);
  }
  data[item()] = x;
}

LOOP_KERNEL do_loop(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], j = 0;
  do {
    PWS_LOOP_BOUND(20);
    x = mixed(x + j);
  } while (++j < n);
  data[item()] = x;
}

LOOP_KERNEL do_loop_once(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], j = 0;
  do {
    PWS_LOOP_BOUND(1);
    x = mixed(x + j);
  } while (++j < n);
  data[item()] = x;
}

LOOP_KERNEL never_reaches_its_body(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  for (uint32_t j = 0; j < m; ++j) {
    PWS_LOOP_BOUND(1);
    x = mixed(x + j);
  }
  data[item()] = x;
}

// In the middle: the half before it runs once more than the half behind it.
LOOP_KERNEL left_in_the_middle(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], j = 0;
  for (;;) {
    PWS_LOOP_BOUND(14);
    x = mixed(mixed(mixed(x + j)));
    if (++j == n) break;
    x = mixed(mixed(x ^ j));
  }
  data[item()] = x;
}

LOOP_KERNEL left_in_two_places(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], j = 0;
  while (true) {
    PWS_LOOP_BOUND(14);
    x = mixed(x + j);
    if (x == 0x3039) break;
    x = mixed(x ^ j);
    if (++j == n) break;
    x = mixed(x - j);
  }
  data[item()] = x;
}

// Some lanes leave at one place and some at the other.
LOOP_KERNEL left_in_two_places_by_lane(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], j = 0;
  while (true) {
    PWS_LOOP_BOUND(14);
    x = mixed(x + j);
    if (threadIdx.x % 2 == 0 && j == threadIdx.x % n) break;
    x = mixed(x ^ j);
    if (++j == n) {
      x = mixed(x);
      break;
    }
  }
  data[item()] = x;
}

LOOP_KERNEL body_of_a_mark_only(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(9);
  }
  while ((x = mixed(x + n)) % 64 == 64) {
    PWS_LOOP_BOUND(3);
  }
  data[item()] = x;
}

LOOP_KERNEL body_under_an_if(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(16);
    if ((threadIdx.x + j) % 3 == 0) x = mixed(mixed(x + j));
  }
  data[item()] = x;
}

LOOP_KERNEL counts_down_by_three(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  int32_t x = static_cast<int32_t>(data[item()]);
  for (int32_t j = static_cast<int32_t>(n); j > 0; j -= 3) {
    PWS_LOOP_BOUND(10);
    x += static_cast<int32_t>(mixed(static_cast<uint32_t>(x + j)));
  }
  data[item()] = static_cast<uint32_t>(x);
}

LOOP_KERNEL counts_in_64_bits(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint64_t x = data[item()];
  for (uint64_t j = 1; j < uint64_t{1} << n; j <<= 1) {
    PWS_LOOP_BOUND(40);
    x = x * 5 + j;
  }
  data[item()] = static_cast<uint32_t>(x >> 7);
}

LOOP_KERNEL counts_in_float(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  for (float f = 0; f < static_cast<float>(n); f += 0.5f) {
    PWS_LOOP_BOUND(16);
    x = mixed(x + static_cast<uint32_t>(f));
  }
  data[item()] = x;
}

LOOP_KERNEL two_counters(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  for (uint32_t low = 0, high = n; low < high; ++low, high -= 2) {
    PWS_LOOP_BOUND(10);
    x = mixed(x + low * high);
  }
  data[item()] = x;
}

// Far more than ever happens.
LOOP_KERNEL bound_of_a_million(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(1000000);
    x = mixed(x + j);
  }
  data[item()] = x;
}
// SPDX-License-Identifier: Apache-2.0
