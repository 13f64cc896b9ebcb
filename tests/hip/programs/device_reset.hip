// flags: --hip-version
// timing: yes
// unchecked: they do not live through a reset after a fault
// hsaco: device_reset_module.hip
// hipDeviceReset: memory is free again and handles are none any more; variables are as they were at first; the device
// goes on being used, also after a kernel went wrong or an assert failed.
#undef NDEBUG
#include <cassert>

#include "check.h"

__device__ int counter = 7;
__managed__ int shared_counter = 11;

__global__ void count(int* data) {
  data[threadIdx.x] = ++counter + ++shared_counter;
}
__global__ void wild_store(int* data, size_t offset) {
  data[offset + threadIdx.x] = 1;
}
__global__ void refuse(int bad) {
  assert(static_cast<int>(threadIdx.x) != bad);
}
__global__ void forever_barrier(int* data) {
  if (threadIdx.x < 64) __syncthreads();
  data[threadIdx.x] = 1;
  __builtin_trap();
}

// Everything works, from fresh variables on.
static void use(const char* module_file) {
  int* data;
  HIP_CHECK(hipMalloc(&data, 64 * sizeof(int)));
  count<<<1, 1>>>(data);
  CHECK_LAUNCH();
  int got = 0;
  HIP_CHECK(hipMemcpy(&got, data, sizeof got, hipMemcpyDeviceToHost));
  CHECK(got == 8 + 12, "counters begin elsewhere: %d", got);
  CHECK(shared_counter == 12, "the host sees %d", shared_counter);
  int value = 0;
  HIP_CHECK(hipMemcpyFromSymbol(&value, HIP_SYMBOL(counter), sizeof value));
  CHECK(value == 8, "the variable is %d", value);

  hipModule_t module;
  hipFunction_t add_one;
  HIP_CHECK(hipModuleLoad(&module, module_file));
  HIP_CHECK(hipModuleGetFunction(&add_one, module, "add_one"));
  void* arguments[] = {&data};
  HIP_CHECK(hipModuleLaunchKernel(add_one, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  HIP_CHECK(hipMemcpy(&got, data, sizeof got, hipMemcpyDeviceToHost));
  CHECK(got == 21, "the module's kernel gave %d", got);
  // Nothing is freed: that is what reset is for.
}

// What there was is there no more.
static void leave_and_reset() {
  int *block, *pinned;
  std::vector<int> host(100, 3);
  hipStream_t stream;
  hipEvent_t event;
  size_t free_before = 0, free_after = 0, total = 0;
  HIP_CHECK(hipMalloc(&block, 1 << 20));
  HIP_CHECK(hipHostMalloc(&pinned, 4096, 0));
  HIP_CHECK(hipHostRegister(host.data(), host.size() * sizeof(int), 0));
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipEventCreate(&event));
  HIP_CHECK(hipEventRecord(event, stream));
  HIP_CHECK(hipMemGetInfo(&free_before, &total));
  HIP_CHECK(hipDeviceReset());
  HIP_CHECK(hipMemGetInfo(&free_after, &total));
  CHECK(free_after >= free_before + (1 << 20), "free memory: %zu before and %zu after a reset", free_before,
        free_after);
  EXPECT_ERROR(hipErrorInvalidValue, hipFree(block));
  EXPECT_ERROR(hipErrorInvalidValue, hipHostFree(pinned));
  EXPECT_ERROR(hipErrorHostMemoryNotRegistered, hipHostUnregister(host.data()));
  EXPECT_ERROR(hipErrorInvalidHandle, hipStreamDestroy(stream));
  EXPECT_ERROR(hipErrorInvalidHandle, hipEventDestroy(event));
  CHECK(host[99] == 3, "registered memory has changed");
}

static void goes_wrong(hipError_t code, const char* what) {
  const hipError_t launched = hipGetLastError();
  CHECK(launched == hipSuccess || launched == code, "%s: the launch gave %s", what, hipGetErrorName(launched));
  EXPECT_ERROR(code, hipDeviceSynchronize());
  EXPECT_ERROR(code, hipDeviceSynchronize());
  count<<<1, 1>>>(nullptr);
  CHECK(hipGetLastError() != hipSuccess, "%s: a launch on a broken device", what);
}

int main(int, char** argv) {
  HIP_CHECK(hipDeviceReset());
  for (int round = 0; round < 3; ++round) {
    use(argv[1]);
    leave_and_reset();
  }
  check::device_array<int>* data = new check::device_array<int>(100);
  wild_store<<<1, 64>>>(data->get(), size_t{1} << 40);
  goes_wrong(hipErrorLaunchFailure, "a wild store");
  HIP_CHECK(hipDeviceReset());
  EXPECT_ERROR(hipErrorInvalidValue, hipFree(data->get()));
  use(argv[1]);
  refuse<<<1, 128>>>(77);
  goes_wrong(hipErrorAssert, "an assert");
  HIP_CHECK(hipDeviceReset());
  leave_and_reset();
  use(argv[1]);
  int* nowhere;
  HIP_CHECK(hipMalloc(&nowhere, 1024));
  forever_barrier<<<2, 128>>>(nowhere);
  goes_wrong(hipErrorLaunchFailure, "a trap");
  HIP_CHECK(hipDeviceReset());
  use(argv[1]);
  refuse<<<1, 64>>>(64);
  HIP_CHECK(hipDeviceSynchronize());
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
