// misuses: memory
// Wrong use is answered with an error code, does nothing, and leaves the device usable: double free, foreign pointers,
// copies past the end, impossible launches, too much memory, null arguments, destroyed handles.
#include "check.h"

__global__ void mark(int* data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] = 5;
}

static void launch_fails(dim3 grid, dim3 block, size_t lds, int* data) {
  mark<<<grid, block, lds>>>(data);
  const hipError_t error = hipGetLastError();
  CHECK(error != hipSuccess, "a launch of %u x %u x %u blocks of %u x %u x %u with %zu bytes of LDS was accepted",
        grid.x, grid.y, grid.z, block.x, block.y, block.z, lds);
  HIP_CHECK(hipGetLastError());
}

int main() {
  const size_t n = 1000;
  int* data;
  HIP_CHECK(hipMalloc(&data, n * sizeof(int)));
  HIP_CHECK(hipMemset(data, 0, n * sizeof(int)));
  std::vector<int> host(2 * n, 9);

  // Memory.
  int* freed;
  HIP_CHECK(hipMalloc(&freed, 64));
  HIP_CHECK(hipFree(freed));
  EXPECT_ERROR(hipErrorInvalidValue, hipFree(freed));
  EXPECT_ERROR(hipErrorInvalidValue, hipFree(host.data()));
  EXPECT_ERROR(hipErrorInvalidValue, hipHostFree(host.data()));
  HIP_CHECK(hipFree(nullptr));
  void* huge = nullptr;
  EXPECT_ERROR(hipErrorOutOfMemory, hipMalloc(&huge, ~size_t{0} / 2));
  EXPECT_ERROR(hipErrorInvalidValue, hipMalloc(static_cast<void**>(nullptr), 16));

  // Copies.
  EXPECT_ERROR(hipErrorInvalidValue, hipMemcpy(data, host.data(), (n + 1) * sizeof(int), hipMemcpyHostToDevice));
  EXPECT_ERROR(hipErrorInvalidValue, hipMemcpy(data + 500, host.data(), n * sizeof(int), hipMemcpyHostToDevice));
  EXPECT_ERROR(hipErrorInvalidValue, hipMemcpy(host.data(), data + 1, n * sizeof(int), hipMemcpyDeviceToHost));
  EXPECT_ERROR(hipErrorInvalidValue, hipMemcpy(nullptr, data, 4, hipMemcpyDeviceToHost));
  EXPECT_ERROR(hipErrorInvalidValue, hipMemcpy(host.data(), nullptr, 4, hipMemcpyDeviceToHost));
  EXPECT_ERROR(hipErrorInvalidMemcpyDirection, hipMemcpy(host.data(), data, 4, static_cast<hipMemcpyKind>(77)));
  EXPECT_ERROR(hipErrorInvalidValue, hipMemset(data, 1, (n + 1) * sizeof(int)));

  // Launches.
  mark<<<1, 2048>>>(data);
  EXPECT_ERROR(hipErrorInvalidConfiguration, hipGetLastError());
  mark<<<1, dim3(32, 33)>>>(data);
  EXPECT_ERROR(hipErrorInvalidConfiguration, hipGetLastError());
  launch_fails(dim3(1), dim3(0), 0, data);
  launch_fails(dim3(1), dim3(64, 0), 0, data);
  launch_fails(dim3(1), dim3(64), 1u << 20, data);
  launch_fails(dim3(0x7fffffff), dim3(1024), 0, data);  // more than 2^32 work-items in one dimension
  int dummy = 0;
  EXPECT_ERROR(hipErrorInvalidDeviceFunction, hipLaunchKernel(&dummy, dim3(1), dim3(64), nullptr, 0, nullptr));

  // Handles and null arguments.
  hipStream_t stream;
  EXPECT_ERROR(hipErrorInvalidValue, hipStreamCreate(nullptr));
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipStreamDestroy(stream));
  EXPECT_ERROR(hipErrorInvalidValue, hipEventCreate(nullptr));
  CHECK(hipEventSynchronize(nullptr) != hipSuccess, "hipEventSynchronize(nullptr) succeeded");
  EXPECT_ERROR(hipErrorInvalidValue, hipGetDeviceCount(nullptr));
  EXPECT_ERROR(hipErrorInvalidValue, hipGetDeviceProperties(nullptr, 0));

  // None of it has changed anything, and everything still works.
  std::vector<int> got(n);
  HIP_CHECK(hipMemcpy(got.data(), data, n * sizeof(int), hipMemcpyDeviceToHost));
  CHECK_SAME("untouched", got, std::vector<int>(n, 0));
  mark<<<10, 100>>>(data);
  CHECK_LAUNCH();
  HIP_CHECK(hipMemcpy(got.data(), data, n * sizeof(int), hipMemcpyDeviceToHost));
  CHECK_SAME("marked", got, std::vector<int>(n, 5));
  HIP_CHECK(hipFree(data));
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
