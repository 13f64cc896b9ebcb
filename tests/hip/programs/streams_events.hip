// timing: yes
// queues: yes
// Four streams with their own chains of work, events across streams (hipStreamWaitEvent), hipEventElapsedTime,
// hipStreamQuery/hipEventQuery, blocking default stream, events that were never recorded.
#include "check.h"

__global__ void multiply_add(uint32_t* data, uint32_t factor, uint32_t addend, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = data[i] * factor + addend;
}
__global__ void sum_of_four(const uint32_t* a, const uint32_t* b, const uint32_t* c, const uint32_t* d, uint32_t* out,
                            int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i] * 3 + c[i] * 5 + d[i] * 7;
}

int main() {
  const int n = 1500;
  const int n_streams = 4;
  const unsigned block = 128;
  const unsigned blocks = check::blocks_for(n, block);
  check::random_source random(3);

  hipStream_t streams[n_streams];
  hipEvent_t done[n_streams];
  uint32_t* data[n_streams];
  std::vector<uint32_t> values[n_streams];
  hipEvent_t start, stop, unused;
  HIP_CHECK(hipEventCreate(&start));
  HIP_CHECK(hipEventCreate(&stop));
  HIP_CHECK(hipEventCreate(&unused));
  for (int s = 0; s < n_streams; ++s) {
    HIP_CHECK(hipStreamCreateWithFlags(&streams[s], s % 2 == 0 ? hipStreamDefault : hipStreamNonBlocking));
    HIP_CHECK(hipEventCreateWithFlags(&done[s], hipEventDisableTiming));
    HIP_CHECK(hipMalloc(&data[s], n * sizeof(uint32_t)));
    values[s].resize(n);
    for (auto& value : values[s]) value = random.bits();
  }
  uint32_t* sum;
  HIP_CHECK(hipMalloc(&sum, n * sizeof(uint32_t)));

  HIP_CHECK(hipEventRecord(start, streams[0]));
  for (int s = 0; s < n_streams; ++s) {
    HIP_CHECK(hipMemcpyAsync(data[s], values[s].data(), n * sizeof(uint32_t), hipMemcpyHostToDevice, streams[s]));
    for (uint32_t k = 1; k <= 3; ++k) multiply_add<<<blocks, block, 0, streams[s]>>>(data[s], 2 * k + 1, s + k, n);
    CHECK_LAUNCH();
    HIP_CHECK(hipEventRecord(done[s], streams[s]));
  }
  // The last stream gathers what all have made; nothing but the events orders it behind them.
  for (int s = 0; s < n_streams; ++s) HIP_CHECK(hipStreamWaitEvent(streams[n_streams - 1], done[s], 0));
  sum_of_four<<<blocks, block, 0, streams[n_streams - 1]>>>(data[0], data[1], data[2], data[3], sum, n);
  CHECK_LAUNCH();
  HIP_CHECK(hipEventRecord(stop, streams[n_streams - 1]));
  HIP_CHECK(hipEventSynchronize(stop));
  HIP_CHECK(hipEventQuery(stop));
  HIP_CHECK(hipStreamSynchronize(streams[n_streams - 1]));
  HIP_CHECK(hipStreamQuery(streams[n_streams - 1]));

  std::vector<uint32_t> want(n), got(n);
  for (int i = 0; i < n; ++i) {
    for (int s = 0; s < n_streams; ++s) {
      uint32_t x = values[s][i];
      for (uint32_t k = 1; k <= 3; ++k) x = x * (2 * k + 1) + s + k;
      want[i] += x * (2 * s + 1);
    }
  }
  HIP_CHECK(hipMemcpy(got.data(), sum, n * sizeof(uint32_t), hipMemcpyDeviceToHost));
  CHECK_SAME("sum of the streams", got, want);

  float milliseconds = -1;
  HIP_CHECK(hipEventElapsedTime(&milliseconds, start, stop));
  CHECK(milliseconds >= 0, "elapsed time %g ms is negative", static_cast<double>(milliseconds));
  float backwards = 1;
  HIP_CHECK(hipEventElapsedTime(&backwards, stop, start));
  CHECK(backwards <= 0, "elapsed time from stop to start %g ms is positive", static_cast<double>(backwards));
  float same = -1;
  HIP_CHECK(hipEventElapsedTime(&same, start, start));
  CHECK(same == 0, "elapsed time from an event to itself is %g ms", static_cast<double>(same));
  EXPECT_ERROR(hipErrorInvalidHandle, hipEventElapsedTime(&same, start, unused));
  EXPECT_ERROR(hipErrorInvalidHandle, hipEventElapsedTime(&same, start, done[0]));

  // The default stream waits for blocking streams, and they for it.
  multiply_add<<<blocks, block, 0, streams[0]>>>(data[0], 3, 1, n);
  multiply_add<<<blocks, block>>>(data[0], 5, 2, n);
  multiply_add<<<blocks, block, 0, streams[0]>>>(data[0], 7, 3, n);
  CHECK_LAUNCH();
  HIP_CHECK(hipMemcpy(got.data(), data[0], n * sizeof(uint32_t), hipMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    uint32_t x = values[0][i];
    for (uint32_t k = 1; k <= 3; ++k) x = x * (2 * k + 1) + k;
    want[i] = ((x * 3 + 1) * 5 + 2) * 7 + 3;
  }
  CHECK_SAME("blocking streams", got, want);

  unsigned flags = 99;
  HIP_CHECK(hipStreamGetFlags(streams[1], &flags));
  CHECK(flags == hipStreamNonBlocking, "flags of stream 1 are %u", flags);
  for (int s = 0; s < n_streams; ++s) {
    HIP_CHECK(hipStreamDestroy(streams[s]));
    HIP_CHECK(hipEventDestroy(done[s]));
    HIP_CHECK(hipFree(data[s]));
  }
  HIP_CHECK(hipFree(sum));
  HIP_CHECK(hipEventDestroy(start));
  HIP_CHECK(hipEventDestroy(stop));
  HIP_CHECK(hipEventDestroy(unused));
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
