// SPDX-License-Identifier: Apache-2.0
#include <hip/hip_runtime.h>

// Squares the numbers of `blocks` blocks, of a workgroup's size each. Workgroups, of this GPU and of others, take the
// next block from *next; *done counts those that this GPU has done.
extern "C" __global__ void square_blocks(unsigned* data, unsigned* next, unsigned* done, unsigned blocks) {
  __shared__ unsigned taken;
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0) taken = atomicAdd(next, 1u);
    __syncthreads();
    if (taken >= blocks) break;
    unsigned* const mine = &data[taken * blockDim.x + threadIdx.x];
    *mine = *mine * *mine;
    if (threadIdx.x == 0) atomicAdd(done, 1u);
  }
}
