// Operations on nothing: copies, sets and allocations of zero bytes succeed, launches with an empty grid are refused,
// synchronising idle streams and events is allowed.
#include "check.h"

__global__ void never(int* data) {
  data[0] = 1;
}

int main() {
  check::device_array<int> data(std::vector<int>{7});
  int host = 3;
  HIP_CHECK(hipMemcpy(data.get(), &host, 0, hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy(&host, data.get(), 0, hipMemcpyDeviceToHost));
  HIP_CHECK(hipMemcpyAsync(data.get(), &host, 0, hipMemcpyHostToDevice, nullptr));
  HIP_CHECK(hipMemset(data.get(), 1, 0));
  HIP_CHECK(hipMemcpy2D(data.get(), 4, &host, 4, 0, 5, hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy2D(data.get(), 4, &host, 4, 4, 0, hipMemcpyHostToDevice));
  void* nothing = &host;
  HIP_CHECK(hipMalloc(&nothing, 0));
  CHECK(nothing == nullptr, "hipMalloc of 0 bytes gave a pointer");
  HIP_CHECK(hipFree(nothing));

  for (const dim3 grid : {dim3(0), dim3(1, 0), dim3(1, 1, 0)}) {
    never<<<grid, 64>>>(data.get());
    const hipError_t error = hipGetLastError();
    CHECK(error == hipErrorInvalidConfiguration || error == hipErrorInvalidValue, "empty grid: %s",
          hipGetErrorName(error));
  }
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipStreamSynchronize(nullptr));
  HIP_CHECK(hipStreamQuery(nullptr));
  hipEvent_t event;
  HIP_CHECK(hipEventCreate(&event));
  HIP_CHECK(hipEventQuery(event));  // never recorded: nothing to wait for
  HIP_CHECK(hipEventSynchronize(event));
  HIP_CHECK(hipStreamWaitEvent(nullptr, event, 0));
  HIP_CHECK(hipEventDestroy(event));
  CHECK(host == 3, "host value is %d", host);
  CHECK_SAME("device value", data.download(), std::vector<int>{7});
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
