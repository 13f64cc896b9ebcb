// Loops in functions that are inlined, more than once and with other bounds.
#include <hip/hip_runtime.h>
#include "common.h"
template <uint32_t most>
__device__ __forceinline__ uint32_t rounds_of(uint32_t x, uint32_t n) {
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(most);
    x = mixed(x + j);
  }
  return x;
}
__device__ __forceinline__ uint32_t rounds(uint32_t x, uint32_t n) {
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(8);
    x = mixed(x + j);
  }
  return x;
}
__device__ inline uint32_t first_above(uint32_t x, uint32_t n, uint32_t limit) {
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(10);
    x = mixed(x + j);
    if (x > limit) return x;
  }
  return 0;
}

LOOP_KERNEL two_instances(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  data[item()] = rounds_of<3>(rounds_of<20>(data[item()], n), m);
}

LOOP_KERNEL twice(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  data[item()] = rounds(rounds(data[item()], n) + 1, m);
}

LOOP_KERNEL in_a_loop(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = rounds(data[item()], m);
  for (uint32_t i = 0; i < n; ++i) {
    PWS_LOOP_BOUND(6);
    x = rounds(x, m);
  }
  data[item()] = x;
}

LOOP_KERNEL in_both_sides(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  PWS_SPLIT();
  if (x % 2 == 0) {
    x = rounds(x, n);
  } else {
    x = rounds(x + 5, m) * 3;
  }
  data[item()] = x;
}

LOOP_KERNEL in_a_test(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], i = 0;
  while (i < n && rounds(x + i, m) != 0x3039) {
    PWS_LOOP_BOUND(5);
    x = mixed(x);
    ++i;
  }
  data[item()] = x;
}

LOOP_KERNEL that_returns_early(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  for (uint32_t i = 0; i < m; ++i) {
    PWS_LOOP_BOUND(3);
    x += first_above(x, n, 0xffffffff);
  }
  data[item()] = x + first_above(x, n, 0xfffffff0);
}

LOOP_KERNEL lambda(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  const auto work = [=](uint32_t x, uint32_t times) {
    while (times != 0) {
      PWS_LOOP_BOUND(9);
      x = mixed(x + times);
      --times;
    }
    return x;
  };
  uint32_t x = work(data[item()], n);
  for (uint32_t i = 0; i < m; ++i) {
    PWS_LOOP_BOUND(4);
    x = work(x, n);
  }
  data[item()] = x;
}

LOOP_KERNEL generic_lambda(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  const auto work = [=](auto x, uint32_t times) {
    for (uint32_t j = 0; j < times; ++j) {
      PWS_LOOP_BOUND(sizeof(x) == 8 ? 4 : 12);
      x = x * 5 + j;
    }
    return x;
  };
  data[item()] = work(data[item()], n) + static_cast<uint32_t>(work(uint64_t{data[item()]}, m) >> 5);
}

// Each instance has its own bound, and holds the next one.
template <uint32_t depth>
__device__ __forceinline__ uint32_t nest(uint32_t x, uint32_t n) {
  for (uint32_t j = 0; j < n + depth; ++j) {
    PWS_LOOP_BOUND(2 + depth);
    if constexpr (depth > 0)
      x = nest<depth - 1>(x, n);
    else
      x = mixed(x + j);
  }
  return x;
}
LOOP_KERNEL nest_of_instances(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  data[item()] = nest<3>(data[item()], n);
}

struct walker {
  const uint32_t* table;
  uint32_t at;
  __device__ void walk(uint32_t steps) {
    for (; steps > 0; --steps) {
      PWS_LOOP_BOUND(6);
      at = next_of(table, at);
    }
  }
};
LOOP_KERNEL member(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  walker one{table, item()}, two{table, item() + 7};
  one.walk(n);
  two.walk(m);
  one.walk(m);
  data[item()] = one.at + two.at;
}

// What a function is given decides how often, and what it does is the same.
template <class F>
__device__ __forceinline__ void repeat(uint32_t n, F f) {
  uint32_t k = 0;
  do {
    PWS_LOOP_BOUND(5);
    f(k);
  } while (++k < n);
}
LOOP_KERNEL passed_on(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  repeat(n, [&](uint32_t a) { repeat(m, [&](uint32_t b) { x = mixed(x + a * b); }); });
  repeat(m, [&](uint32_t a) { x ^= mixed(a); });
  data[item()] = x;
}
// SPDX-License-Identifier: Apache-2.0
