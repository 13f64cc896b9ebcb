// Kernels that order their accesses, and twins that leave one thing out. Each says how it is launched and which rules of
// the checks `races` and `coherence` must find something in it, and nothing else; `perhaps` depends on which comes first:
//
//   // KERNEL: grid N workgroup N [split]; finds: rule, rule [; perhaps: rule, rule]
//
// Arguments of all: a and b, 65536 words each, zeros at first. `split`: compiled with pwscc --split=all and run with pws.
#include <hip/hip_runtime.h>

// lds_sum: grid 1024 workgroup 256; finds: nothing
extern "C" __global__ __launch_bounds__(256) void lds_sum(unsigned* a, unsigned* b) {
  __shared__ unsigned s[256];
  const unsigned l = threadIdx.x;
  s[l] = a[blockIdx.x * 256 + l];
  __syncthreads();
  for (unsigned n = 128; n > 0; n /= 2) {
    if (l < n) s[l] += s[l + n];
    __syncthreads();
  }
  if (l == 0) b[blockIdx.x] = s[0];
}

// lds_sum_without_barrier: grid 1024 workgroup 256; finds: race_read_write
extern "C" __global__ __launch_bounds__(256) void lds_sum_without_barrier(unsigned* a, unsigned* b) {
  __shared__ unsigned s[256];
  const unsigned l = threadIdx.x;
  s[l] = a[blockIdx.x * 256 + l];
  for (unsigned n = 128; n > 0; n /= 2) {
    if (l < n) s[l] += s[l + n];
    __syncthreads();
  }
  if (l == 0) b[blockIdx.x] = s[0];
}

// histogram: grid 2048 workgroup 256; finds: nothing
extern "C" __global__ void histogram(unsigned* a, unsigned* b) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&b[(a[i] + i) % 37], 1u);
}

// histogram_without_atomics: grid 2048 workgroup 256; finds: race_read_write, race_write_write; perhaps: stale_vector_line
extern "C" __global__ void histogram_without_atomics(unsigned* a, unsigned* b) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  b[(a[i] + i) % 64] += i + 1;
}

// one_instruction: grid 64 workgroup 64; finds: same_instruction_write_write
extern "C" __global__ void one_instruction(unsigned* a, unsigned* b) {
  b[threadIdx.x / 2] = threadIdx.x;
}

// one_instruction_one_value: grid 64 workgroup 64; finds: nothing
extern "C" __global__ void one_instruction_one_value(unsigned* a, unsigned* b) {
  b[threadIdx.x / 2] = threadIdx.x / 2;
}

// many_read_one_writes: grid 25600 workgroup 64; finds: race_read_write; perhaps: stale_vector_line
extern "C" __global__ void many_read_one_writes(unsigned* a, unsigned* b) {
  volatile unsigned char* bytes = reinterpret_cast<unsigned char*>(a);
  unsigned sum = 0;
  for (unsigned k = 0; k < 10; ++k) sum += reinterpret_cast<unsigned char*>(a)[8 + 4 * (k & threadIdx.x >> 10)];
  b[blockIdx.x * 64 + threadIdx.x] = sum;
  if (blockIdx.x == 399 && threadIdx.x == 0) bytes[8] = 1;
}

// many_read_one_writes_elsewhere: grid 25600 workgroup 64; finds: nothing
extern "C" __global__ void many_read_one_writes_elsewhere(unsigned* a, unsigned* b) {
  volatile unsigned char* bytes = reinterpret_cast<unsigned char*>(a);
  unsigned sum = 0;
  for (unsigned k = 0; k < 10; ++k) sum += reinterpret_cast<unsigned char*>(a)[8 + 4 * (k & threadIdx.x >> 10)];
  b[blockIdx.x * 64 + threadIdx.x] = sum;
  if (blockIdx.x == 399 && threadIdx.x == 0) bytes[9] = 1;
}

// message: grid 128 workgroup 64; finds: nothing
extern "C" __global__ void message(unsigned* a, unsigned* b) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[5] = 42;
    __threadfence();
    atomicExch(&b[0], 1u);
  } else {
    while (atomicAdd(&b[0], 0u) == 0) {
    }
    __threadfence();
    b[1] = a[5];
  }
}

// message_without_release: grid 128 workgroup 64; finds: race_read_write
extern "C" __global__ void message_without_release(unsigned* a, unsigned* b) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[5] = 42;
    atomicExch(&b[0], 1u);
  } else {
    while (atomicAdd(&b[0], 0u) == 0) {
    }
    __threadfence();
    b[1] = a[5];
  }
}

// message_without_acquire: grid 128 workgroup 64; finds: race_read_write
extern "C" __global__ void message_without_acquire(unsigned* a, unsigned* b) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[5] = 42;
    __threadfence();
    atomicExch(&b[0], 1u);
  } else {
    while (atomicAdd(&b[0], 0u) == 0) {
    }
    b[1] = a[5];
  }
}

// The reader's cache has the line, of which another word is read first.
// message_in_a_line_that_is_cached: grid 128 workgroup 64; finds: nothing
extern "C" __global__ void message_in_a_line_that_is_cached(unsigned* a, unsigned* b) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 1) {
    b[2] = a[4];
    __threadfence();
    atomicExch(&b[1], 1u);
    while (atomicAdd(&b[0], 0u) == 0) {
    }
    __threadfence();
    b[3] = a[5];
  } else {
    while (atomicAdd(&b[1], 0u) == 0) {
    }
    a[5] = 42;
    __threadfence();
    atomicExch(&b[0], 1u);
  }
}

// message_in_a_stale_line: grid 128 workgroup 64; finds: race_read_write, stale_vector_line
extern "C" __global__ void message_in_a_stale_line(unsigned* a, unsigned* b) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 1) {
    b[2] = a[4];
    __threadfence();
    atomicExch(&b[1], 1u);
    b[4] = a[6];  // in the cache again
    while (atomicAdd(&b[0], 0u) == 0) {
    }
    b[3] = a[5];
  } else {
    while (atomicAdd(&b[1], 0u) == 0) {
    }
    a[5] = 42;
    __threadfence();
    atomicExch(&b[0], 1u);
  }
}

// A flag that is stored and polled as compilers make atomics of C++.
// flag_of_cxx: grid 128 workgroup 64; finds: nothing
extern "C" __global__ void flag_of_cxx(unsigned* a, unsigned* b) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[5] = 42;
    __hip_atomic_store(&b[0], 1u, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
  } else {
    while (__hip_atomic_load(&b[0], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0) {
    }
    b[1] = a[5];
  }
}

// flag_of_cxx_relaxed: grid 128 workgroup 64; finds: race_read_write
extern "C" __global__ void flag_of_cxx_relaxed(unsigned* a, unsigned* b) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[5] = 42;
    __hip_atomic_store(&b[0], 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  } else {
    while (__hip_atomic_load(&b[0], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) == 0) {
    }
    b[1] = a[5];
  }
}

// last_workgroup: grid 8192 workgroup 256; finds: nothing
extern "C" __global__ __launch_bounds__(256) void last_workgroup(unsigned* a, unsigned* b) {
  __shared__ bool is_last;
  a[blockIdx.x * 256 + threadIdx.x] = threadIdx.x;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicAdd(&b[0], 1u) == gridDim.x - 1;
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  unsigned sum = 0;
  for (unsigned k = threadIdx.x; k < gridDim.x * 256; k += 255) sum += a[k];
  b[1 + threadIdx.x] = sum;
}

// last_workgroup_without_fence: grid 8192 workgroup 256; finds: race_read_write; perhaps: stale_vector_line
extern "C" __global__ __launch_bounds__(256) void last_workgroup_without_fence(unsigned* a, unsigned* b) {
  __shared__ bool is_last;
  a[blockIdx.x * 256 + threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicAdd(&b[0], 1u) == gridDim.x - 1;
  __syncthreads();
  if (!is_last) return;
  unsigned sum = 0;
  for (unsigned k = threadIdx.x; k < gridDim.x * 256; k += 255) sum += a[k];
  b[1 + threadIdx.x] = sum;
}

// spin_lock: grid 512 workgroup 64; finds: nothing
extern "C" __global__ void spin_lock(unsigned* a, unsigned* b) {
  if (threadIdx.x != 0) return;
  for (int k = 0; k < 4; ++k) {
    while (atomicCAS(&b[0], 0u, 1u) != 0) {
    }
    __threadfence();
    a[0] = a[0] + 1;
    __threadfence();
    atomicExch(&b[0], 0u);
  }
}

// spin_lock_without_fences: grid 512 workgroup 64; finds: race_read_write, race_write_write; perhaps: race_atomic_plain, stale_vector_line
extern "C" __global__ void spin_lock_without_fences(unsigned* a, unsigned* b) {
  if (threadIdx.x != 0) return;
  for (int k = 0; k < 4; ++k) {
    while (atomicCAS(&b[0], 0u, 1u) != 0) {
    }
    a[0] = a[0] + 1;
    atomicExch(&b[0], 0u);
  }
}

// all_say_so: grid 2048 workgroup 256; finds: nothing
extern "C" __global__ void all_say_so(unsigned* a, unsigned* b) {
  if (a[threadIdx.x] == 0) b[0] = 1;
}

// all_say_so_and_ask: grid 2048 workgroup 256; finds: race_read_write; perhaps: stale_scalar_line
extern "C" __global__ void all_say_so_and_ask(unsigned* a, unsigned* b) {
  if (b[0] == 0) b[0] = 1;
}

// both_sides: grid 64 workgroup 64 split; finds: race_read_write
extern "C" __global__ __launch_bounds__(64) void both_sides(unsigned* a, unsigned* b) {
  __shared__ unsigned s[64];
  s[threadIdx.x] = 0;
  __syncthreads();
  unsigned x = threadIdx.x;
  if (threadIdx.x % 2 == 0) {
    for (unsigned k = 0; k < 8; ++k) x = x * 1664525u + a[x & 63];
    s[5] = 7;
  } else {
    for (unsigned k = 0; k < 9; ++k) x = x * 22695477u + a[x & 63];
    x += s[5];
  }
  b[threadIdx.x] = x;
}

// both_sides_apart: grid 64 workgroup 64 split; finds: nothing
extern "C" __global__ __launch_bounds__(64) void both_sides_apart(unsigned* a, unsigned* b) {
  __shared__ unsigned s[64];
  s[threadIdx.x] = 0;
  __syncthreads();
  unsigned x = threadIdx.x;
  if (threadIdx.x % 2 == 0) {
    for (unsigned k = 0; k < 8; ++k) x = x * 1664525u + a[x & 63];
    s[6] = 7;
  } else {
    for (unsigned k = 0; k < 9; ++k) x = x * 22695477u + a[x & 63];
    x += s[5];
  }
  b[threadIdx.x] = x;
}

// sum_is_set_to_zero: grid 1024 workgroup 256; finds: nothing
extern "C" __global__ __launch_bounds__(256) void sum_is_set_to_zero(unsigned* a, unsigned* b) {
  __shared__ unsigned sum;
  if (threadIdx.x == 0) sum = a[blockIdx.x];
  __syncthreads();
  atomicAdd(&sum, threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) b[blockIdx.x] = sum;
}

// sum_is_set_to_zero_at_any_time: grid 1024 workgroup 256; finds: race_atomic_plain
extern "C" __global__ __launch_bounds__(256) void sum_is_set_to_zero_at_any_time(unsigned* a, unsigned* b) {
  __shared__ unsigned sum;
  if (threadIdx.x == 0) sum = a[blockIdx.x];
  atomicAdd(&sum, threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) b[blockIdx.x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
