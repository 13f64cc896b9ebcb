// The ways to launch a kernel: <<<>>>, hipLaunchKernelGGL (with a template), hipLaunchKernel with an argument array,
// hipExtLaunchKernelGGL and
// hipExtLaunchKernel with events; stream and LDS given in each.
#include <hip/hip_ext.h>

#include "check.h"

template <typename T>
__global__ void add(T* data, T value, int n) {
  extern __shared__ int staging[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  staging[threadIdx.x] = i;
  __syncthreads();
  if (i < n) data[staging[threadIdx.x]] += value;
}

int main() {
  const int n = 301;
  const dim3 block(100), grid(check::blocks_for(n, 100));
  const size_t lds = 100 * sizeof(int);
  check::device_array<int> ints(n);
  check::device_array<double> doubles(n);
  ints.fill(0);
  doubles.fill(0);
  hipStream_t stream;
  hipEvent_t start, stop;
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipEventCreate(&start));
  HIP_CHECK(hipEventCreate(&stop));
  HIP_CHECK(hipDeviceSynchronize());

  add<<<grid, block, lds, stream>>>(ints.get(), 1, n);
  CHECK_LAUNCH();
  hipLaunchKernelGGL(HIP_KERNEL_NAME(add<int>), grid, block, lds, stream, ints.get(), 10, n);
  CHECK_LAUNCH();
  hipLaunchKernelGGL(add<double>, grid, block, lds, stream, doubles.get(), 0.5, n);
  CHECK_LAUNCH();
  int* pointer = ints.get();
  int value = 100;
  int count = n;
  void* arguments[] = {&pointer, &value, &count};
  HIP_CHECK(hipLaunchKernel(reinterpret_cast<const void*>(add<int>), grid, block, arguments, lds, stream));
  hipExtLaunchKernelGGL(add<int>, grid, block, lds, stream, start, stop, 0, ints.get(), 1000, n);
  CHECK_LAUNCH();
  value = 10000;
  HIP_CHECK(hipExtLaunchKernel(reinterpret_cast<const void*>(add<int>), grid, block, arguments, lds, stream, nullptr,
                               nullptr, 0));
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_SAME("int", ints.download(), std::vector<int>(n, 11111));
  CHECK_SAME("double", doubles.download(), std::vector<double>(n, 0.5));
  float milliseconds = -1;
  HIP_CHECK(hipEventSynchronize(stop));
  HIP_CHECK(hipEventElapsedTime(&milliseconds, start, stop));
  CHECK(milliseconds >= 0, "elapsed time %g ms", static_cast<double>(milliseconds));
  HIP_CHECK(hipEventDestroy(start));
  HIP_CHECK(hipEventDestroy(stop));
  HIP_CHECK(hipStreamDestroy(stream));
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
