// What follows from a launch's arguments and from each wavefront's own work-items: kernels with one cause each that the
// bound would be loose for if it did not follow. known_launches_test.cpp has what they are launched with.
#include "common.h"

#define KNOWN_KERNEL extern "C" __global__ __launch_bounds__(256) void

__device__ __forceinline__ uint32_t place() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

// One side is never taken by any wavefront.
KNOWN_KERNEL branch_on_argument(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[place()];
  if (n > 100) {
#pragma unroll 1
    for (uint32_t k = 0; k < 64; ++k) {
      PWS_LOOP_BOUND(64);
      x = next_of(table, x);
    }
  }
  data[place()] = x + m;
}

// The mark allows 64 iterations, the argument has fewer.
KNOWN_KERNEL count_from_argument(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[place()] + m;
#pragma unroll 1
  for (uint32_t k = 0; k < n; ++k) {
    PWS_LOOP_BOUND(64);
    x += table[k * 64 + threadIdx.x % 64];
  }
  data[place()] = x;
}

// More iterations than are told apart, or just as many.
KNOWN_KERNEL many_iterations(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[place()] + m;
#pragma unroll 1
  for (uint32_t k = 0; k < n; ++k) {
    PWS_LOOP_BOUND(130);
    x += table[k % 16 * 64 + threadIdx.x % 64];
  }
  data[place()] = x;
}

KNOWN_KERNEL two_pointers(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  const uint32_t* from = table + 1024;
  uint32_t at = place();
  if (place() % 64 < n) {
    from = table;
    at = place() * 2 + m;
  }
  data[place()] = from[at];
}

// Neighbours within a line of n words; at its ends the work-item's own.
KNOWN_KERNEL neighbours(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  const int x = static_cast<int>(place()), last = static_cast<int>(n) - 1;
  const uint32_t left = table[max(x - 1, 0)], right = table[min(x + 1, last)];
  const uint32_t far = table[max(min(x - static_cast<int>(m), last), 0)];
  data[place()] = left ^ right * 3 ^ far;
}

// Mirrored at 0, with numbers below it.
KNOWN_KERNEL mirrored(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  int x = static_cast<int>(place()) - static_cast<int>(n);
  if (x < 0) x = -x;
  const uint32_t wraps = (place() - m) >> 24;  // 0 or 255
  data[place()] = table[x] + table[wraps];
}

KNOWN_KERNEL rows_and_columns(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  const uint32_t row = place() / n, column = place() % n;
  data[place()] = table[(row * 64 + column) % table_words] + m;
}

// The first workgroup takes most.
KNOWN_KERNEL fewer_each_time(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[place()] + m;
#pragma unroll 1
  for (uint32_t k = 8 * blockIdx.x; k < n; ++k) {
    PWS_LOOP_BOUND(64);
    x += table[k % 16 * 64 + threadIdx.x % 64];
  }
  data[place()] = x;
}

// So many iterations together that those of the innermost loop are not told apart where n is large.
KNOWN_KERNEL nest_of_three(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[place()] + m;
#pragma unroll 1
  for (uint32_t i = 0; i < n; ++i) {
    PWS_LOOP_BOUND(64);
#pragma unroll 1
    for (uint32_t j = i; j < n; ++j) {
      PWS_LOOP_BOUND(64);
#pragma unroll 1
      for (uint32_t k = 0; k < j; ++k) {
        PWS_LOOP_BOUND(64);
        x += table[(i + j + k) % 16 * 64 + threadIdx.x % 64];
      }
    }
  }
  data[place()] = x;
}

KNOWN_KERNEL triangle_of_loads(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[place()] + m;
#pragma unroll 1
  for (uint32_t i = 0; i < n; ++i) {
    PWS_LOOP_BOUND(12);
#pragma unroll 1
    for (uint32_t j = 0; j <= i; ++j) {
      PWS_LOOP_BOUND(12);
      x += table[(i * 12 + j) * 16 + threadIdx.x % 16];
    }
  }
  data[place()] = x;
}

// Work-items leave one by one.
KNOWN_KERNEL leave_one_by_one(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = m;
#pragma unroll 1
  for (uint32_t j = threadIdx.x % 64; j < n; j += 5) {
    PWS_LOOP_BOUND(13);
    x += table[j * 2];
  }
  data[place()] = x;
}

// What data decide stands between what arguments decide.
KNOWN_KERNEL with_data(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[place()];
#pragma unroll 1
  for (uint32_t j = threadIdx.x % 8; j < n; j += 2) {
    PWS_LOOP_BOUND(32);
    if (x % 3 == 0)
      x += table[j + 64];
    else
      x = x * m + table[j];
    if (x % 5 == 1) break;
  }
  if (place() % 64 < n) x ^= table[place() % 32];
  data[place()] = x;
}

// Barriers: a wavefront has its own number of iterations between them.
KNOWN_KERNEL with_barriers(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  __shared__ uint32_t sum[256];
  uint32_t x = m;
#pragma unroll 1
  for (uint32_t round = 0; round < 4; ++round) {
    PWS_LOOP_BOUND(4);
    // One wavefront in turn has most.
    const uint32_t mine = (threadIdx.x / 64) % 4 == round ? n : 1;
#pragma unroll 1
    for (uint32_t k = 0; k < mine; ++k) {
      PWS_LOOP_BOUND(16);
      x += table[k * 64 + threadIdx.x % 64];
    }
    sum[threadIdx.x] = x;
    __syncthreads();
    x ^= sum[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();
  }
  data[place()] = x;
}

// Columns of a box, n wide, that a work-item each walks down through m layers: inside the box two neighbours in a row
// are added, at its rim one of them, in another way at each side. Some work-items of a wavefront have no column.
KNOWN_KERNEL walk_along_rims(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {
  const uint32_t width = 40, layer = 480;
  const uint32_t x = place() % width, y = place() / width;
  if (x >= n) return;
  uint32_t sum = 0, cell = y * width + x;
#pragma unroll 1
  for (uint32_t z = 0; z < m; ++z) {
    PWS_LOOP_BOUND(7);
    if (x != 0 && x != n - 1 && y != 0 && z != 0) {
      sum += table[cell - 1] + table[cell + 1] + table[cell - width];
    } else {
      if (x == 0)
        sum += 2 * table[cell + 1];
      else
        sum += 3 * table[cell - 1] + sum % 7;
      if (y == 0)
        sum ^= 5 * table[cell + width];
      else
        sum += table[cell] % 11;
    }
    sum += table[cell];
    cell += layer;
  }
  data[place()] = sum;
}
// SPDX-License-Identifier: Apache-2.0
