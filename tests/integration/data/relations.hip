// Kernels for tests of timing relations.
#include <hip/hip_runtime.h>

#include <cstdint>

// Dependent LDS reads: lane l reads word l * stride, over and over; every value read is 0.
extern "C" __global__ void lds_stride(uint32_t* out, uint32_t stride, uint32_t rounds) {
  __shared__ uint32_t words[64 * 64];
  for (uint32_t i = threadIdx.x; i < 64 * 64; i += blockDim.x) words[i] = 0;
  __syncthreads();
  uint32_t at = threadIdx.x * stride;
#pragma unroll 1
  for (uint32_t round = 0; round < rounds; ++round) at += words[at];
  out[threadIdx.x] = at;
}

// Wavefront w works w * rounds rounds, then waits for the others. when[3 w ..]: cycle before the work, before the barrier
// and after it.
extern "C" __global__ void barrier_wait(uint64_t* when, uint32_t rounds) {
  const uint32_t wave = __builtin_amdgcn_readfirstlane(threadIdx.x / 64);
  const uint64_t began = __builtin_readcyclecounter();
  uint32_t x = wave;
#pragma unroll 1
  for (uint32_t round = 0; round < wave * rounds; ++round) {
    x = x * 3 + 1;
    asm volatile("" : "+s"(x));
  }
  const uint64_t worked = __builtin_readcyclecounter();
  __builtin_amdgcn_s_barrier();
  const uint64_t passed = __builtin_readcyclecounter();
  if (threadIdx.x % 64 == 0) {
    when[3 * wave] = began;
    when[3 * wave + 1] = worked;
    when[3 * wave + 2] = passed;
  }
}

// One wavefront reads n words (a multiple of 64) from front to back, `times` times.
extern "C" __global__ void read_again(const uint32_t* data, uint32_t* out, uint32_t n, uint32_t times) {
  uint32_t sum = 0;
#pragma unroll 1
  for (uint32_t t = 0; t < times; ++t) {
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i < n; i += 64) sum += data[i];
    asm volatile("" ::: "memory");
  }
  out[threadIdx.x] = sum;
}
