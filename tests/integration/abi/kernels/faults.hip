// Programs that ask for what is not there, or do what GCN3 forbids.
#include <hip/hip_runtime.h>

#include <cassert>
#include <cstdint>
#include <cstdio>

extern "C" __global__ void prints(uint32_t* out) {
  printf("%u\n", static_cast<uint32_t>(threadIdx.x));
  out[threadIdx.x] = 1;
}
extern "C" __global__ void asserts(uint32_t* out) {
  assert(out[threadIdx.x] == threadIdx.x);
  out[threadIdx.x] = 1;
}
extern "C" __global__ void aborts(uint32_t* out) {
  if (threadIdx.x == 5) abort();
  out[threadIdx.x] = 1;
}
extern "C" __global__ void traps(uint32_t* out, uint32_t culprit) {
  if (threadIdx.x == culprit) __builtin_trap();
  out[threadIdx.x] = 1;
}
extern "C" __global__ void interrupts(uint32_t* out) {
  out[threadIdx.x] = 1;
  __builtin_amdgcn_s_sendmsg(1, 0);
}

// Each at byte `at` from `data`, by one work-item.
extern "C" __global__ void load_8(const char* data, uint64_t at, uint64_t* out) {
  uint32_t none = 0;
  asm volatile("" : "+v"(none));  // or the address would be known to be uniform
  if (threadIdx.x == 70) *out = *reinterpret_cast<const uint64_t*>(data + at + none);
}
extern "C" __global__ void store_16(char* data, uint64_t at) {
  if (threadIdx.x == 70) *reinterpret_cast<uint4*>(data + at) = uint4{1, 2, 3, 4};
}
extern "C" __global__ void add_4(char* data, uint64_t at) {
  if (threadIdx.x == 70) atomicAdd(reinterpret_cast<uint32_t*>(data + at), 1u);
}
extern "C" __global__ void add_8(char* data, uint64_t at) {
  if (threadIdx.x == 70) atomicAdd(reinterpret_cast<unsigned long long*>(data + at), 1ull);
}
extern "C" __global__ void scalar_load(const uint32_t* data, uint64_t at, uint32_t* out) {
  out[threadIdx.x] = *reinterpret_cast<const uint32_t*>(reinterpret_cast<const char*>(data) + at);  // uniform
}

extern "C" __global__ void lds_load(uint32_t* out, uint32_t at) {
  extern __shared__ uint32_t block[];
  block[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 3) out[0] = block[at];
}
extern "C" __global__ void lds_load_8(uint64_t* out, uint32_t at) {
  extern __shared__ char bytes[];
  bytes[threadIdx.x] = 1;
  __syncthreads();
  using local_u64 = __attribute__((address_space(3))) volatile uint64_t;
  if (threadIdx.x == 3) out[0] = *(local_u64*)(bytes + at);
}
extern "C" __global__ void private_store(uint32_t* out, uint32_t at) {
  uint32_t own[32] = {};
  own[at + threadIdx.x] = 7;
  out[threadIdx.x] = own[(at + 5 * threadIdx.x) % 32];
}
// SPDX-License-Identifier: Apache-2.0
