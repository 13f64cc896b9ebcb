// queues: yes
// hipHostMalloc, hipMemcpyAsync in chunks over two streams, device-to-device copies, kernels that read and write pinned
// memory directly (hipHostMallocMapped, hipHostGetDevicePointer), hipHostGetFlags.
#include "check.h"

__global__ void negate(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = -in[i];
}

int main() {
  const int n = 5000;
  const int chunk = 777;  // the last chunk is a short one
  int *in, *out;
  HIP_CHECK(hipHostMalloc(&in, n * sizeof(int), hipHostMallocDefault));
  HIP_CHECK(hipHostMalloc(&out, n * sizeof(int), hipHostMallocMapped));
  check::random_source random(4);
  std::vector<int> want(n);
  for (int i = 0; i < n; ++i) {
    in[i] = static_cast<int>(random.bits() >> 1);
    out[i] = 0;
    want[i] = -in[i];
  }
  int *device_in, *device_out, *device_copy;
  HIP_CHECK(hipMalloc(&device_in, n * sizeof(int)));
  HIP_CHECK(hipMalloc(&device_out, n * sizeof(int)));
  HIP_CHECK(hipMalloc(&device_copy, n * sizeof(int)));

  hipStream_t streams[2];
  for (auto& stream : streams) HIP_CHECK(hipStreamCreate(&stream));
  for (int begin = 0, k = 0; begin < n; begin += chunk, ++k) {
    const int count = std::min(chunk, n - begin);
    const size_t bytes = count * sizeof(int);
    hipStream_t stream = streams[k % 2];
    HIP_CHECK(hipMemcpyAsync(device_in + begin, in + begin, bytes, hipMemcpyHostToDevice, stream));
    negate<<<check::blocks_for(count, 128), 128, 0, stream>>>(device_in + begin, device_out + begin, count);
    CHECK_LAUNCH();
    HIP_CHECK(hipMemcpyAsync(device_copy + begin, device_out + begin, bytes, hipMemcpyDeviceToDevice, stream));
    HIP_CHECK(hipMemcpyAsync(out + begin, device_copy + begin, bytes, hipMemcpyDefault, stream));
  }
  for (auto& stream : streams) HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_SAME("chunks", std::vector<int>(out, out + n), want);

  int *mapped_in, *mapped_out;
  HIP_CHECK(hipHostGetDevicePointer(reinterpret_cast<void**>(&mapped_in), in, 0));
  HIP_CHECK(hipHostGetDevicePointer(reinterpret_cast<void**>(&mapped_out), out, 0));
  std::memset(out, 0, n * sizeof(int));
  negate<<<check::blocks_for(n, 256), 256, 0, streams[0]>>>(mapped_in, mapped_out, n);
  CHECK_LAUNCH();
  HIP_CHECK(hipStreamSynchronize(streams[0]));
  CHECK_SAME("mapped", std::vector<int>(out, out + n), want);

  unsigned flags = 0;
  HIP_CHECK(hipHostGetFlags(&flags, out));
  CHECK((flags & hipHostMallocMapped) != 0, "flags 0x%x lack hipHostMallocMapped", flags);
  for (auto& stream : streams) HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipHostFree(in));
  HIP_CHECK(hipHostFree(out));
  HIP_CHECK(hipFree(device_in));
  HIP_CHECK(hipFree(device_out));
  HIP_CHECK(hipFree(device_copy));
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
