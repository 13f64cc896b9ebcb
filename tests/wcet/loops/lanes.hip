// Loops whose lanes run them differently often, or that the whole wavefront decides on.
#include <hip/hip_runtime.h>
#include "common.h"
LOOP_KERNEL each_lane_its_own(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  for (uint32_t j = 0; j < threadIdx.x % n + 1; ++j) {
    PWS_LOOP_BOUND(19);
    x = mixed(x + j);
  }
  data[item()] = x;
}

LOOP_KERNEL each_lane_its_own_line(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = threadIdx.x * 64;
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(7);
    x = next_of(table, x);
  }
  data[item()] = x;
}

// Clang keeps the carry of the inner loop's count as the mask of those that leave.
LOOP_KERNEL left_by_a_carry(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  for (uint32_t j = 0; j < threadIdx.x % n + 1; ++j) {
    PWS_LOOP_BOUND(5);
    uint32_t below_zero = ~(threadIdx.x % m);
#pragma unroll 1
    do {
      PWS_LOOP_BOUND(6);
      x = mixed(x + below_zero);
    } while (++below_zero != 0);
  }
  data[item()] = x;
}

// Each lane is at its most in another one of the two loops.
LOOP_KERNEL nest_of_their_own(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  const uint32_t outer = threadIdx.x % 2 ? n : 1, inner = threadIdx.x % 2 ? 1 : m;
  for (uint32_t i = 0; i < outer; ++i) {
    PWS_LOOP_BOUND(5);
    for (uint32_t j = 0; j < inner; ++j) {
      PWS_LOOP_BOUND(6);
      x = mixed(x + j);
    }
  }
  data[item()] = x;
}

// In turn: in every iteration other lanes run the inner loop longest.
LOOP_KERNEL in_turn(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  for (uint32_t i = 0; i < n; ++i) {
    PWS_LOOP_BOUND(5);
    for (uint32_t j = 0; j < ((threadIdx.x + i) % 5 == 0 ? m : 1); ++j) {
      PWS_LOOP_BOUND(6);
      x = mixed(x + j);
    }
  }
  data[item()] = x;
}

LOOP_KERNEL triangle(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  for (uint32_t i = 0; i < n; ++i) {
    PWS_LOOP_BOUND(8);
    for (uint32_t j = 0; j <= i; ++j) {
      PWS_LOOP_BOUND(8);
      x = mixed(x + i * j);
    }
  }
  data[item()] = x;
}

LOOP_KERNEL under_a_divergent_if(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  if (threadIdx.x % 3 != 0) {
    for (uint32_t j = 0; j < n; ++j) {
      PWS_LOOP_BOUND(14);
      x = mixed(x + j);
    }
  }
  data[item()] = x;
}

LOOP_KERNEL in_sides_that_split(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  for (uint32_t i = 0; i < m; ++i) {
    PWS_LOOP_BOUND(3);
    PWS_SPLIT();
    if (x % 2 == 0) {
      for (uint32_t j = 0; j < n; ++j) {
        PWS_LOOP_BOUND(10);
        x = mixed(x + j);
      }
    } else {
      uint32_t j = 0;
      do {
        PWS_LOOP_BOUND(10);
        x = x * 5 + 3 * j;
      } while (++j < n);
    }
  }
  data[item()] = x;
}

LOOP_KERNEL newton(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  const float value = static_cast<float>(item() + 2);
  float root = value, before;
  uint32_t j = 0;
  do {
    PWS_LOOP_BOUND(12);
    before = root;
    root = 0.5f * (root + value / root);
  } while (fabsf(root - before) > 1e-6f * root && ++j < n);
  data[item()] = __float_as_uint(root);
}

LOOP_KERNEL newton_that_never_ends(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  const float value = static_cast<float>(item() + 2);
  float root = value;
  for (uint32_t j = 0; fabsf(root * root - value) >= 0 && j < n; ++j) {
    PWS_LOOP_BOUND(10);
    root = 0.5f * (root + value / root);
  }
  data[item()] = __float_as_uint(root);
}

LOOP_KERNEL binary_search(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t low = 0, high = n;
  const uint32_t wanted = item() * 2;
  while (low < high) {
    PWS_LOOP_BOUND(11);
    const uint32_t middle = (low + high) / 2;
    const uint32_t value = table[(middle + threadIdx.x) * 64 % table_words];
    if (value + middle < value + wanted)
      low = middle + 1;
    else
      high = middle;
  }
  data[item()] = low;
}

LOOP_KERNEL chase(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t at = item();
  for (uint32_t hop = 0; hop < n; ++hop) {
    PWS_LOOP_BOUND(8);
    at = table[at];
  }
  data[item()] = at;
}

LOOP_KERNEL chase_of_all(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t at = m;
  for (uint32_t hop = 0; hop < n; ++hop) {
    PWS_LOOP_BOUND(8);
    at = table[at];
  }
  data[item()] = at;
}

// Until the list's end, which is at most so far: a node per lane before it.
LOOP_KERNEL linked_list(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t length = 0;
  for (uint32_t node = threadIdx.x % n + 1; node != 0;
       node = table[(node + threadIdx.x) * 64 % table_words] == table_words ? 0 : node - 1) {
    PWS_LOOP_BOUND(9);
    ++length;
  }
  data[item()] = length;
}

LOOP_KERNEL greatest_divisor(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t a = n, b = m;  // neighbours in Fibonacci's sequence: the most steps
  if (threadIdx.x % 2) a += 1;
  while (b != 0 && a < 1000) {
    PWS_LOOP_BOUND(11);
    const uint32_t rest = a % b;
    a = b;
    b = rest;
  }
  data[item()] = a;
}

LOOP_KERNEL bits(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t count = 0;
  for (uint32_t rest = threadIdx.x == 63 ? 0xffff : threadIdx.x; rest != 0; rest &= rest - 1) {
    PWS_LOOP_BOUND(16);
    count += mixed(rest);
  }
  data[item()] = count;
}

LOOP_KERNEL any(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], j = 0;
  while (__any(j < n - threadIdx.x % 8)) {
    PWS_LOOP_BOUND(15);
    x = mixed(x + j);
    ++j;
  }
  data[item()] = x;
}

LOOP_KERNEL all(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], j = 0;
  do {
    PWS_LOOP_BOUND(15);
    x = mixed(x + j);
    ++j;
  } while (!__all(j >= n - threadIdx.x % 8));
  data[item()] = x;
}

// One lane's value after the other.
LOOP_KERNEL ballots(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  uint64_t waiting = __ballot(threadIdx.x % 4 == 1);
  while (waiting != 0) {
    PWS_LOOP_BOUND(16);
    const int lane = __ffsll(static_cast<unsigned long long>(waiting)) - 1;
    x += __shfl(static_cast<int>(x), lane);
    waiting &= waiting - 1;
  }
  data[item()] = x;
}

// As many rounds as there are values among the lanes.
LOOP_KERNEL one_value_at_a_time(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()];
  const uint32_t mine = threadIdx.x % n;
  while (true) {
    PWS_LOOP_BOUND(11);
    const uint32_t turn = __builtin_amdgcn_readfirstlane(mine);
    if (turn == mine) {
      x = mixed(x + turn);
      break;
    }
  }
  data[item()] = x;
}

LOOP_KERNEL atomics(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  for (uint32_t j = 0; j < n; ++j) {
    PWS_LOOP_BOUND(4);
    atomicAdd(&data[item()], j);
  }
}

// Until the exchange succeeds; no other work-item wants the word.
LOOP_KERNEL exchanges(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t old = data[item()], assumed, tries = 0;
  do {
    PWS_LOOP_BOUND(3);
    assumed = old;
    old = atomicCAS(&data[item()], tries < n ? ~assumed : assumed, mixed(assumed));
    ++tries;
  } while (tries < m && (old != assumed || tries <= n));
}

LOOP_KERNEL volatile_counter(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  volatile uint32_t* mine = data + item();
  *mine = 0;
  while (*mine < n) {
    PWS_LOOP_BOUND(5);
    *mine = *mine + 1;
  }
}

LOOP_KERNEL with_barriers(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  __shared__ uint32_t shared[64];
  shared[threadIdx.x] = data[item()];
  __syncthreads();
  for (uint32_t stride = 32; stride > n; stride /= 2) {
    PWS_LOOP_BOUND(6);
    if (threadIdx.x < stride) shared[threadIdx.x] += shared[threadIdx.x + stride];
    __syncthreads();
  }
  data[item()] = shared[threadIdx.x];
}

// The same iterations of the outer loop decide all: a table of limits.
LOOP_KERNEL rows_of_a_table(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t sum = 0;
  for (uint32_t row = 0; row < n; ++row) {
    PWS_LOOP_BOUND(5);
    const uint32_t begin = row * m, end = begin + min(table[row] + m, m);
    for (uint32_t k = begin; k < end; ++k) {
      PWS_LOOP_BOUND(6);
      sum += table[(k * 64 + threadIdx.x) % table_words];
    }
  }
  data[item()] = sum;
}
// SPDX-License-Identifier: Apache-2.0
