// What is a pointer? hipPointerGetAttributes of device, pinned, managed and foreign memory, hipMemGetAddressRange,
// copies with hipMemcpyDefault between all kinds, hipMemcpyDtoH/HtoD/DtoD.
#include "check.h"

int main() {
  const size_t n = 100;
  const size_t bytes = n * sizeof(int);
  int *device, *pinned, *managed;
  std::vector<int> plain(n);
  for (size_t i = 0; i < n; ++i) plain[i] = static_cast<int>(i * i);
  HIP_CHECK(hipMalloc(&device, bytes));
  HIP_CHECK(hipHostMalloc(&pinned, bytes, hipHostMallocDefault));
  HIP_CHECK(hipMallocManaged(&managed, bytes));

  hipPointerAttribute_t attributes;
  HIP_CHECK(hipPointerGetAttributes(&attributes, device + 7));
  CHECK(attributes.memoryType == hipMemoryTypeDevice, "device memory has type %d",
        static_cast<int>(attributes.memoryType));
  CHECK(attributes.device == 0, "device memory is on device %d", attributes.device);
  CHECK(attributes.devicePointer == device + 7, "device pointer %p of %p", attributes.devicePointer,
        static_cast<void*>(device + 7));
  HIP_CHECK(hipPointerGetAttributes(&attributes, pinned));
  CHECK(attributes.memoryType == hipMemoryTypeHost, "pinned memory has type %d",
        static_cast<int>(attributes.memoryType));
  CHECK(attributes.hostPointer == pinned, "host pointer %p of %p", attributes.hostPointer, static_cast<void*>(pinned));
  HIP_CHECK(hipPointerGetAttributes(&attributes, managed));
  CHECK(attributes.isManaged != 0, "managed memory is not managed");
  EXPECT_ERROR(hipErrorInvalidValue, hipPointerGetAttributes(&attributes, plain.data()));
  EXPECT_ERROR(hipErrorInvalidValue, hipPointerGetAttributes(nullptr, device));

  hipDeviceptr_t base = nullptr;
  size_t size = 0;
  HIP_CHECK(hipMemGetAddressRange(&base, &size, device + 50));
  CHECK(base == device && size == bytes, "range %p + %zu of %p + %zu", base, size, static_cast<void*>(device), bytes);

  HIP_CHECK(hipMemcpy(pinned, plain.data(), bytes, hipMemcpyDefault));
  HIP_CHECK(hipMemcpy(device, pinned, bytes, hipMemcpyDefault));
  HIP_CHECK(hipMemcpy(managed, device, bytes, hipMemcpyDefault));
  std::vector<int> back(n, 0);
  HIP_CHECK(hipMemcpy(back.data(), managed, bytes, hipMemcpyDefault));
  CHECK_SAME("through all kinds", back, plain);
  HIP_CHECK(hipMemcpy(back.data() + 1, plain.data(), bytes - 4, hipMemcpyHostToHost));
  CHECK(back[99] == 98 * 98, "host to host: %d", back[99]);

  int* other;
  HIP_CHECK(hipMalloc(&other, bytes));
  HIP_CHECK(hipMemcpyHtoD(device + 10, plain.data(), 40));
  HIP_CHECK(hipMemcpyDtoD(other, device, bytes));
  HIP_CHECK(hipMemcpyDtoH(back.data(), other, bytes));
  for (size_t i = 0; i < n; ++i) {
    const int want = plain[i >= 10 && i < 20 ? i - 10 : i];
    CHECK(back[i] == want, "[%zu] is %d, expected %d", i, back[i], want);
  }
  // Odd address, odd length.
  HIP_CHECK(hipMemcpy(reinterpret_cast<char*>(other) + 1, plain.data(), 5, hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy(back.data(), other, bytes, hipMemcpyDeviceToHost));
  CHECK(std::memcmp(reinterpret_cast<char*>(back.data()) + 1, plain.data(), 5) == 0, "copy to an odd address");
  HIP_CHECK(hipFree(device));
  HIP_CHECK(hipFree(other));
  HIP_CHECK(hipFree(managed));
  HIP_CHECK(hipHostFree(pinned));
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
