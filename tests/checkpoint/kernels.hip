// SPDX-License-Identifier: Apache-2.0
// Kernels whose results show in what order wavefronts ran, and whose launches leave something behind: lines in caches,
// memory of device code, messages.
#include <hip/hip_runtime.h>

// Each wavefront takes numbers in turn, in both sides of a branch and around barriers; private memory and LDS are in
// use meanwhile.
extern "C" __global__ __launch_bounds__(256) void tickets(unsigned* next, unsigned* order, unsigned* sums, unsigned rounds) {
  __shared__ unsigned tile[256];
  const unsigned t = threadIdx.x, g = blockIdx.x * blockDim.x + t;
  unsigned mine[9];
  for (unsigned k = 0; k < 9; ++k) mine[k] = g * 2654435761u + k;
  unsigned sum = 0;
  for (unsigned k = 0; k < rounds; ++k) {
    if ((g >> (k % 6) & 1) != 0) {
      const unsigned n = atomicAdd(next, 1u);
      order[n % 4096] = g;
      sum = sum * 31 + n;
    } else {
      for (unsigned j = 0; j <= g % 5; ++j) sum ^= mine[(sum + j) % 9] >> j;
      mine[(sum + k) % 9] += k;
    }
    tile[t] = sum;
    __syncthreads();
    sum += tile[(t * 7 + k) % 256];
    __syncthreads();
  }
  sums[g] += sum + mine[sum % 9];
}

// Reads and writes in strides, so that lines come and go.
extern "C" __global__ void strides(unsigned* data, unsigned n, unsigned stride) {
  const unsigned g = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned at = (g * stride + k * 977) % n;
    if (data[at] % 3 == 0)
      data[at] += g;
    else
      data[(at + 1) % n] ^= k;
  }
}

// The first wavefront waits for the last one: by the clock, and by memory.
extern "C" __global__ void waits(unsigned* flag, unsigned* out) {
  const unsigned g = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  if (g < 64) {
    const unsigned long long begin = clock64();
    while (clock64() - begin < 5000) {
    }
    while (__hip_atomic_load(flag, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) < n / 64 - 1) __builtin_amdgcn_s_sleep(2);
  } else if (g % 64 == 0) {
    __hip_atomic_fetch_add(flag, 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  }
  out[g] += static_cast<unsigned>(clock64());
}

// Device memory that lives from one launch to the next one.
extern "C" __global__ void takes(unsigned** lists) {
  const unsigned g = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* const mine = static_cast<unsigned*>(malloc((g % 7 + 1) * sizeof(unsigned)));
  for (unsigned k = 0; k <= g % 7; ++k) mine[k] = g + k;
  lists[g] = mine;
  if (g % 50 == 0) printf("%u has %u\n", g, g % 7 + 1);
}
extern "C" __global__ void gives(unsigned** lists, unsigned* out) {
  const unsigned g = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = 0;
  for (unsigned k = 0; k <= g % 7; ++k) sum += lists[g][k];
  free(lists[g]);
  lists[g] = nullptr;
  out[g] = sum;
}
