// Branches that must not be split, each at a line that the test knows by its comment.
#include <hip/hip_runtime.h>

#include <cstdint>

__device__ inline uint32_t mix(uint32_t v) {
  v ^= v << 13;
  v ^= v >> 17;
  v ^= v << 5;
  return v * 0x85ebca6bu + 0x1b873593u;
}
__device__ __attribute__((noinline)) uint32_t called(uint32_t v) {
  return mix(mix(v) + 1);
}

extern "C" __global__ void barrier_inside(uint32_t* data) {
  __shared__ uint32_t shared[256];
  uint32_t v = data[threadIdx.x];
  if (v & 1) {  // branch: barrier_inside
    shared[threadIdx.x] = mix(v);
    __syncthreads();
    v = mix(v + 2);
  } else {
    shared[threadIdx.x] = mix(v + 1);
    v = mix(v ^ 99);
  }
  data[threadIdx.x] = v + shared[threadIdx.x];
}

extern "C" __global__ void shuffle_inside(uint32_t* data) {
  uint32_t v = data[threadIdx.x];
  if (v & 1) {  // branch: shuffle_inside
    v = mix(v) + static_cast<uint32_t>(__shfl_xor(static_cast<int>(v), 1));
  } else {
    v = mix(v + 3) ^ 7;
  }
  data[threadIdx.x] = v;
}

extern "C" __global__ void call_inside(uint32_t* data) {
  uint32_t v = data[threadIdx.x];
  if (v & 1) {  // branch: call_inside
    v = called(v) + 1;
  } else {
    v = mix(v + 3);
  }
  data[threadIdx.x] = v;
}

extern "C" __global__ void trap_inside(uint32_t* data) {
  uint32_t v = data[threadIdx.x];
  if (v & 1) {  // branch: trap_inside
    v = mix(v);
    if (v == 0x12345678u) __builtin_trap();
  } else {
    v = mix(v + 3);
  }
  data[threadIdx.x] = v;
}

// The first active work-item is one of its own side: this one may be split.
extern "C" __global__ void first_lane_inside(uint32_t* data) {
  uint32_t v = data[threadIdx.x];
  if (v & 1) {  // branch: first_lane_inside
    v = mix(v) + (static_cast<uint32_t>(__builtin_amdgcn_readfirstlane(static_cast<int>(threadIdx.x))) & 1);
  } else {
    v = mix(v + 3);
  }
  data[threadIdx.x] = v;
}

extern "C" __global__ void one_side(uint32_t* data) {
  uint32_t v = data[threadIdx.x];
  if (v & 1) {  // branch: one_side
    v = mix(mix(v) + data[v & 63]);
  }
  data[threadIdx.x] = v;
}

extern "C" __global__ void loop_exit(uint32_t* data) {
  uint32_t v = data[threadIdx.x];
  while ((v & 0xf) != 3) {  // branch: loop_exit
    v = mix(v);
  }
  data[threadIdx.x] = v;
}
// SPDX-License-Identifier: Apache-2.0
