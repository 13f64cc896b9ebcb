// Spin locks in LDS, and twins that leave one thing out. As ordering.hip says it; these also have the same findings
// without optimisation.
#include <hip/hip_runtime.h>

#define SCOPE __HIP_MEMORY_SCOPE_WORKGROUP
#define RELEASED(lock) __hip_atomic_store(&lock, 0u, __ATOMIC_RELEASE, SCOPE)
#define EXCHANGED(lock, order) __hip_atomic_exchange(&lock, 1u, order, SCOPE)

__device__ bool compared(unsigned* lock) {
  unsigned expected = 0;
  return __hip_atomic_compare_exchange_strong(lock, &expected, 1u, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED, SCOPE);
}

// Four wavefronts, of each one lane.
#define LOCKED(name, ready, work)                             \
  extern "C" __global__ void name(unsigned* a, unsigned* b) { \
    __shared__ unsigned lock, data;                           \
    if (threadIdx.x == 0) lock = data = 0;                    \
    ready;                                                    \
    if (threadIdx.x % 64 == 0) {                              \
      work;                                                   \
    }                                                         \
    __syncthreads();                                          \
    b[blockIdx.x * 256 + threadIdx.x] = data;                 \
  }

// lock_with_fences: grid 512 workgroup 256; finds: nothing
LOCKED(
    lock_with_fences, __syncthreads(), while (atomicCAS(&lock, 0u, 1u) != 0) {} __threadfence_block(); data += 1;
    __threadfence_block(); atomicExch(&lock, 0u))

// lock_with_orders: grid 512 workgroup 256; finds: nothing
LOCKED(
    lock_with_orders, __syncthreads(), while (!compared(&lock)) {} data += 1; RELEASED(lock))

// lock_by_exchange: grid 512 workgroup 256; finds: nothing
LOCKED(
    lock_by_exchange, __syncthreads(), while (EXCHANGED(lock, __ATOMIC_ACQUIRE) != 0) {} data += 1; RELEASED(lock))

// lock_taken_many_times: grid 512 workgroup 256; finds: nothing
LOCKED(
    lock_taken_many_times, __syncthreads(), for (int k = 0; k < 3; ++k) {
      while (!compared(&lock)) {
      }
      data += 1;
      RELEASED(lock);
    })

// Who does not get it does without.
// lock_that_is_tried: grid 512 workgroup 256; finds: nothing
LOCKED(
    lock_that_is_tried, __syncthreads(), if (compared(&lock)) {
      data += 1;
      RELEASED(lock);
    })

// data_after_the_lock: grid 512 workgroup 256; finds: race_read_write; perhaps: race_write_write
LOCKED(
    data_after_the_lock, __syncthreads(), while (!compared(&lock)) {} RELEASED(lock); data += 1)

// data_before_the_lock: grid 512 workgroup 256; finds: race_read_write; perhaps: race_write_write
LOCKED(
    data_before_the_lock, __syncthreads(), ++*(volatile unsigned*)&data; while (!compared(&lock)) {} RELEASED(lock))

// data_of_one_without_the_lock: grid 512 workgroup 256; finds: race_read_write; perhaps: race_write_write
LOCKED(
    data_of_one_without_the_lock, __syncthreads(), if (threadIdx.x == 64) { data += 1; } else {
      while (!compared(&lock)) {
      }
      data += 1;
      RELEASED(lock);
    })
// SPDX-License-Identifier: Apache-2.0
