// Accesses of which nothing is known but the buffer that their pointer is of. Each kernel takes (data, table, n, m): a word
// per work-item that decides where it goes, a table, and two numbers. buffers_test.cpp has what they are launched with.
#include <hip/hip_runtime.h>
#include <pws.h>

#include <cstdint>

#define BUFFER_KERNEL extern "C" __global__ __launch_bounds__(64) void

__device__ __forceinline__ uint32_t item() {
  return blockIdx.x * 64 + threadIdx.x;
}

BUFFER_KERNEL gather(uint32_t* data, uint32_t* table, uint32_t n, uint32_t m) {
  data[item()] = table[data[item()] % n] + m;
}

// At a distance from the work-item's own place in the table: with some distances outside of it.
BUFFER_KERNEL gather_behind(uint32_t* data, uint32_t* table, uint32_t n, int m) {
  data[item()] = table[static_cast<int>(data[item()] % n) + m];
}

// Neither buffer alone.
BUFFER_KERNEL either_buffer(uint32_t* data, uint32_t* table, uint32_t n, uint32_t m) {
  const uint32_t x = data[item()];
  const uint32_t* from = x & 1024 ? table : data;
  data[item()] = from[x % n] + m;
}

// One workgroup has another pointer, which is reckoned in a way that is not followed.
BUFFER_KERNEL by_group(uint32_t* data, uint32_t* table, uint32_t n, uint32_t m) {
  const uint32_t* from = table;
  if (blockIdx.x == 3) from = reinterpret_cast<const uint32_t*>(reinterpret_cast<uintptr_t>(data) * m);
  data[item()] = from[data[item()] % n];
}

// Sums of two pointers, less one of them that has gone through a multiplication by n = 1, which is not followed.
__device__ __forceinline__ uintptr_t address(const uint32_t* p) {
  return reinterpret_cast<uintptr_t>(p);
}
__device__ __forceinline__ const uint32_t* pointer(uintptr_t a) {
  return reinterpret_cast<const uint32_t*>(a);
}
BUFFER_KERNEL sum_that_is_data(uint32_t* data, uint32_t* table, uint32_t n, uint32_t m) {
  const uint32_t* from = pointer(address(data) + address(table) - address(table) * n);
  data[item()] = from[data[item()] % m];
}
BUFFER_KERNEL sum_that_is_the_table(uint32_t* data, uint32_t* table, uint32_t n, uint32_t m) {
  const uint32_t* from = pointer(address(data) + address(table) - address(data) * n);
  data[item()] = from[data[item()] % m];
}
// A distance between pointers, and from somewhere else on by as much.
BUFFER_KERNEL by_a_distance(uint32_t* data, uint32_t* table, uint32_t n, uint32_t m) {
  const uint32_t* from = pointer(address(data) - address(table) + (2 * address(table) - address(data)) * n);
  data[item()] = from[data[item()] % m];
}
BUFFER_KERNEL by_the_other_distance(uint32_t* data, uint32_t* table, uint32_t n, uint32_t m) {
  const uint32_t* from = pointer(address(table) - address(data) + (2 * address(data) - address(table)) * n);
  data[item()] = from[data[item()] % m];
}
// Each lane chooses: the one is followed, the other is not.
BUFFER_KERNEL followed_or_not(uint32_t* data, uint32_t* table, uint32_t n, uint32_t m) {
  const uint32_t x = data[item()];
  const uint32_t* from = x & 1024 ? table : pointer(address(data) * n);
  data[item()] = from[x % m];
}

// One private address in all lanes, which may be one of the table: what is read there is each lane's own.
BUFFER_KERNEL own_words(uint32_t* data, uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t own[8];
  for (uint32_t k = 0; k < 8; ++k) own[(k + m) % 8] = data[item()] % 1024;
  const uint32_t* from = n != 0 ? own : table;
  data[item()] = table[from[m % 8]];
}

// Bins that lanes add to.
BUFFER_KERNEL histogram(uint32_t* data, uint32_t* table, uint32_t n, uint32_t m) {
  atomicAdd(&table[data[item()] % n], m);
}

// A way through the table that each work-item goes for so long as its own word says.
BUFFER_KERNEL walk(uint32_t* data, uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()] % n;
#pragma unroll 1
  for (uint32_t k = data[item()] % m; k > 0; --k) {
    PWS_LOOP_BOUND(8);
    x = table[x] % n;
  }
  data[item()] = x;
}

// A pointer that goes on by itself in a uniform loop, and what is read there by each lane.
BUFFER_KERNEL rows(uint32_t* data, uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()], sum = 0;
#pragma unroll 1
  for (uint32_t k = 0; k < n; ++k, table += m) {
    PWS_LOOP_BOUND(8);
    sum += table[x % m];
  }
  data[item()] = sum;
}

// Two words at a place that may be the last but one.
BUFFER_KERNEL pairs(uint32_t* data, uint2* table, uint32_t n, uint32_t m) {
  const uint2 x = table[data[item()] % n];
  data[item()] = x.x + x.y + m;
}

// A row of LDS that each lane chooses, in a column of its own.
BUFFER_KERNEL columns_of_lds(uint32_t* data, uint32_t* table, uint32_t n, uint32_t m) {
  __shared__ uint32_t row[16][64];
  const uint32_t x = data[item()] % n;
  row[x][threadIdx.x] = table[0];
  data[item()] = row[(x + m) % n][threadIdx.x];
}

// The same with rows of two words: 32 lanes touch each bank twice.
BUFFER_KERNEL columns_of_two(uint32_t* data, uint32_t* table, uint32_t n, uint32_t m) {
  __shared__ uint2 row[16][64];
  const uint32_t x = data[item()] % n;
  row[x][threadIdx.x] = make_uint2(table[0], table[1]);
  const uint2 y = row[(x + m) % n][threadIdx.x];
  data[item()] = y.x + y.y;
}

// LDS that is smaller than the lanes are many.
BUFFER_KERNEL small_lds(uint32_t* data, uint32_t* table, uint32_t n, uint32_t m) {
  __shared__ uint32_t bins[64];
  bins[threadIdx.x] = table[0];
  __syncthreads();
  atomicAdd(&bins[data[item()] % n], m);
  __syncthreads();
  data[item()] = bins[threadIdx.x];
}

// Numbers of which a compare says that they are small, in one register and the other: in each lane that it lets through.
BUFFER_KERNEL below(uint32_t* data, uint32_t* table, uint32_t n, uint32_t m) {
  const uint32_t x = data[item()] % (3 * n);
  if (x < n) data[item()] = table[x] + m;
}
BUFFER_KERNEL not_above(uint32_t* data, uint32_t* table, uint32_t n, uint32_t m) {
  const uint32_t x = data[item()] % (3 * n);
  if (n >= x) data[item()] = table[x] + m;
}
BUFFER_KERNEL from_the_end(uint32_t* data, uint32_t* table, uint32_t n, uint32_t m) {
  const uint32_t x = ~(data[item()] % (3 * n));
  if (x > ~n) data[item()] = table[~x] + m;
}
BUFFER_KERNEL negative_ones(uint32_t* data, const int* table, int n, int m) {
  const int x = static_cast<int>(data[item()] | 0x80000000);
  if (x > -n) data[item()] = table[n + x] + m;
}
BUFFER_KERNEL the_same(uint32_t* data, uint32_t* table, uint32_t n, uint32_t m) {
  const uint32_t x = data[item()] % (3 * n);
  if (x == m) data[item()] = table[x];
}
// Two numbers where n is the last but two, in lines of their own.
BUFFER_KERNEL last_two(uint32_t* data, uint32_t* table, uint32_t n, uint32_t m) {
  const uint32_t x = data[item()];
  if (x > n) data[item()] = table[64 * (x - n - 1)] + m;
}
// What is then read goes on from there: twice as far.
BUFFER_KERNEL below_and_on(uint32_t* data, uint32_t* table, uint32_t n, uint32_t m) {
  uint32_t x = data[item()] % (3 * n);
  if (x < n) {
    x += x % m;
    data[item()] = table[x];
  }
}
// Behind the branch, and on its other side, the number may be any again.
BUFFER_KERNEL behind_the_compare(uint32_t* data, uint32_t* table, uint32_t n, uint32_t m) {
  const uint32_t x = data[item()] % (3 * n);
  uint32_t sum = 0;
  if (x < n) {
    sum = table[x] % m;
  } else {
    sum = table[x / 2] * m;
  }
  data[item()] = sum + table[x];
}
// Words of LDS that fit in all banks together.
BUFFER_KERNEL below_in_lds(uint32_t* data, uint32_t* table, uint32_t n, uint32_t m) {
  __shared__ uint32_t words[1024];
#pragma unroll 1
  for (uint32_t k = threadIdx.x; k < 1024; k += 64) {
    PWS_LOOP_BOUND(16);
    words[k] = table[k] + m;
  }
  const uint32_t x = data[item()] % (3 * n);
  if (x < n) data[item()] = words[x];
}
// SPDX-License-Identifier: Apache-2.0
