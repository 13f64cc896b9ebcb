// queues: yes
// hipHostRegister of ordinary memory (not aligned to anything), hipHostGetDevicePointer, kernels that read and write
// it, hipHostUnregister; registering twice and unregistering what is not registered are refused.
#include "check.h"

__global__ void square(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}

int main() {
  const int n = 3000;
  check::random_source random(47);
  std::vector<int> in(n + 3), out(n + 3, -1), want(n + 3, -1);
  for (int i = 0; i < n; ++i) {
    in[i + 3] = static_cast<int>(random.below(40000));
    want[i + 3] = in[i + 3] * in[i + 3];
  }
  HIP_CHECK(hipHostRegister(in.data() + 3, n * sizeof(int), hipHostRegisterDefault));
  HIP_CHECK(hipHostRegister(out.data() + 3, n * sizeof(int), hipHostRegisterMapped));
  int *device_in, *device_out;
  HIP_CHECK(hipHostGetDevicePointer(reinterpret_cast<void**>(&device_in), in.data() + 3, 0));
  HIP_CHECK(hipHostGetDevicePointer(reinterpret_cast<void**>(&device_out), out.data() + 3, 0));
  square<<<check::blocks_for(n, 256), 256>>>(device_in, device_out, n);
  CHECK_LAUNCH();
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_SAME("squares", out, want);

  // What the host writes now, the next launch sees.
  for (int i = 0; i < n; ++i) in[i + 3] = i;
  square<<<check::blocks_for(n, 256), 256>>>(device_in, device_out, n);
  CHECK_LAUNCH();
  HIP_CHECK(hipDeviceSynchronize());
  for (int i = 0; i < n; ++i) want[i + 3] = i * i;
  CHECK_SAME("squares again", out, want);

  EXPECT_ERROR(hipErrorHostMemoryAlreadyRegistered, hipHostRegister(in.data() + 3, n * sizeof(int), 0));
  HIP_CHECK(hipHostUnregister(in.data() + 3));
  HIP_CHECK(hipHostUnregister(out.data() + 3));
  EXPECT_ERROR(hipErrorHostMemoryNotRegistered, hipHostUnregister(in.data() + 3));
  EXPECT_ERROR(hipErrorInvalidValue, hipHostRegister(nullptr, 64, 0));
  EXPECT_ERROR(hipErrorInvalidValue, hipHostRegister(in.data(), 0, 0));
  HIP_CHECK(hipHostRegister(in.data(), 64, 0));  // free to be registered again
  HIP_CHECK(hipHostUnregister(in.data()));
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
