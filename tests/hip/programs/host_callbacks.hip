// queues: yes
// hipStreamAddCallback and hipLaunchHostFunc: called in the stream's order, after what was before them, with their own
// argument; results that kernels wrote before are visible. Debian's library to link with declares hipLaunchHostFunc but
// lacks it, so it is looked up at run time; a runtime without it is sent the same function as a stream callback.
#include <dlfcn.h>

#include <atomic>

#include "check.h"

__global__ void append(int* log, int value) {
  log[log[0]] = value;
  log[0] += 1;
}

struct record {
  int* pinned;
  std::vector<int> seen;
  std::atomic<int> calls{0};
  hipError_t status = hipErrorUnknown;
};

static void stream_callback(hipStream_t, hipError_t status, void* argument) {
  record& r = *static_cast<record*>(argument);
  r.status = status;
  r.seen.push_back(r.pinned[0]);
  ++r.calls;
}
static void host_function(void* argument) {
  record& r = *static_cast<record*>(argument);
  r.seen.push_back(100 + r.pinned[r.pinned[0] - 1]);
  ++r.calls;
}

static hipError_t launch_host_function(hipStream_t stream, record* r) {
  using launch_type = hipError_t (*)(hipStream_t, hipHostFn_t, void*);
  if (void* const found = dlsym(RTLD_DEFAULT, "hipLaunchHostFunc")) {
    return reinterpret_cast<launch_type>(found)(stream, host_function, r);
  }
  return hipStreamAddCallback(
      stream, [](hipStream_t, hipError_t, void* argument) { host_function(argument); }, r, 0);
}

int main() {
  record r;
  HIP_CHECK(hipHostMalloc(&r.pinned, 16 * sizeof(int), hipHostMallocDefault));
  std::memset(r.pinned, 0, 16 * sizeof(int));
  check::device_array<int> log(16);
  std::vector<int> start(16, 0);
  start[0] = 1;
  log.upload(start);
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  const auto copy_out = [&] {
    HIP_CHECK(hipMemcpyAsync(r.pinned, log.get(), 16 * sizeof(int), hipMemcpyDeviceToHost, stream));
  };
  append<<<1, 1, 0, stream>>>(log.get(), 41);
  copy_out();
  HIP_CHECK(hipStreamAddCallback(stream, stream_callback, &r, 0));
  append<<<1, 1, 0, stream>>>(log.get(), 42);
  append<<<1, 1, 0, stream>>>(log.get(), 43);
  copy_out();
  HIP_CHECK(launch_host_function(stream, &r));
  append<<<1, 1, 0, stream>>>(log.get(), 44);
  copy_out();
  HIP_CHECK(hipStreamAddCallback(stream, stream_callback, &r, 0));
  HIP_CHECK(launch_host_function(stream, &r));
  CHECK_LAUNCH();
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK(r.calls == 4, "%d callbacks were called, expected 4", r.calls.load());
  CHECK(r.status == hipSuccess, "callback's status is %s", hipGetErrorName(r.status));
  CHECK_SAME("what callbacks saw", r.seen, (std::vector<int>{2, 143, 5, 144}));
  CHECK_SAME("log", std::vector<int>(r.pinned, r.pinned + 5), (std::vector<int>{5, 41, 42, 43, 44}));
  EXPECT_ERROR(hipErrorInvalidValue, hipStreamAddCallback(stream, nullptr, &r, 0));
  HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipHostFree(r.pinned));
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
