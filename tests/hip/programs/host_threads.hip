// queues: yes
// Four host threads, each with its own stream, memory and launches, all at once; one thread's error is not another's.
#include <thread>

#include "check.h"

__global__ void mix(uint32_t* data, uint32_t key, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = (data[i] ^ key) * 2654435761u + i;
}

// "" or what went wrong.
static std::string work(int id) {
  const int n = 700 + 37 * id;
  const size_t bytes = n * sizeof(uint32_t);
  check::random_source random(50 + id);
  std::vector<uint32_t> values(n), got(n);
  for (auto& x : values) x = random.bits();
  hipStream_t stream;
  uint32_t* data;
  if (hipSetDevice(0) != hipSuccess) return "hipSetDevice";
  if (hipStreamCreate(&stream) != hipSuccess) return "hipStreamCreate";
  for (uint32_t turn = 0; turn < 8; ++turn) {
    if (hipMalloc(&data, bytes) != hipSuccess) return "hipMalloc";
    if (hipMemcpyAsync(data, values.data(), bytes, hipMemcpyHostToDevice, stream) != hipSuccess) return "copy in";
    for (uint32_t k = 0; k < 3; ++k) mix<<<check::blocks_for(n, 128), 128, 0, stream>>>(data, turn * 3 + k, n);
    if (hipGetLastError() != hipSuccess) return "launch";
    if (id == 2) {
      mix<<<1, 4096, 0, stream>>>(data, 0, n);
      if (hipGetLastError() != hipErrorInvalidConfiguration) return "a block of 4096 was not refused";
    }
    if (hipMemcpyAsync(got.data(), data, bytes, hipMemcpyDeviceToHost, stream) != hipSuccess) return "copy out";
    if (hipStreamSynchronize(stream) != hipSuccess) return "hipStreamSynchronize";
    if (hipFree(data) != hipSuccess) return "hipFree";
    for (int i = 0; i < n; ++i) {
      for (uint32_t k = 0; k < 3; ++k) values[i] = (values[i] ^ (turn * 3 + k)) * 2654435761u + i;
    }
    if (got != values) return "wrong data in turn " + std::to_string(turn);
  }
  if (hipStreamDestroy(stream) != hipSuccess) return "hipStreamDestroy";
  return "";
}

int main() {
  std::string results[4];
  std::vector<std::thread> threads;
  for (int id = 0; id < 4; ++id) threads.emplace_back([&results, id] { results[id] = work(id); });
  for (auto& thread : threads) thread.join();
  for (int id = 0; id < 4; ++id) CHECK(results[id].empty(), "thread %d: %s", id, results[id].c_str());
  HIP_CHECK(hipDeviceSynchronize());
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
