// Operations of streams on the same bytes, case by case: the first argument names it. With a second argument one step
// is left out that puts them in order.
//
// Each case with the rule of the finding that `streams` has then; never: there is no such step.
//
// event_wait: unordered_read_write
// stream_wait: unordered_read_write
// event_synchronize: unordered_writes
// device_synchronize: unordered_read_write
// query: unordered_writes
// default_stream: unordered_read_write
// default_stream_after: unordered_writes
// thread_stream: unordered_read_write
// waiting_copy: unordered_read_write
// copies: unordered_writes
// fill_of_a_part: unordered_writes
// pinned_memory: unordered_read_write
// variable: unordered_read_write
// chain: unordered_read_write
// graph_edge: unordered_read_write
// graph_then_stream: unordered_read_write
// captured: unordered_read_write
// free: unordered_writes
// event_recorded_too_early: unordered_read_write
// parts: never
// only_reads: never
// counters: never
// bytes_of_a_word: never
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#define CHECK(call)                                                        \
  do {                                                                     \
    const hipError_t code = (call);                                        \
    if (code != hipSuccess) {                                              \
      std::printf("%d: %s: %s\n", __LINE__, #call, hipGetErrorName(code)); \
      std::exit(2);                                                        \
    }                                                                      \
  } while (false)

constexpr int n = 64;
constexpr size_t bytes = n * sizeof(int);
__device__ int variable[n];

__global__ void write(int* to, int value) {
  to[threadIdx.x] = value + static_cast<int>(threadIdx.x);
}
__global__ void sum(const int* from, int* to) {
  int s = 0;
  for (int k = 0; k < n; ++k) s += from[(k + threadIdx.x) % n];
  to[threadIdx.x] = s;
}
__global__ void sum_variable(int* to) {
  to[threadIdx.x] = variable[n - 1 - threadIdx.x];
}
__global__ void count(int* counter) {
  atomicAdd(counter, 1);
}
__global__ void write_bytes(char* to, int from) {
  to[2 * threadIdx.x + static_cast<unsigned>(from)] = static_cast<char>(threadIdx.x);
}

int main(int argc, char** arguments) {
  const std::string name = arguments[1];
  const bool all = argc < 3;  // no step is left out
  int *a = nullptr, *b = nullptr, *c = nullptr, *pinned = nullptr;
  CHECK(hipMalloc(&a, bytes));
  CHECK(hipMalloc(&b, bytes));
  CHECK(hipMalloc(&c, bytes));
  CHECK(hipHostMalloc(&pinned, bytes, hipHostMallocDefault));
  for (int k = 0; k < n; ++k) pinned[k] = k;
  CHECK(hipMemset(a, 0, bytes));
  CHECK(hipMemset(b, 0, bytes));
  CHECK(hipMemset(c, 0, bytes));
  hipStream_t s[3], apart;
  for (hipStream_t& x : s) CHECK(hipStreamCreate(&x));
  CHECK(hipStreamCreateWithFlags(&apart, hipStreamNonBlocking));
  hipEvent_t e[2];
  for (hipEvent_t& x : e) CHECK(hipEventCreate(&x));
  const auto behind = [&](hipStream_t later, hipStream_t earlier, hipEvent_t by) {
    CHECK(hipEventRecord(by, earlier));
    if (all) CHECK(hipStreamWaitEvent(later, by, 0));
  };

  if (name == "event_wait") {
    write<<<1, n, 0, s[0]>>>(a, 1);
    behind(s[1], s[0], e[0]);
    sum<<<1, n, 0, s[1]>>>(a, b);
  } else if (name == "stream_wait") {
    sum<<<1, n, 0, s[0]>>>(a, b);
    if (all) CHECK(hipStreamSynchronize(s[0]));
    write<<<1, n, 0, s[1]>>>(a, 1);
  } else if (name == "event_synchronize") {
    write<<<1, n, 0, s[0]>>>(a, 1);
    CHECK(hipEventRecord(e[0], s[0]));
    if (all) CHECK(hipEventSynchronize(e[0]));
    CHECK(hipMemsetAsync(a, 0, bytes, s[1]));
  } else if (name == "device_synchronize") {
    write<<<1, n, 0, s[0]>>>(a, 1);
    if (all) CHECK(hipDeviceSynchronize());
    CHECK(hipMemcpyAsync(b, a, bytes, hipMemcpyDeviceToDevice, s[1]));
  } else if (name == "query") {
    write<<<1, n, 0, s[0]>>>(a, 1);
    while (all && hipStreamQuery(s[0]) == hipErrorNotReady) {
    }
    write<<<1, n, 0, s[1]>>>(a, 2);
  } else if (name == "default_stream") {  // waits for blocking streams
    write<<<1, n, 0, all ? s[0] : apart>>>(a, 1);
    sum<<<1, n>>>(a, b);
  } else if (name == "default_stream_after") {  // and they for it
    write<<<1, n>>>(a, 1);
    write<<<1, n, 0, all ? s[0] : apart>>>(a, 2);
  } else if (name == "thread_stream") {
    write<<<1, n, 0, hipStreamPerThread>>>(a, 1);
    behind(s[0], hipStreamPerThread, e[0]);
    sum<<<1, n, 0, s[0]>>>(a, b);
  } else if (name == "waiting_copy") {  // a copy that is not asynchronous waits for its stream
    write<<<1, n, 0, s[0]>>>(a, 1);
    if (all) CHECK(hipMemcpyWithStream(c, b, bytes, hipMemcpyDeviceToDevice, s[0]));
    sum<<<1, n, 0, s[1]>>>(a, b);
  } else if (name == "copies") {
    CHECK(hipMemcpyAsync(a, b, bytes, hipMemcpyDeviceToDevice, s[0]));
    behind(s[1], s[0], e[0]);
    CHECK(hipMemcpyAsync(a, c, bytes, hipMemcpyDeviceToDevice, s[1]));
  } else if (name == "fill_of_a_part") {
    write<<<1, n, 0, s[0]>>>(a, 1);
    behind(s[1], s[0], e[0]);
    CHECK(hipMemsetAsync(a + 16, 0, 32, s[1]));
  } else if (name == "pinned_memory") {
    CHECK(hipMemcpyAsync(pinned, a, bytes, hipMemcpyDeviceToHost, s[0]));
    behind(s[1], s[0], e[0]);
    CHECK(hipMemcpyAsync(b, pinned, bytes, hipMemcpyHostToDevice, s[1]));
  } else if (name == "variable") {
    CHECK(hipMemcpyToSymbolAsync(HIP_SYMBOL(variable), pinned, bytes, 0, hipMemcpyHostToDevice, s[0]));
    behind(s[1], s[0], e[0]);
    sum_variable<<<1, n, 0, s[1]>>>(b);
  } else if (name == "chain") {
    write<<<1, n, 0, s[0]>>>(a, 1);
    CHECK(hipEventRecord(e[0], s[0]));
    CHECK(hipStreamWaitEvent(s[1], e[0], 0));
    behind(s[2], s[1], e[1]);
    sum<<<1, n, 0, s[2]>>>(a, b);
  } else if (name == "graph_edge" || name == "graph_then_stream") {
    hipGraph_t g;
    CHECK(hipGraphCreate(&g, 0));
    int value = 1;
    void *first[] = {&a, &value}, *second[] = {&a, &b};
    hipKernelNodeParams p{};
    p.gridDim = dim3(1);
    p.blockDim = dim3(n);
    hipGraphNode_t x, y;
    p.func = reinterpret_cast<void*>(write);
    p.kernelParams = first;
    CHECK(hipGraphAddKernelNode(&x, g, nullptr, 0, &p));
    if (name == "graph_edge") {
      p.func = reinterpret_cast<void*>(sum);
      p.kernelParams = second;
      CHECK(hipGraphAddKernelNode(&y, g, &x, all ? 1 : 0, &p));
    }
    hipGraphExec_t ready;
    CHECK(hipGraphInstantiate(&ready, g, nullptr, nullptr, 0));
    for (int k = 0; k < 2; ++k) CHECK(hipGraphLaunch(ready, s[0]));  // the second is behind the first
    if (name == "graph_then_stream") sum<<<1, n, 0, s[all ? 0 : 1]>>>(a, b);
  } else if (name == "captured") {
    hipGraph_t g;
    hipGraphExec_t ready;
    CHECK(hipStreamBeginCapture(s[0], hipStreamCaptureModeGlobal));
    CHECK(hipEventRecord(e[0], s[0]));
    CHECK(hipStreamWaitEvent(s[1], e[0], 0));
    write<<<1, n, 0, s[1]>>>(a, 1);
    CHECK(hipEventRecord(e[1], s[1]));
    if (all) CHECK(hipStreamWaitEvent(s[0], e[1], 0));
    sum<<<1, n, 0, s[0]>>>(a, b);
    if (!all) CHECK(hipStreamWaitEvent(s[0], e[1], 0));
    CHECK(hipStreamEndCapture(s[0], &g));
    CHECK(hipGraphInstantiate(&ready, g, nullptr, nullptr, 0));
    CHECK(hipGraphLaunch(ready, s[2]));
  } else if (name == "free") {
    int* d = nullptr;
    CHECK(hipMallocAsync(reinterpret_cast<void**>(&d), bytes, s[0]));
    write<<<1, n, 0, s[0]>>>(d, 1);
    behind(s[1], s[0], e[0]);
    sum<<<1, n, 0, s[2]>>>(b, c);  // while this is waited for, the kernel above ends too
    CHECK(hipStreamSynchronize(s[2]));
    CHECK(hipFreeAsync(d, s[1]));
  } else if (name == "event_recorded_too_early") {
    if (!all) CHECK(hipEventRecord(e[0], s[0]));
    write<<<1, n, 0, s[0]>>>(a, 1);
    if (all) CHECK(hipEventRecord(e[0], s[0]));
    CHECK(hipStreamWaitEvent(s[1], e[0], 0));
    sum<<<1, n, 0, s[1]>>>(a, b);
  } else if (name == "parts") {
    write<<<1, n / 2, 0, s[0]>>>(a, 1);
    write<<<1, n / 2, 0, s[1]>>>(a + n / 2, 1);
    CHECK(hipMemsetAsync(b, 0, bytes / 2, s[2]));
    CHECK(hipMemcpyAsync(b + n / 2, c, bytes / 2, hipMemcpyDeviceToDevice, apart));
  } else if (name == "only_reads") {
    sum<<<1, n, 0, s[0]>>>(a, b);
    sum<<<1, n, 0, s[1]>>>(a, c);
    CHECK(hipMemcpyAsync(pinned, a, bytes, hipMemcpyDeviceToHost, s[2]));
  } else if (name == "counters") {
    count<<<1, n, 0, s[0]>>>(a);
    count<<<1, n, 0, s[1]>>>(a);
  } else if (name == "bytes_of_a_word") {
    write_bytes<<<1, n, 0, s[0]>>>(reinterpret_cast<char*>(a), 0);
    write_bytes<<<1, n, 0, s[1]>>>(reinterpret_cast<char*>(a), 1);
  } else {
    std::printf("no case %s\n", name.c_str());
    return 2;
  }
  CHECK(hipDeviceSynchronize());
  return 0;
}
// SPDX-License-Identifier: Apache-2.0
