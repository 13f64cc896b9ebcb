// timing: yes
// hipMalloc, hipMemcpy both ways, one launch with <<<>>>, hipFree; sizes around a wavefront and a block.
#include "check.h"

__global__ void vector_add(const float* a, const float* b, float* c, size_t n) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

static void run(size_t n) {
  check::random_source random(static_cast<uint32_t>(n));
  std::vector<float> a(n), b(n), want(n), got(n);
  for (size_t i = 0; i < n; ++i) {
    a[i] = random.real(-100, 100);
    b[i] = random.real(-100, 100);
    want[i] = a[i] + b[i];
  }
  const size_t bytes = n * sizeof(float);
  float *device_a, *device_b, *device_c;
  HIP_CHECK(hipMalloc(&device_a, bytes));
  HIP_CHECK(hipMalloc(&device_b, bytes));
  HIP_CHECK(hipMalloc(&device_c, bytes));
  HIP_CHECK(hipMemcpy(device_a, a.data(), bytes, hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy(device_b, b.data(), bytes, hipMemcpyHostToDevice));
  HIP_CHECK(hipMemset(device_c, 0xff, bytes));
  vector_add<<<check::blocks_for(n, 256), 256>>>(device_a, device_b, device_c, n);
  CHECK_LAUNCH();
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipMemcpy(got.data(), device_c, bytes, hipMemcpyDeviceToHost));
  CHECK_SAME("sum", got, want);
  HIP_CHECK(hipFree(device_a));
  HIP_CHECK(hipFree(device_b));
  HIP_CHECK(hipFree(device_c));
}

int main() {
  for (const size_t n : {1, 63, 64, 65, 255, 257, 10007}) run(n);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
