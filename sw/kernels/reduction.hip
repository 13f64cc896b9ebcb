// One partial sum per workgroup, by a tree in LDS.
//
//   partial[g] = sum of input[g * W .. (g + 1) * W - 1], elements from n on counting as 0, W the workgroup size
//
// Arguments: input    i32[n] (reduction) or f32[n] (reduction_f32)
//            partial  one element per workgroup, output
//            n        elements
// Shapes:    1-D. reduction: workgroup 256, static LDS 1 KiB. reduction_f32: workgroup any power of two up to 1024,
//            dynamic LDS of 4 bytes per work-item.
// Rounding:  i32 wraps around. f32: in step s = W/2, W/4 .. 1, element j < s gets element j + s added on its right.
// Exercises: barriers over several wavefronts, a tree whose active half shrinks until whole wavefronts and then lanes
//            are off, dynamic LDS, the workgroup size read from the dispatch packet.
#include <hip/hip_runtime.h>

constexpr unsigned group_size = 256;

extern "C" __global__ __launch_bounds__(group_size) void reduction(const int* input, int* partial, unsigned n) {
  __shared__ int sum[group_size];
  const unsigned local = threadIdx.x;
  const unsigned i = blockIdx.x * group_size + local;
  sum[local] = i < n ? input[i] : 0;
  __syncthreads();
  for (unsigned stride = group_size / 2; stride > 0; stride /= 2) {
    if (local < stride) sum[local] += sum[local + stride];
    __syncthreads();
  }
  if (local == 0) partial[blockIdx.x] = sum[0];
}

extern "C" __global__ void reduction_f32(const float* input, float* partial, unsigned n) {
  extern __shared__ float dynamic_sum[];
  const unsigned local = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + local;
  dynamic_sum[local] = i < n ? input[i] : 0.0f;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (local < stride) dynamic_sum[local] = dynamic_sum[local] + dynamic_sum[local + stride];
    __syncthreads();
  }
  if (local == 0) partial[blockIdx.x] = dynamic_sum[0];
}
// SPDX-License-Identifier: Apache-2.0
