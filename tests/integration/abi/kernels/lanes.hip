// Wavefront-wide operations, atomics, and builtins that are one instruction.
#include <hip/hip_runtime.h>

#include <cstdint>

extern "C" __global__ void votes(const uint32_t* in, uint64_t* out) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  const uint64_t odd = __ballot(in[i] & 1);
  const int any = __any(in[i] == 3), all = __all(in[i] < 1000);
  uint64_t divergent = 0;
  if ((in[i] & 2) != 0) divergent = __ballot(in[i] & 4);
  out[4 * i] = odd;
  out[4 * i + 1] = static_cast<uint64_t>(any != 0) << 1 | (all != 0);
  out[4 * i + 2] = divergent;
  out[4 * i + 3] = __popcll(odd) * 10000 + __popc(in[i]) * 100 + __ffs(in[i]) + __ffsll(static_cast<unsigned long long>(odd)) + __clz(in[i]);
}

extern "C" __global__ void shuffles(const uint32_t* in, uint32_t* out) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t v = in[i];
  uint32_t* const p = out + 6 * i;
  p[0] = __shfl(v, (threadIdx.x * 7) & 63);
  p[1] = __shfl_xor(v, 5);
  p[2] = __shfl_up(v, 3);
  p[3] = __shfl_down(v, 9);
  p[4] = __shfl(v, 2, 8);
  p[5] = __builtin_amdgcn_readfirstlane(v) + __builtin_amdgcn_readlane(v, 17);
}

extern "C" __global__ void lane_numbers(uint32_t* out) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t lane = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
  out[2 * i] = lane * 1000 + __lane_id();
  out[2 * i + 1] = __brev(i) ^ static_cast<uint32_t>(__brevll(i) >> 32);
}

extern "C" __global__ void waits(uint64_t* out) {
  const uint64_t begin = clock64();
  const uint64_t wall = wall_clock64();
  __builtin_amdgcn_s_sleep(2);
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_sched_barrier(0);
  const uint64_t end = clock64();
  out[threadIdx.x] = begin <= end && wall <= wall_clock64() ? 1 : 0;
}

// One histogram-like counter per operation and memory scope.
template <class T, int Scope>
__device__ void scoped(T* p, T v) {
  __hip_atomic_fetch_add(p, v, __ATOMIC_SEQ_CST, Scope);
}
extern "C" __global__ void atomics_32(uint32_t* p, float* f, uint32_t* old) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&p[0], i);
  atomicSub(&p[1], 3u);
  atomicMax(&p[2], i * 7 % 1000);
  atomicMin(&p[3], i * 7 % 1000 + 5);
  atomicAnd(&p[4], ~(1u << i % 32));
  atomicOr(&p[5], 1u << i % 29);
  atomicXor(&p[6], i);
  atomicInc(&p[7], 99u);
  atomicDec(&p[8], 99u);
  scoped<uint32_t, __HIP_MEMORY_SCOPE_WAVEFRONT>(&p[16 + i / 64], 1u);
  scoped<uint32_t, __HIP_MEMORY_SCOPE_WORKGROUP>(&p[9 + blockIdx.x % 2], 2u);
  scoped<uint32_t, __HIP_MEMORY_SCOPE_AGENT>(&p[11], 3u);
  scoped<uint32_t, __HIP_MEMORY_SCOPE_SYSTEM>(&p[12], 4u);
  atomicMax(reinterpret_cast<int32_t*>(&p[13]), static_cast<int32_t>(i) - 100);
  atomicMin(reinterpret_cast<int32_t*>(&p[14]), static_cast<int32_t>(i) - 100);
  atomicAdd(&f[0], 1.0f);  // a compare-and-swap loop; small integers add up exactly
  atomicAdd(&f[1], static_cast<float>(i % 8) * 0.5f);
  atomicExch(&old[i], i + 1);
  old[i] += atomicCAS(&p[15], i, 0xffffffffu) == i ? 1000 : 0;
}
extern "C" __global__ void atomics_64(unsigned long long* p, double* d) {
  const uint64_t i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&p[0], i << 30);
  atomicMax(&p[1], i << 33 | 1);
  atomicMin(&p[2], (i + 1) << 33);
  atomicAnd(&p[3], ~(1ull << i % 64));
  atomicOr(&p[4], 1ull << i % 61);
  atomicXor(&p[5], i << 40);
  atomicAdd(&d[0], 0.25);
  __shared__ unsigned long long local[2];
  if (threadIdx.x < 2) local[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&local[0], i << 20);
  atomicMax(&local[1], i << 35);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&p[6], local[0]), atomicMax(&p[7], local[1]);
}

// A flag handed from workgroup to workgroup, with fences of the widest scope.
extern "C" __global__ void relay(uint32_t* turn, uint32_t* out) {
  if (threadIdx.x == 0) {
    while (__hip_atomic_load(turn, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) != blockIdx.x) __builtin_amdgcn_s_sleep(1);
    out[blockIdx.x + 1] = out[blockIdx.x] * 3 + 1;
    __threadfence_system();
    __hip_atomic_store(turn, blockIdx.x + 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
  }
}
// SPDX-License-Identifier: Apache-2.0
