// Devices and their properties: hipGetDeviceCount, hipSetDevice, hipGetDeviceProperties, hipDeviceGetAttribute,
// hipDeviceGetName, hipMemGetInfo, versions, limits; the answers agree with each other and with what kernels see.
#include "check.h"

__global__ void see(int* out) {
  if (threadIdx.x == 0) out[0] = warpSize;
}

static int attribute(hipDeviceAttribute_t which) {
  int value = -1;
  HIP_CHECK(hipDeviceGetAttribute(&value, which, 0));
  return value;
}

int main() {
  HIP_CHECK(hipInit(0));
  int count = 0, current = -1;
  HIP_CHECK(hipGetDeviceCount(&count));
  CHECK(count >= 1, "%d devices", count);
  HIP_CHECK(hipSetDevice(0));
  HIP_CHECK(hipGetDevice(&current));
  CHECK(current == 0, "current device is %d", current);
  EXPECT_ERROR(hipErrorInvalidDevice, hipSetDevice(count));
  EXPECT_ERROR(hipErrorInvalidDevice, hipSetDevice(-1));

  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  EXPECT_ERROR(hipErrorInvalidDevice, hipGetDeviceProperties(&properties, count));
  CHECK(properties.warpSize == 64, "warpSize %d", properties.warpSize);
  CHECK(std::string(properties.gcnArchName).find("gfx803") == 0, "architecture %s", properties.gcnArchName);
  CHECK(properties.name[0] != '\0', "the device has no name");
  CHECK(properties.maxThreadsPerBlock == 1024, "maxThreadsPerBlock %d", properties.maxThreadsPerBlock);
  CHECK(properties.sharedMemPerBlock == 65536, "sharedMemPerBlock %zu", properties.sharedMemPerBlock);
  CHECK(properties.multiProcessorCount >= 1, "%d compute units", properties.multiProcessorCount);
  CHECK(properties.clockRate > 0, "clock rate %d kHz", properties.clockRate);
  CHECK(properties.maxThreadsPerMultiProcessor >= 64, "maxThreadsPerMultiProcessor %d",
        properties.maxThreadsPerMultiProcessor);
  for (int d = 0; d < 3; ++d) {
    CHECK(properties.maxThreadsDim[d] >= 64 && properties.maxGridSize[d] >= 65535, "dimension %d: %d, %d", d,
          properties.maxThreadsDim[d], properties.maxGridSize[d]);
  }

  CHECK(attribute(hipDeviceAttributeWarpSize) == properties.warpSize, "attribute and property differ");
  CHECK(attribute(hipDeviceAttributeMaxThreadsPerBlock) == properties.maxThreadsPerBlock,
        "attribute and property differ");
  CHECK(attribute(hipDeviceAttributeMultiprocessorCount) == properties.multiProcessorCount,
        "attribute and property differ");
  CHECK(attribute(hipDeviceAttributeMaxSharedMemoryPerBlock) == static_cast<int>(properties.sharedMemPerBlock),
        "attribute and property differ");
  CHECK(attribute(hipDeviceAttributeClockRate) == properties.clockRate, "attribute and property differ");

  hipDevice_t device;
  char name[256];
  HIP_CHECK(hipDeviceGet(&device, 0));
  HIP_CHECK(hipDeviceGetName(name, sizeof name, device));
  CHECK(std::strcmp(name, properties.name) == 0, "names %s and %s", name, properties.name);
  size_t total = 0, device_total = 0, free_before = 0, free_after = 0, free_again = 0;
  HIP_CHECK(hipDeviceTotalMem(&device_total, device));
  HIP_CHECK(hipMemGetInfo(&free_before, &total));
  CHECK(total == properties.totalGlobalMem && total == device_total, "total memory %zu, %zu, %zu", total,
        properties.totalGlobalMem, device_total);
  void* block;
  HIP_CHECK(hipMalloc(&block, 3u << 20));
  HIP_CHECK(hipMemGetInfo(&free_after, &total));
  HIP_CHECK(hipFree(block));
  HIP_CHECK(hipMemGetInfo(&free_again, &total));
  CHECK(free_before <= total && free_after + (3u << 20) <= free_before, "free memory %zu, after hipMalloc %zu of %zu",
        free_before, free_after, total);
  CHECK(free_again == free_before, "free memory %zu before, %zu after hipMalloc and hipFree", free_before, free_again);

  int runtime = 0, driver = 0;
  HIP_CHECK(hipRuntimeGetVersion(&runtime));
  HIP_CHECK(hipDriverGetVersion(&driver));
  CHECK(runtime > 0 && driver > 0, "versions %d, %d", runtime, driver);

  check::device_array<int> out(1);
  see<<<1, 64>>>(out.get());
  CHECK_LAUNCH();
  CHECK(out.download()[0] == properties.warpSize, "a kernel sees warpSize %d", out.download()[0]);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
