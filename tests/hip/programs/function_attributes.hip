// hipFuncGetAttributes and hipFuncGetAttribute: registers, static LDS, scratch, largest block; __launch_bounds__ is
// honoured at the launch.
#include "check.h"

__global__ void plain(int* out) {
  out[threadIdx.x] = threadIdx.x;
}
__global__ void with_lds(int* out) {
  __shared__ int words[300];
  for (int i = threadIdx.x; i < 300; i += blockDim.x) words[i] = i;
  __syncthreads();
  out[threadIdx.x] = words[299 - threadIdx.x];
}
__global__ void with_scratch(int* out, int k) {
  volatile int local[50];
  for (int i = 0; i < 50; ++i) local[i] = i * k;
  out[threadIdx.x] = local[(threadIdx.x + k) % 50];
}
__global__ void __launch_bounds__(128) bounded(int* out) {
  out[threadIdx.x] = threadIdx.x;
}

template <typename F>
static hipFuncAttributes attributes(F* kernel) {
  hipFuncAttributes a;
  HIP_CHECK(hipFuncGetAttributes(&a, reinterpret_cast<const void*>(kernel)));
  return a;
}

int main() {
  const hipFuncAttributes simple = attributes(plain);
  CHECK(simple.numRegs > 0 && simple.numRegs <= 256, "%d registers", simple.numRegs);
  CHECK(simple.maxThreadsPerBlock == 1024, "maxThreadsPerBlock %d", simple.maxThreadsPerBlock);
  CHECK(simple.sharedSizeBytes == 0, "LDS %zu", simple.sharedSizeBytes);
#ifdef __OPTIMIZE__
  CHECK(simple.localSizeBytes == 0, "scratch %zu", simple.localSizeBytes);
#else
  // threadIdx.x is a call then, for which the compiler reserves what it assumes of a callee: 16 KiB.
  CHECK(simple.localSizeBytes >= 16384, "scratch %zu, expected 16384 at least", simple.localSizeBytes);
#endif
  const hipFuncAttributes lds = attributes(with_lds);
  CHECK(lds.sharedSizeBytes == 1200, "static LDS %zu, expected 1200", lds.sharedSizeBytes);
  const hipFuncAttributes scratch = attributes(with_scratch);
  CHECK(scratch.localSizeBytes >= 200, "scratch %zu, expected 200 at least", scratch.localSizeBytes);
  const hipFuncAttributes bound = attributes(bounded);
  CHECK(bound.maxThreadsPerBlock == 128, "maxThreadsPerBlock %d, expected 128", bound.maxThreadsPerBlock);

  check::device_array<int> out(1024);
  out.fill(0);
  bounded<<<1, 128>>>(out.get());
  CHECK_LAUNCH();
  HIP_CHECK(hipDeviceSynchronize());
  with_scratch<<<1, 100>>>(out.get(), 3);
  CHECK_LAUNCH();
  auto got = out.download();
  for (int t = 0; t < 100; ++t) CHECK(got[t] == (t + 3) % 50 * 3, "scratch[%d] is %d", t, got[t]);
  with_lds<<<1, 100>>>(out.get());
  CHECK_LAUNCH();
  got = out.download();
  for (int t = 0; t < 100; ++t) CHECK(got[t] == 299 - t, "LDS [%d] is %d", t, got[t]);
  bounded<<<1, 129>>>(out.get());
  CHECK(hipGetLastError() != hipSuccess, "129 work-items were accepted by a kernel with __launch_bounds__(128)");
  EXPECT_ERROR(hipErrorInvalidDeviceFunction, hipFuncGetAttributes(const_cast<hipFuncAttributes*>(&bound), &out));
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
