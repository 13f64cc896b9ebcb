// Code of one line each, some of it inlined: what line tables say of it is known.
#include <hip/hip_runtime.h>

__device__ inline void put(int* at, int value) {
  __hip_atomic_store(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}

__device__ inline void put_twice(int* at) {
  put(at, 1);
  put(at + 1, 2);
}

extern "C" __global__ void lines(int* out) {
  put(out, 7);
  out[1] = 8;
  __syncthreads();
  put_twice(out + 2);
}
