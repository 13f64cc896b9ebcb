// Programs that go wrong.
#include <hip/hip_runtime.h>

#include <cstdint>

// Work-item `culprit` of the grid stores to data[at].
extern "C" __global__ void store_at(uint32_t* data, uint64_t at, uint32_t culprit) {
  if (blockIdx.x * blockDim.x + threadIdx.x == culprit) data[at] = 1;
}

// Every work-item loads from data[at].
extern "C" __global__ void load_at(const uint32_t* data, uint64_t at, uint32_t* out) { out[threadIdx.x] = data[at]; }

// Wavefront 0 sets the flag behind the barrier that wavefront 1 reaches only after it has seen the flag.
extern "C" __global__ void never_at_the_barrier(uint32_t* out) {
  __shared__ volatile uint32_t flag;
  if (threadIdx.x >= 64)
    while (flag == 0) {
    }
  __builtin_amdgcn_s_barrier();
  flag = 1;
  out[threadIdx.x] = flag;
}

extern "C" __global__ void endless(uint32_t* out) {
  for (uint32_t x = 1;; x = x * 5 + 1) {
    asm volatile("" : "+v"(x));
    if (x == 0) break;  // never: the sequence has period 2^32 and is cut off by the limit
  }
  out[0] = 0;
}

extern "C" __global__ void good(uint32_t* out) { out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; }
