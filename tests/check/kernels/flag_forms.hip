// Flags in LDS of other forms than a word that is a variable: elements of arrays, bytes, members, behind pointers and
// functions. As flags.hip says it.
#include <hip/hip_runtime.h>
#include <stdint.h>

#define RELEASE(flag, value) __hip_atomic_store(&(flag), value, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_WORKGROUP)
#define ACQUIRED(flag) __hip_atomic_load(&(flag), __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_WORKGROUP)

// Wavefront 0 writes and wavefront 1 reads, with one lane each; `w` is the wavefront's number.
#define HAND_OVER(name, flags, begin, write, read)            \
  extern "C" __global__ void name(unsigned* a, unsigned* b) { \
    __shared__ unsigned data;                                 \
    __shared__ flags;                                         \
    const unsigned w = threadIdx.x / 64;                      \
    if (threadIdx.x == 0) {                                   \
      begin;                                                  \
    }                                                         \
    __syncthreads();                                          \
    if (threadIdx.x % 64 != 0) return;                        \
    if (w == 0) {                                             \
      write;                                                  \
    } else if (w == 1) {                                      \
      read;                                                   \
    }                                                         \
  }
#define WRITE data = a[blockIdx.x] + 7
#define READ b[blockIdx.x] = data
#define READ_EARLY const unsigned early = *(volatile unsigned*)&data

// ---- bytes and halves

// byte: grid 512 workgroup 128; finds: nothing
HAND_OVER(
    byte, uint8_t flag, flag = 0, WRITE; RELEASE(flag, (uint8_t)1), while (ACQUIRED(flag) == 0) {} READ)

// boolean: grid 512 workgroup 128; finds: nothing
HAND_OVER(
    boolean, bool flag, flag = false, WRITE; RELEASE(flag, true), while (!ACQUIRED(flag)) {} READ)

// character: grid 512 workgroup 128; finds: nothing
HAND_OVER(
    character, char flag, flag = 0, WRITE; RELEASE(flag, 'x'), while (ACQUIRED(flag) != 'x') {} READ)

// half: grid 512 workgroup 128; finds: nothing
HAND_OVER(
    half, uint16_t flag, flag = 0, WRITE; RELEASE(flag, (uint16_t)1), while (ACQUIRED(flag) == 0) {} READ)

// two_dwords: grid 512 workgroup 128; finds: nothing
HAND_OVER(
    two_dwords, unsigned long long flag, flag = 0, WRITE; RELEASE(flag, 1ull), while (ACQUIRED(flag) == 0) {} READ)

// byte_after_the_flag: grid 512 workgroup 128; finds: race_read_write
HAND_OVER(
    byte_after_the_flag, uint8_t flag, flag = 0, RELEASE(flag, (uint8_t)1); WRITE, while (ACQUIRED(flag) == 0) {} READ)

// byte_read_early: grid 512 workgroup 128; finds: race_read_write
HAND_OVER(
    byte_read_early, uint8_t flag, flag = 0, WRITE; RELEASE(flag, (uint8_t)1), READ_EARLY;
    while (ACQUIRED(flag) == 0) {} b[blockIdx.x] = early)

// ---- elements

// element: grid 512 workgroup 128; finds: nothing
HAND_OVER(
    element, unsigned flag[3], flag[0] = 0, WRITE; RELEASE(flag[w], 1u), while (ACQUIRED(flag[w - 1]) == 0) {} READ)

// byte_element: grid 512 workgroup 128; finds: nothing
HAND_OVER(
    byte_element, uint8_t flag[4], flag[0] = 0, WRITE;
    RELEASE(flag[w], (uint8_t)1), while (ACQUIRED(flag[w - 1]) == 0) {} READ)

// element_of_the_work_item: grid 512 workgroup 128; finds: nothing
HAND_OVER(
    element_of_the_work_item, unsigned flag[3], flag[0] = 0, WRITE;
    RELEASE(flag[0], 1u), while (ACQUIRED(flag[threadIdx.x / 64 - 1]) == 0) {} READ)

// element_of_a_matrix: grid 512 workgroup 128; finds: nothing
HAND_OVER(
    element_of_a_matrix, unsigned flag[3][3], flag[1][2] = 0, WRITE;
    RELEASE(flag[w + 1][w + 2], 1u), while (ACQUIRED(flag[w][w + 1]) == 0) {} READ)

// volatile_element: grid 512 workgroup 128; finds: nothing
HAND_OVER(
    volatile_element, volatile uint8_t flag[3], flag[0] = 0, WRITE; __threadfence_block();
    flag[w] = 1, while (flag[w - 1] == 0) {} __threadfence_block(); READ)

struct message {
  unsigned number;
  uint8_t ready[3];
  uint16_t turn;
};

// member: grid 512 workgroup 128; finds: nothing
HAND_OVER(
    member, message m, m.ready[1] = 0, WRITE;
    RELEASE(m.ready[1], (uint8_t)1), while (ACQUIRED(m.ready[1]) == 0) {} READ)

// member_of_an_element: grid 512 workgroup 128; finds: nothing
HAND_OVER(
    member_of_an_element, message m[2], m[1].turn = 0, WRITE;
    RELEASE(m[1].turn, (uint16_t)1), while (ACQUIRED(m[w].turn) == 0) {} READ)

// two_bytes_of_a_word: grid 512 workgroup 128; finds: nothing
HAND_OVER(
    two_bytes_of_a_word, uint8_t flag[4], flag[0] = flag[2] = 0, WRITE; RELEASE(flag[0], (uint8_t)1);
    RELEASE(flag[2], (uint8_t)1), while (ACQUIRED(flag[0]) == 0 || ACQUIRED(flag[2]) == 0) {} READ)

// A chain: each wavefront waits for its predecessor's element.
// chain: grid 1024 workgroup 256; finds: nothing
extern "C" __global__ void chain(unsigned* a, unsigned* b) {
  __shared__ unsigned flags[4], sums[4];
  const unsigned w = threadIdx.x / 64;
  if (threadIdx.x < 4) flags[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x % 64 != 0) return;
  unsigned sum = a[w];
  if (w != 0) {
    while (ACQUIRED(flags[w - 1]) == 0) {
    }
    sum += sums[w - 1];
  }
  sums[w] = sum + 1;
  RELEASE(flags[w], 1u);
  b[blockIdx.x * 4 + w] = sum;
}

// Two write, the third waits for one after the other.
// two_producers: grid 1024 workgroup 256; finds: nothing
extern "C" __global__ void two_producers(unsigned* a, unsigned* b) {
  __shared__ uint8_t flags[2];
  __shared__ unsigned sums[2];
  const unsigned w = threadIdx.x / 64;
  if (threadIdx.x < 2) flags[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x % 64 != 0) return;
  if (w < 2) {
    sums[w] = a[w] + 1;
    RELEASE(flags[w], (uint8_t)1);
  } else if (w == 2) {
    unsigned sum = 0;
    for (unsigned k = 0; k < 2; ++k) {
      while (ACQUIRED(flags[k]) == 0) {
      }
      sum += sums[k];
    }
    b[blockIdx.x] = sum;
  }
}

// element_after_the_flag: grid 512 workgroup 128; finds: race_read_write
HAND_OVER(
    element_after_the_flag, unsigned flag[3], flag[0] = 0, RELEASE(flag[w], 1u);
    WRITE, while (ACQUIRED(flag[w - 1]) == 0) {} READ)

// another_element_than_the_one_set: grid 512 workgroup 128; finds: race_read_write
HAND_OVER(
    another_element_than_the_one_set, uint8_t flag[4], flag[0] = 0; flag[1] = 1, WRITE;
    RELEASE(flag[w], (uint8_t)1), while (ACQUIRED(flag[w]) == 0) {} READ)

// element_looked_at_once: grid 512 workgroup 128; finds: race_read_write
HAND_OVER(element_looked_at_once, uint8_t flag[4], flag[0] = 0, WRITE;
          RELEASE(flag[w], (uint8_t)1), if (ACQUIRED(flag[w - 1]) != 0) READ)

// Each round looks at another element, so nobody is waited for.
// scan: grid 512 workgroup 128; finds: race_read_write
HAND_OVER(scan, unsigned flag[4], flag[0] = flag[1] = flag[2] = flag[3] = 0, WRITE;
          RELEASE(flag[2], 1u), unsigned k = 0; while (k < 4 && ACQUIRED(flag[k]) == 0)++ k; b[blockIdx.x] = data + k)

// list: grid 512 workgroup 128; finds: race_read_write
HAND_OVER(list, unsigned next[4], next[0] = 1; next[1] = 2; next[2] = 3; next[3] = 0, next[2] = 0, unsigned k = a[0];
          do k = ACQUIRED(next[k]); while (k != 0); b[blockIdx.x] = k)

// ---- loops

// counted_rounds: grid 512 workgroup 128; finds: nothing
HAND_OVER(counted_rounds, unsigned flag[3], flag[2] = 0, WRITE; RELEASE(flag[2], 1u), unsigned rounds = 0;
          while (ACQUIRED(flag[w + 1]) == 0)++ rounds; b[blockIdx.x + 512 * (rounds & 1)] = data)

// limited_rounds: grid 512 workgroup 128; finds: nothing
HAND_OVER(limited_rounds, unsigned flag[3], flag[2] = 0, WRITE; RELEASE(flag[2], 1u), unsigned rounds = 0;
          while (rounds < 1000000 && ACQUIRED(flag[w + 1]) == 0)++ rounds; if (rounds < 1000000) READ)

// value_is_kept: grid 512 workgroup 128; finds: nothing
HAND_OVER(value_is_kept, unsigned flag[3], flag[2] = 0, WRITE; RELEASE(flag[2], 1u), unsigned value;
          do value = ACQUIRED(flag[w + 1]); while (value == 0); b[blockIdx.x] = data + value)

// left_by_break: grid 512 workgroup 128; finds: nothing
HAND_OVER(
    left_by_break, unsigned flag[3], flag[2] = 0, WRITE; RELEASE(flag[2], 1u), for (;;) {
      if (ACQUIRED(flag[w + 1]) != 0) break;
      __builtin_amdgcn_s_sleep(1);
    } READ)

// ---- functions

__device__ __attribute__((noinline)) void wait_for(unsigned* flag) {
  while (ACQUIRED(*flag) == 0) {
  }
}
__device__ __forceinline__ void wait_inline_for(unsigned* flag) {
  while (ACQUIRED(*flag) == 0) {
  }
}
__device__ __attribute__((noinline)) unsigned value_of(unsigned* flag) {
  return ACQUIRED(*flag);
}
__device__ unsigned inline_value_of(unsigned* flag) {
  return ACQUIRED(*flag);
}
__device__ bool is_set(unsigned* flag) {
  return inline_value_of(flag) != 0;
}

// waited_for_in_a_function: grid 512 workgroup 128; finds: nothing
HAND_OVER(waited_for_in_a_function, unsigned flag[3], flag[2] = 0, WRITE; RELEASE(flag[2], 1u), wait_for(&flag[w + 1]);
          READ)

// waited_for_in_an_inlined_function: grid 512 workgroup 128; finds: nothing
HAND_OVER(waited_for_in_an_inlined_function, unsigned flag[3], flag[2] = 0, WRITE;
          RELEASE(flag[2], 1u), wait_inline_for(&flag[w + 1]); READ)

// loaded_in_a_function: grid 512 workgroup 128; finds: nothing
HAND_OVER(
    loaded_in_a_function, unsigned flag[3], flag[2] = 0, WRITE;
    RELEASE(flag[2], 1u), while (value_of(&flag[w + 1]) == 0) {} READ)

// loaded_in_functions: grid 512 workgroup 128; finds: nothing
HAND_OVER(
    loaded_in_functions, unsigned flag[3], flag[2] = 0, WRITE;
    RELEASE(flag[2], 1u), while (!is_set(&flag[w + 1])) {} READ)

// The same function is called where somebody waits, and where nobody does.
// loaded_once_in_a_function: grid 512 workgroup 128; finds: race_read_write
HAND_OVER(
    loaded_once_in_a_function, unsigned flag[3], flag[0] = 0; flag[2] = 1, WRITE;
    RELEASE(flag[0], 1u), while (value_of(&flag[w + 1]) == 0) {} if (value_of(&flag[0]) != 0) READ)
// SPDX-License-Identifier: Apache-2.0
