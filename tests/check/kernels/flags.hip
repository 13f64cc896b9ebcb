// Flags by which wavefronts of a workgroup hand something over in LDS, and twins in which they do not. As ordering.hip
// says it; these also have the same findings without optimisation.
#include <hip/hip_runtime.h>

#define RELEASE(flag) __hip_atomic_store(&flag, 1u, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_WORKGROUP)
#define RELAXED(flag) __hip_atomic_store(&flag, 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP)
#define ACQUIRED(flag) __hip_atomic_load(&flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_WORKGROUP)
#define SEEN(flag) __hip_atomic_load(&flag, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP)

// Two wavefronts of a workgroup: the one that writes, and the one that reads.
#define HAND_OVER(name, write, read)                          \
  extern "C" __global__ void name(unsigned* a, unsigned* b) { \
    __shared__ unsigned data, flag;                           \
    if (threadIdx.x == 0) flag = 0;                           \
    __syncthreads();                                          \
    if (threadIdx.x == 0) {                                   \
      write;                                                  \
    } else if (threadIdx.x == 64) {                           \
      read;                                                   \
    }                                                         \
  }

// flag_in_lds: grid 512 workgroup 128; finds: nothing
HAND_OVER(
    flag_in_lds, data = a[blockIdx.x] + 7; RELEASE(flag), while (ACQUIRED(flag) == 0) {} b[blockIdx.x] = data)

// flag_with_fences: grid 512 workgroup 128; finds: nothing
HAND_OVER(
    flag_with_fences, data = a[blockIdx.x] + 7; __threadfence_block();
    RELAXED(flag), while (SEEN(flag) == 0) {} __threadfence_block(); b[blockIdx.x] = data)

// flag_by_atomics: grid 512 workgroup 128; finds: nothing
HAND_OVER(
    flag_by_atomics, data = a[blockIdx.x] + 7; __threadfence_block();
    atomicExch(&flag, 1u), while (atomicAdd(&flag, 0u) == 0) {} __threadfence_block(); b[blockIdx.x] = data)

// flag_of_all_scopes: grid 512 workgroup 128; finds: nothing
HAND_OVER(
    flag_of_all_scopes, data = a[blockIdx.x] + 7;
    __atomic_store_n(&flag, 1u, __ATOMIC_RELEASE),
    while (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) == 0) {} b[blockIdx.x] = data)

// volatile_flag: grid 512 workgroup 128; finds: nothing
HAND_OVER(
    volatile_flag, data = a[blockIdx.x] + 7; __threadfence_block();
    *(volatile unsigned*)& flag = 1, while (*(volatile unsigned*)&flag == 0) {} __threadfence_block();
    b[blockIdx.x] = data)

// flag_for_memory: grid 512 workgroup 128; finds: nothing
HAND_OVER(
    flag_for_memory, a[blockIdx.x] = 7; __threadfence_block();
    RELAXED(flag), while (SEEN(flag) == 0) {} __threadfence_block(); b[blockIdx.x] = a[blockIdx.x])

// flag_handed_back: grid 512 workgroup 128; finds: nothing
HAND_OVER(
    flag_handed_back,
    for (unsigned k = 1; k < 9; k += 2) {
      while (ACQUIRED(flag) != k - 1) {
      }
      data = k;
      __hip_atomic_store(&flag, k, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_WORKGROUP);
    },
    for (unsigned k = 1; k < 9; k += 2) {
      while (ACQUIRED(flag) != k) {
      }
      b[blockIdx.x] += data;
      __hip_atomic_store(&flag, k + 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_WORKGROUP);
    })

// The compiler tests once before the loop.
// flag_waited_for_asleep: grid 512 workgroup 128; finds: nothing
HAND_OVER(flag_waited_for_asleep, data = a[blockIdx.x] + 7;
          RELEASE(flag), while (ACQUIRED(flag) != 1) __builtin_amdgcn_s_sleep(1); b[blockIdx.x] = data)

// flag_waited_for_asleep_after_the_data: grid 512 workgroup 128; finds: race_read_write
HAND_OVER(flag_waited_for_asleep_after_the_data, data = a[blockIdx.x] + 7;
          RELEASE(flag), const unsigned early = *(volatile unsigned*)&data;
          while (ACQUIRED(flag) != 1) __builtin_amdgcn_s_sleep(1); b[blockIdx.x] = early)

// What is looked at before it is waited for, whatever it says, is data.
// flag_looked_at_and_waited_for: grid 512 workgroup 128; finds: race_read_write
HAND_OVER(flag_looked_at_and_waited_for, data = a[blockIdx.x] + 7;
          RELEASE(flag), if (SEEN(flag) != 0) b[blockIdx.x + 512] = 1;
          while (ACQUIRED(flag) != 1) __builtin_amdgcn_s_sleep(1); b[blockIdx.x] = data)

// flag_before_the_data: grid 512 workgroup 128; finds: race_read_write
HAND_OVER(
    flag_before_the_data, RELEASE(flag); data = a[blockIdx.x] + 7, while (ACQUIRED(flag) == 0) {} b[blockIdx.x] = data)

// data_read_before_the_flag: grid 512 workgroup 128; finds: race_read_write
HAND_OVER(
    data_read_before_the_flag, data = a[blockIdx.x] + 7;
    RELEASE(flag), const unsigned early = *(volatile unsigned*)&data;
    while (ACQUIRED(flag) == 0) {} b[blockIdx.x] = early)

// data_is_written_again: grid 512 workgroup 128; finds: race_read_write
HAND_OVER(
    data_is_written_again, data = a[blockIdx.x] + 7; RELEASE(flag);
    data = a[blockIdx.x] + 8, while (ACQUIRED(flag) == 0) {} b[blockIdx.x] = data)

// Nobody waits: what is looked at once is data like any other.
// flag_looked_at_once: grid 512 workgroup 128; finds: race_read_write
HAND_OVER(flag_looked_at_once, data = a[blockIdx.x] + 7; RELEASE(flag), if (SEEN(flag) != 0) b[blockIdx.x] = 1)

// no_flag: grid 512 workgroup 128; finds: race_read_write
HAND_OVER(no_flag, data = a[blockIdx.x] + 7, b[blockIdx.x] = data)

// A loop whose end depends on a word of LDS is no waiting if it stores to LDS itself.
// loop_without_barrier: grid 512 workgroup 128; finds: race_read_write; perhaps: race_write_write
extern "C" __global__ void loop_without_barrier(unsigned* a, unsigned* b) {
  __shared__ unsigned rest[2];
  if (threadIdx.x == 0) rest[0] = rest[1] = 3;
  __syncthreads();
  for (unsigned k = 0; k < 8 && rest[k & 1] != 0; ++k) {
    if (threadIdx.x == 0) rest[k & 1] -= 1;
    b[blockIdx.x * 128 + threadIdx.x] = k;
  }
}

// A search: its address is another one in each round.
// search_without_barrier: grid 512 workgroup 128; finds: race_read_write
extern "C" __global__ void search_without_barrier(unsigned* a, unsigned* b) {
  __shared__ unsigned sorted[128];
  sorted[threadIdx.x] = threadIdx.x * 2 + a[threadIdx.x];
  unsigned low = 0, high = 127;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (sorted[middle] < threadIdx.x)
      low = middle + 1;
    else
      high = middle;
  }
  b[blockIdx.x * 128 + threadIdx.x] = low;
}
// SPDX-License-Identifier: Apache-2.0
