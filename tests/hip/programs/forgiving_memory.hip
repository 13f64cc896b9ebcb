// What ROCm's runtime does with memory where the documentation leaves room: copies go by the pointers, whatever their
// kind says; hipFree and hipHostFree take each other's memory; fills and copies reach registered memory by both of its
// addresses; what is left of the memory counts neither pinned memory nor what the runtime needs for itself.
#include "check.h"

__global__ void add_one(int* data) {
  data[threadIdx.x] += 1;
}

static size_t left() {
  size_t unused = 0, total = 0;
  HIP_CHECK(hipMemGetInfo(&unused, &total));
  CHECK(unused <= total, "%zu bytes of %zu are left", unused, total);
  return unused;
}

int main() {
  constexpr int n = 64;
  constexpr size_t bytes = n * sizeof(int);
  const size_t at_first = left();
  std::vector<int> host(n, 7), back(n);

  // Kinds.
  int *device, *other;
  HIP_CHECK(hipMalloc(&device, bytes));
  HIP_CHECK(hipMalloc(&other, bytes));
  for (const hipMemcpyKind kind :
       {hipMemcpyHostToHost, hipMemcpyHostToDevice, hipMemcpyDeviceToHost, hipMemcpyDeviceToDevice}) {
    HIP_CHECK(hipMemset(device, 0, bytes));
    HIP_CHECK(hipMemcpy(device, host.data(), bytes, kind));
    HIP_CHECK(hipMemcpy(other, device, bytes, kind));
    back.assign(n, 0);
    HIP_CHECK(hipMemcpy2D(back.data(), 16, other, 16, 16, n / 4, kind));
    CHECK_SAME("copies of any kind", back, host);
  }
  HIP_CHECK(hipMemcpy(back.data(), host.data(), bytes, hipMemcpyHostToHost));
  EXPECT_ERROR(hipErrorInvalidValue, hipMemcpy(back.data(), host.data(), bytes, hipMemcpyHostToDevice));
  EXPECT_ERROR(hipErrorInvalidValue, hipMemcpy(back.data(), host.data(), bytes, hipMemcpyDeviceToDevice));

  // Registered memory by its address on the device.
  std::vector<int> registered(n, 1);
  int* there;
  const size_t unregistered = left();
  HIP_CHECK(hipHostRegister(registered.data(), bytes, hipHostRegisterDefault));
  CHECK(left() == unregistered, "registered memory counts as device memory: %zu bytes", unregistered - left());
  HIP_CHECK(hipHostGetDevicePointer(reinterpret_cast<void**>(&there), registered.data(), 0));
  HIP_CHECK(hipMemsetD32(there, 40, n));
  CHECK_SAME("a fill", registered, std::vector<int>(n, 40));
  add_one<<<1, n>>>(there);
  CHECK_LAUNCH();
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_SAME("a launch behind it", registered, std::vector<int>(n, 41));
  HIP_CHECK(hipMemcpy(there, host.data(), bytes, hipMemcpyHostToDevice));
  CHECK_SAME("a copy to it", registered, host);
  registered.assign(n, 3);
  HIP_CHECK(hipMemcpy(back.data(), there, bytes, hipMemcpyDeviceToHost));
  CHECK_SAME("a copy of what the host has written", back, registered);
  HIP_CHECK(hipMemset(registered.data() + n - 1, 0, sizeof(int)));
  CHECK(registered[n - 1] == 0 && registered[n - 2] == 3, "a fill by the host's address");
  EXPECT_ERROR(hipErrorInvalidValue, hipMemset(there + n - 1, 0, 2 * sizeof(int)));
  EXPECT_ERROR(hipErrorInvalidValue, hipFree(there));
  EXPECT_ERROR(hipErrorInvalidValue, hipMemset(host.data(), 0, sizeof(int)));
  HIP_CHECK(hipHostUnregister(registered.data()));

  // Freed by the other function; what is left.
  const size_t before = left();
  int* pinned;
  HIP_CHECK(hipHostMalloc(&pinned, 1 << 20));
  CHECK(left() == before, "pinned memory counts as device memory: %zu bytes", before - left());
  HIP_CHECK(hipFree(pinned));
  int* managed;
  HIP_CHECK(hipMallocManaged(&managed, 1 << 20));
  CHECK(before - left() >= 1 << 20, "managed memory does not count");
  HIP_CHECK(hipHostFree(managed));
  int* large;
  HIP_CHECK(hipMalloc(&large, 1 << 20));
  HIP_CHECK(hipHostFree(large));
  EXPECT_ERROR(hipErrorInvalidValue, hipHostFree(large));
  CHECK(left() == before, "%zu bytes are left, %zu were", left(), before);
  HIP_CHECK(hipFree(device));
  HIP_CHECK(hipFree(other));
  CHECK(left() == at_first, "%zu bytes are left, %zu were", left(), at_first);
  // All that is said to be left can be had.
  HIP_CHECK(hipMalloc(&large, left()));
  add_one<<<1, n>>>(large);
  CHECK_LAUNCH();
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipFree(large));
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
