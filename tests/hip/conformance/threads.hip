// flags: --hip-version
// The same from four host threads at once, each with things of its own: every call may be made from any thread, and the
// last error and the launch that is being configured belong to the thread.
#include <atomic>
#include <mutex>
#include <thread>

#include "conformance.h"

__device__ int counters[4];
__managed__ int shared[4 * 64];

namespace {

constexpr int threads = 4, rounds = 8, n = 64;
using ints = std::vector<int>;

__global__ void add(int* data, int by) {
  data[threadIdx.x] += by;
}
__global__ void count(int which) {
  atomicAdd(&counters[which], 1);
}

// Runs it in all threads, `rounds` times each, and fails as the first of them does.
void in_all(const std::function<void(int thread)>& body) {
  std::vector<std::thread> all;
  std::mutex lock;
  std::string problem;
  std::atomic<int> waiting{threads};
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&, t] {
      --waiting;
      while (waiting > 0) std::this_thread::yield();
      try {
        for (int k = 0; k < rounds; ++k) body(t);
      } catch (const wrong& w) {
        const std::lock_guard<std::mutex> hold(lock);
        if (problem.empty()) problem = "thread " + std::to_string(t) + ": " + w.text;
      }
    });
  for (std::thread& one : all) one.join();
  if (!problem.empty()) throw wrong{problem};
}

CASE(devices) {
  in_all([](int) {
    int value = 0;
    OK(hipGetDevice(&value));
    OK(hipSetDevice(0));
    hipDeviceProp_t p;
    OK(hipGetDeviceProperties(&p, 0));
    OK(hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, 0));
    SAME(value, p.warpSize);
  });
}
CASE(memory) {
  in_all([](int t) {
    int *data = nullptr, *pinned = nullptr, *managed = nullptr;
    OK(hipMalloc(&data, 256));
    OK(hipHostMalloc(&pinned, 256, hipHostMallocDefault));
    OK(hipMallocManaged(&managed, 256, hipMemAttachGlobal));
    hipPointerAttribute_t a;
    OK(hipPointerGetAttributes(&a, data));
    for (int i = 0; i < n; ++i) pinned[i] = managed[i] = t;
    add<<<1, n>>>(managed, 5);
    OK(hipDeviceSynchronize());
    for (int i = 0; i < n; ++i) SAME(managed[i], t + 5);
    size_t unused = 0, total = 0;
    OK(hipMemGetInfo(&unused, &total));
    OK(hipFree(managed));
    OK(hipHostFree(pinned));
    OK(hipFree(data));
  });
}
CASE(registered) {
  in_all([](int t) {
    ints values(n, t);
    OK(hipHostRegister(values.data(), 4 * n, hipHostRegisterDefault));
    void* on_device = nullptr;
    OK(hipHostGetDevicePointer(&on_device, values.data(), 0));
    OK(hipMemset(on_device, 0, 4 * n));
    OK(hipHostUnregister(values.data()));
    EXPECT(values == ints(n, 0));
  });
}
CASE(copies) {
  in_all([](int t) {
    const device_block<int> a(ints(n, t)), b(n);
    const own_stream s;
    OK(hipMemcpyAsync(b.get(), a.get(), 4 * n, hipMemcpyDeviceToDevice, s));
    OK(hipMemsetAsync(a.get(), 0, 4 * n, s));
    OK(hipStreamSynchronize(s));
    EXPECT(b.read() == ints(n, t) && a.read() == ints(n, 0));
  });
}
CASE(launches) {
  in_all([](int t) {
    const device_block<int> d(ints(n, t));
    const own_stream s;
    for (int k = 0; k < 4; ++k) add<<<1, n, 0, s>>>(d.get(), 10);
    OK(hipGetLastError());
    OK(hipStreamSynchronize(s));
    EXPECT(d.read() == ints(n, t + 40));
  });
}
CASE(one_stream_of_all) {
  const device_block<int> d(ints(n, 0));
  const own_stream s;
  in_all([&](int t) {
    add<<<1, n, 0, s>>>(d.get(), t + 1);
    OK(hipGetLastError());
    OK(hipStreamQuery(s) == hipErrorNotReady ? hipSuccess : hipStreamSynchronize(s));
  });
  OK(hipStreamSynchronize(s));
  EXPECT(d.read() == ints(n, rounds * (1 + 2 + 3 + 4)));
}
CASE(default_streams) {
  const device_block<int> d(ints(n, 0));
  in_all([&](int) {
    add<<<1, n>>>(d.get(), 1);
    OK(hipGetLastError());
  });
  in_all([&](int) {
    add<<<1, n, 0, hipStreamPerThread>>>(d.get(), 0);
    OK(hipStreamSynchronize(hipStreamPerThread));
  });
  OK(hipDeviceSynchronize());
  EXPECT(d.read() == ints(n, rounds * threads));
}
CASE(events) {
  const own_event common;
  in_all([&](int) {
    const own_event a, b;
    const own_stream s;
    float ms = -1;
    OK(hipEventRecord(a, s));
    OK(hipEventRecord(common, s));
    OK(hipStreamWaitEvent(s, common, 0));
    OK(hipEventRecord(b, s));
    OK(hipEventSynchronize(b));
    OK(hipEventElapsedTime(&ms, a, b));
    EXPECT(ms >= 0);
  });
  OK(hipEventSynchronize(common));
}
CASE(callbacks) {
  std::atomic<int> calls{0};
  in_all([&](int) {
    const own_stream s;
    OK(hipStreamAddCallback(
        s, [](hipStream_t, hipError_t, void* p) { ++*static_cast<std::atomic<int>*>(p); }, &calls, 0));
    OK(hipStreamSynchronize(s));
  });
  SAME(calls.load(), rounds * threads);
}
CASE(symbols) {
  const int zeros[4] = {};
  OK(hipMemcpyToSymbol(HIP_SYMBOL(counters), zeros, sizeof zeros));
  in_all([](int t) {
    int before = 0, after = 0;
    OK(hipMemcpyFromSymbol(&before, HIP_SYMBOL(counters), 4, 4 * t));
    count<<<1, n>>>(t);
    OK(hipGetLastError());
    OK(hipMemcpyFromSymbol(&after, HIP_SYMBOL(counters), 4, 4 * t));
    SAME(after, before + n);
  });
}
CASE(managed_variables) {
  for (int& value : shared) value = 0;
  in_all([](int t) {
    void* place = nullptr;
    OK(hipGetSymbolAddress(&place, HIP_SYMBOL(shared)));
    add<<<1, n>>>(static_cast<int*>(place) + n * t, t + 1);
    OK(hipDeviceSynchronize());
  });
  for (int i = 0; i < threads * n; ++i) SAME(shared[i], rounds * (i / n + 1));
}
CASE(graphs) {
  in_all([](int t) {
    const device_block<int> d(n);
    ints got(n);
    hipGraph_t g = nullptr;
    hipGraphExec_t e = nullptr;
    hipGraphNode_t fill = nullptr, copy = nullptr;
    hipMemsetParams p = {};
    p.dst = d.get();
    p.elementSize = 4;
    p.value = static_cast<unsigned>(t);
    p.width = n;
    p.height = 1;
    OK(hipGraphCreate(&g, 0));
    OK(hipGraphAddMemsetNode(&fill, g, nullptr, 0, &p));
    OK(hipGraphAddMemcpyNode1D(&copy, g, &fill, 1, got.data(), d.get(), 4 * n, hipMemcpyDeviceToHost));
    OK(hipGraphInstantiate(&e, g, nullptr, nullptr, 0));
    const own_stream s;
    OK(hipGraphLaunch(e, s));
    OK(hipStreamSynchronize(s));
    OK(hipGraphExecDestroy(e));
    OK(hipGraphDestroy(g));
    EXPECT(got == ints(n, t));
  });
}
CASE(captures) {
  in_all([](int t) {
    const device_block<int> d(ints(n, t));
    const own_stream s(hipStreamNonBlocking);  // the default stream, of other threads, need not wait for it
    hipGraph_t g = nullptr;
    hipGraphExec_t e = nullptr;
    OK(hipStreamBeginCapture(s, hipStreamCaptureModeRelaxed));
    add<<<1, n, 0, s>>>(d.get(), 7);
    OK(hipStreamEndCapture(s, &g));
    OK(hipGraphInstantiate(&e, g, nullptr, nullptr, 0));
    OK(hipGraphLaunch(e, s));
    OK(hipStreamSynchronize(s));
    OK(hipGraphExecDestroy(e));
    OK(hipGraphDestroy(g));
    hipStreamCaptureMode mode = hipStreamCaptureModeRelaxed;
    OK(hipThreadExchangeStreamCaptureMode(&mode));
    OK(hipThreadExchangeStreamCaptureMode(&mode));
  });
}
CASE(pools) {
  in_all([](int t) {
    const own_stream s;
    int *data = nullptr, got = 0;
    OK(hipMallocAsync(&data, 256, s));
    OK(hipMemsetD32Async(data, t, n, s));
    OK(hipMemcpyAsync(&got, data, 4, hipMemcpyDeviceToHost, s));
    OK(hipFreeAsync(data, s));
    OK(hipStreamSynchronize(s));
    SAME(got, t);
  });
}
CASE(occupancy) {
  in_all([](int) {
    int blocks = 0;
    hipFuncAttributes a;
    OK(hipFuncGetAttributes(&a, pointer_of(&add)));
    OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, pointer_of(&add), n, 0));
    EXPECT(blocks > 0);
  });
}
// Each thread makes a mistake of its own, and finds that one.
CASE(errors) {
  in_all([](int t) {
    float ms = 0;
    switch (t) {
      case 0:
        static_cast<void>(hipStreamCreate(nullptr));
        EXPECT(hipGetLastError() == hipErrorInvalidValue);
        break;
      case 1:
        static_cast<void>(hipSetDevice(7));
        EXPECT(hipPeekAtLastError() == hipErrorInvalidDevice);
        EXPECT(hipGetLastError() == hipErrorInvalidDevice);
        break;
      case 2:
        static_cast<void>(hipEventElapsedTime(&ms, nullptr, nullptr));
        EXPECT(hipGetLastError() == hipErrorInvalidHandle);
        break;
      default:
        OK(hipDeviceSynchronize());
        EXPECT(hipGetLastError() == hipSuccess);
    }
  });
}
CASE(configured_launches) {
  in_all([](int t) {
    const device_block<int> d(ints(n, 0));
    int* data = d.get();
    OK(hipConfigureCall(dim3(1), dim3(n), 0, nullptr));
    std::this_thread::yield();
    OK(hipSetupArgument(&data, sizeof data, 0));
    std::this_thread::yield();
    OK(hipSetupArgument(&t, sizeof t, sizeof data));
    OK(hipLaunchByPtr(pointer_of(&add)));
    EXPECT(d.read() == ints(n, t));
  });
}
CASE(first_and_last_thread) {
  // A thread that ends has nothing left behind.
  for (int k = 0; k < 20; ++k)
    std::thread([] {
      const device_block<int> d(ints(n, 3));
      add<<<1, n>>>(d.get(), 1);
      static_cast<void>(d.read());
      static_cast<void>(hipStreamCreate(nullptr));
    }).join();
  OK(hipGetLastError());
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
