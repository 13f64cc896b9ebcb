// Where data can live: scratch, LDS, device memory, constant memory; and pointers that do not say where.
#include <hip/hip_runtime.h>

#include <cstdint>

// A private array that registers cannot hold, indexed by data.
extern "C" __global__ void private_array(const uint32_t* in, uint32_t* out) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t table[128];
  for (uint32_t k = 0; k < 128; ++k) table[k] = k * in[i];
  uint32_t at = in[i];
  for (uint32_t k = 0; k < 64; ++k) at = table[at % 128] + k;
  out[i] = at;
}
// Bytes, shorts and 64-bit values in scratch, at offsets of every alignment.
extern "C" __global__ void private_bytes(const uint32_t* in, uint64_t* out) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  uint8_t bytes[64];
  uint16_t shorts[32];
  uint64_t longs[16];
  for (uint32_t k = 0; k < 64; ++k) bytes[(k + in[i]) % 64] = static_cast<uint8_t>(in[i] >> (k % 25));
  for (uint32_t k = 0; k < 32; ++k) shorts[(k + in[i]) % 32] = static_cast<uint16_t>(bytes[k] * 257u + k);
  for (uint32_t k = 0; k < 16; ++k) longs[(k + in[i]) % 16] = shorts[k] * 0x100000001ull;
  uint64_t sum = 0;
  for (uint32_t k = 0; k < 64; ++k) sum = sum * 31 + bytes[k] + shorts[k / 2] + longs[(k + in[i]) % 16];
  out[i] = sum;
}

// So many live values that they do not fit the registers allowed.
template <int N>
__device__ void many_values(const uint32_t* in, uint32_t* out) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t v[N];
#pragma unroll
  for (int k = 0; k < N; ++k) {
    v[k] = in[(i + k) & 255];
    asm volatile("" : "+v"(v[k]));
  }
#pragma unroll
  for (int k = 0; k < N; ++k) v[k] += v[(k + N / 2) % N] * 3;
  uint32_t sum = 0;
#pragma unroll
  for (int k = 0; k < N; ++k) {
    asm volatile("" : "+v"(v[k]));
    sum = sum * 33 + v[k];
  }
  out[i] = sum;
}
extern "C" __global__ void __attribute__((amdgpu_num_vgpr(24))) spills(const uint32_t* in, uint32_t* out) {
  many_values<64>(in, out);
}
extern "C" __global__ void __launch_bounds__(1024) bounded_1024(const uint32_t* in, uint32_t* out) {
  many_values<96>(in, out);
}
#ifdef __OPTIMIZE__  // clang 15 cannot compile it without
// 32 SGPRs at most: scalars go to lanes of vector registers.
extern "C" __global__ void __attribute__((amdgpu_num_sgpr(32))) scalar_spills(const uint32_t* in, uint32_t* out) {
  uint32_t v[48];
#pragma unroll
  for (int k = 0; k < 48; ++k) {
    v[k] = __builtin_amdgcn_readfirstlane(in[k]);
    asm volatile("" : "+s"(v[k]));
  }
  uint32_t sum = 0;
#pragma unroll
  for (int k = 0; k < 48; ++k) {
    asm volatile("" : "+s"(v[k]));
    sum = sum * 33 + v[47 - k];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum + threadIdx.x;
}
#endif

extern "C" __global__ void dynamic_lds(const uint32_t* in, uint32_t* out) {
  extern __shared__ uint32_t block[];
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  block[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = block[(threadIdx.x + 1) % blockDim.x];
}
extern "C" __global__ void static_and_dynamic_lds(const uint32_t* in, uint32_t* out) {
  __shared__ uint32_t fixed[256];
  extern __shared__ uint64_t open[];
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  fixed[threadIdx.x] = in[i];
  open[threadIdx.x] = in[i] * 0x100000001ull;
  __syncthreads();
  const uint32_t other = blockDim.x - 1 - threadIdx.x;
  out[i] = fixed[other] + static_cast<uint32_t>(open[other] >> 32);
}

__device__ __attribute__((noinline)) uint32_t load_any(const uint32_t* p) { return *p; }
__device__ __attribute__((noinline)) void store_any(uint32_t* p, uint32_t v) { *p = v; }
__device__ __attribute__((noinline)) uint32_t add_any(uint32_t* p, uint32_t v) { return atomicAdd(p, v); }
// In one instruction, lanes reach LDS, scratch and device memory.
extern "C" __global__ void generic_pointers(uint32_t* data, uint32_t* out) {
  __shared__ uint32_t shared[64];
  uint32_t own[4];
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  shared[threadIdx.x] = i * 3;
  for (uint32_t k = 0; k < 4; ++k) own[k] = i * 5 + k;
  __syncthreads();
  uint32_t* const places[3] = {&shared[threadIdx.x], &own[i % 4], &data[i]};
  uint32_t* const p = places[i % 3];
  const uint32_t before = load_any(p);
  store_any(p, before + 7);
  if (i % 3 != 1) add_any(p, 2);  // no atomics on private memory
  __syncthreads();
  out[2 * i] = before + shared[threadIdx.x] + own[i % 4];
  out[2 * i + 1] = __builtin_amdgcn_is_shared(p) ? 1 : __builtin_amdgcn_is_private(p) ? 2 : 3;
}

__device__ uint32_t counter = 5;
__device__ uint32_t table[4] = {10, 20, 30, 40};
__device__ uint32_t* const last = &table[3];
__device__ uint32_t** middle_of_nowhere;
struct node {
  const node* next;
  uint32_t value;
};
extern __device__ const node second;
__device__ const node first = {&second, 100};
__device__ const node second = {nullptr, 23};
__constant__ uint32_t weights[8] = {1, 2, 4, 8, 16, 32, 64, 128};
__constant__ const char* const words[3] = {"one", "three", "seventeen"};
static __device__ uint32_t zeroed[256];
extern "C" __global__ void device_globals(uint32_t* out) {
  const uint32_t i = threadIdx.x;
  if (i == 0) atomicAdd(&counter, 2);
  zeroed[i] += i;
  __syncthreads();
  uint32_t list = 0;
  for (const node* n = &first; n != nullptr; n = n->next) list += n->value;
  uint32_t length = 0;
  while (words[i % 3][length] != 0) ++length;
  out[i] = counter * 1000 + *last + list + weights[i % 8] + length * 100000 + zeroed[i] + (middle_of_nowhere == nullptr);
}

extern "C" __global__ void empty() {}
extern "C" __global__ void empty_with_arguments(uint32_t*, uint64_t, double) {}

// As many argument bytes as a kernel may have in HIP.
struct four_kib {
  uint32_t v[1020];
};
extern "C" __global__ void large_arguments(four_kib a, uint32_t* out, uint32_t add) {
  uint32_t sum = add;
  for (uint32_t k = threadIdx.x; k < 1020; k += 64) sum += a.v[k] * (k + 1);
  out[threadIdx.x] = sum;
}
struct mixed {
  uint8_t a;
  double b;
  uint16_t c[3];
  struct {
    uint64_t d;
    float e;
  } inner;
  uint8_t f;
};
extern "C" __global__ void structs_by_value(uint8_t before, mixed m, uint8_t after, double* out) {
  out[0] = before;
  out[1] = m.a;
  out[2] = m.b;
  out[3] = m.c[0] + 2 * m.c[1] + 3 * m.c[2];
  out[4] = static_cast<double>(m.inner.d);
  out[5] = m.inner.e;
  out[6] = m.f;
  out[7] = after;
}

extern "C" __global__ void __launch_bounds__(1024) barriers_1024(uint32_t* data) {
  __shared__ uint32_t v[1024];
  const uint32_t i = threadIdx.x;
  v[i] = data[blockIdx.x * 1024 + i];
  for (uint32_t step = 1; step < 1024; step *= 2) {  // inclusive sums
    __syncthreads();
    const uint32_t add = i >= step ? v[i - step] : 0;
    __syncthreads();
    v[i] += add;
  }
  data[blockIdx.x * 1024 + i] = v[i];
}
// SPDX-License-Identifier: Apache-2.0
