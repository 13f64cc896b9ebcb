// Flags and limits: those that there are, and those that are refused.
#include "check.h"

int main() {
  unsigned flags = 99;
  for (const unsigned good :
       std::vector<unsigned>{hipDeviceScheduleAuto, hipDeviceScheduleSpin, hipDeviceScheduleYield,
                             hipDeviceScheduleBlockingSync, hipDeviceScheduleSpin | hipDeviceMapHost}) {
    HIP_CHECK(hipSetDeviceFlags(good));
    HIP_CHECK(hipGetDeviceFlags(&flags));
    CHECK(flags == good, "flags %u, expected %u", flags, good);
  }
  for (const unsigned bad : std::vector<unsigned>{hipDeviceScheduleSpin | hipDeviceScheduleYield, 0x100u, ~0u})
    EXPECT_ERROR(hipErrorInvalidValue, hipSetDeviceFlags(bad));
  HIP_CHECK(hipGetDeviceFlags(&flags));
  CHECK(flags == (hipDeviceScheduleSpin | hipDeviceMapHost), "refused flags have changed them: %u", flags);

  void* pinned;
  EXPECT_ERROR(hipErrorInvalidValue, hipHostMalloc(&pinned, 64, 0x1000));
  EXPECT_ERROR(hipErrorInvalidValue, hipHostMalloc(&pinned, 64, hipHostMallocCoherent | hipHostMallocNonCoherent));
  int* managed;
  HIP_CHECK(hipMallocManaged(&managed, 64));
  HIP_CHECK(hipMemPrefetchAsync(managed, 64, 0, nullptr));
  EXPECT_ERROR(hipErrorInvalidValue, hipMemPrefetchAsync(managed, 0, 0, nullptr));
  HIP_CHECK(hipFree(managed));

  hipDeviceProp_t p;
  int constants = 0;
  HIP_CHECK(hipGetDeviceProperties(&p, 0));
  HIP_CHECK(hipDeviceGetAttribute(&constants, hipDeviceAttributeTotalConstantMemory, 0));
  CHECK(p.totalConstMem == static_cast<size_t>(constants), "%zu and %d bytes of constant memory", p.totalConstMem,
        constants);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
