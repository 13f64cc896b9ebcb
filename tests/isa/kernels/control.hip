// Divergent control flow, loops, calls, cross-lane operations, LDS, atomics, scratch.
#include <hip/hip_runtime.h>

__device__ __attribute__((noinline)) int step(int x, int k) { return x % 2 == 0 ? x / 2 : 3 * x + k; }

extern "C" __global__ void divergent(int* out, const int* in, int n, int limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = in[i], steps = 0;
  while (x != 1 && steps < limit) {
    x = step(x, 1);
    ++steps;
    if ((x & 7) == 3) {
      out[i + n] += steps;
    } else if (x < 0) {
      break;
    }
  }
  switch (x & 3) {
    case 0: steps += n; break;
    case 1: steps *= 3; break;
    case 2: steps ^= limit; break;
    default: steps = -steps;
  }
  out[i] = steps;
}

extern "C" __global__ void reduce(float* out, const float* in, int n) {
  __shared__ float part[256];
  const int t = threadIdx.x;
  float s = 0;
  for (int i = blockIdx.x * 256 + t; i < n; i += 256 * gridDim.x) s += in[i];
  part[t] = s;
  __syncthreads();
  for (int d = 128; d > 0; d >>= 1) {
    if (t < d) part[t] += part[t + d];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, part[0]);
}

extern "C" __global__ void lanes(int* out, const int* in) {
  const int t = threadIdx.x;
  int v = in[t];
  v += __shfl_xor(v, 1) + __shfl_down(v, 4) + __shfl(v, 7);
  const unsigned long long b = __ballot(v > 3);
  v += __popcll(b & ((1ull << t) - 1)) + __any(v == 9) + __builtin_amdgcn_readfirstlane(v);
  v += __builtin_amdgcn_mov_dpp(v, 0x1b, 0xf, 0xf, true) + __builtin_amdgcn_ds_swizzle(v, 0x041f);
  out[t] = v;
}

extern "C" __global__ void atomics(unsigned* u, unsigned long long* w, int k) {
  __shared__ unsigned bins[64];
  const unsigned t = threadIdx.x;
  bins[t & 63] = 0;
  __syncthreads();
  atomicAdd(&bins[u[t] & 63], 1u);
  atomicMax(&bins[t & 31], t);
  __syncthreads();
  u[t + 64] = atomicCAS(&u[k], t, bins[t & 63]);
  w[t] = atomicAdd(&w[k], 5ull) + atomicExch(&w[k + 1], static_cast<unsigned long long>(t)) + clock64();
  atomicXor(u, t);
  __threadfence();
}

extern "C" __global__ void scratch(int* out, const int* in, int n) {
  int buffer[40];
  for (int i = 0; i < 40; ++i) buffer[i] = in[i * n];
  int s = 0;
  for (int i = 0; i < n; ++i) s += buffer[in[i] % 40] * i;
  buffer[s % 40 < 0 ? 0 : s % 40] = 5;
  struct wide {
    int4 a;
    int2 b;
  } w = {reinterpret_cast<const int4*>(in)[threadIdx.x], {buffer[in[2] & 31], s}};
  reinterpret_cast<wide*>(out)[threadIdx.x] = w;
}
// SPDX-License-Identifier: Apache-2.0
