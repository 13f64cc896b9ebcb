// Streams: making them, flags and priorities, waiting, order, callbacks, what is no stream.
#include <dlfcn.h>

#include <atomic>
#include <thread>

#include "conformance.h"

namespace {

__global__ void add_to(int* data, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += value;
}
__global__ void times(int* data, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= value;
}

hipStream_t destroyed() {
  hipStream_t s = nullptr;
  OK(hipStreamCreate(&s));
  OK(hipStreamDestroy(s));
  return s;
}

// ---- making them

CASE(create) {
  hipStream_t s = nullptr;
  OK(hipStreamCreate(&s));
  EXPECT(s != nullptr && s != hipStreamPerThread);
  OK(hipStreamDestroy(s));
}
CASE(create_nowhere) {
  GIVES(hipErrorInvalidValue, hipStreamCreate(nullptr));
}
CASE(create_with_flags_nowhere) {
  GIVES(hipErrorInvalidValue, hipStreamCreateWithFlags(nullptr, hipStreamDefault));
}
CASE(create_with_priority_nowhere) {
  GIVES(hipErrorInvalidValue, hipStreamCreateWithPriority(nullptr, hipStreamDefault, 0));
}
CASE(create_with_unknown_flags) {
  hipStream_t s = nullptr;
  GIVES(hipErrorInvalidValue, hipStreamCreateWithFlags(&s, 0xff));
}
CASE(create_with_priority_and_unknown_flags) {
  hipStream_t s = nullptr;
  GIVES(hipErrorInvalidValue, hipStreamCreateWithPriority(&s, 2, 0));
}
CASE(handles_differ) {
  const own_stream a, b;
  EXPECT(a.s != b.s);
}
CASE(many_streams) {
  std::vector<hipStream_t> all(500);
  for (hipStream_t& s : all) OK(hipStreamCreate(&s));
  for (const hipStream_t s : all) OK(hipStreamSynchronize(s));
  for (const hipStream_t s : all) OK(hipStreamDestroy(s));
}
CASE(destroy_twice) {
  const hipStream_t s = destroyed();
  GIVES(hipErrorInvalidHandle, hipStreamDestroy(s));
}
CASE(destroy_null) {
  GIVES(hipErrorInvalidHandle, hipStreamDestroy(nullptr));
}
CASE(destroy_per_thread) {
  GIVES(hipErrorInvalidHandle, hipStreamDestroy(hipStreamPerThread));
}
CASE(destroy_with_work_in_it) {
  const device_block<int> data(std::vector<int>(256, 1));
  hipStream_t s = nullptr;
  OK(hipStreamCreate(&s));
  add_to<<<4, 64, 0, s>>>(data.get(), 256, 4);
  OK(hipGetLastError());
  OK(hipStreamDestroy(s));
  OK(hipDeviceSynchronize());
  EXPECT(data.read() == std::vector<int>(256, 5));
}

// ---- flags and priorities

CASE(flags_of_default) {
  const own_stream s;
  unsigned flags = 99;
  OK(hipStreamGetFlags(s, &flags));
  SAME(flags, static_cast<unsigned>(hipStreamDefault));
}
CASE(flags_of_non_blocking) {
  const own_stream s(hipStreamNonBlocking);
  unsigned flags = 99;
  OK(hipStreamGetFlags(s, &flags));
  SAME(flags, static_cast<unsigned>(hipStreamNonBlocking));
}
CASE(flags_of_null_stream) {
  unsigned flags = 99;
  OK(hipStreamGetFlags(nullptr, &flags));
  SAME(flags, static_cast<unsigned>(hipStreamDefault));
}
CASE(flags_nowhere) {
  const own_stream s;
  GIVES(hipErrorInvalidValue, hipStreamGetFlags(s, nullptr));
}
CASE(flags_of_no_stream) {
  unsigned flags = 0;
  GIVES(hipErrorInvalidHandle, hipStreamGetFlags(destroyed(), &flags));
}
CASE(flags_per_thread) {
  const own_stream s(hipStreamNonBlocking);
  unsigned flags = 99;
  OK(hipStreamGetFlags_spt(s, &flags));
  SAME(flags, static_cast<unsigned>(hipStreamNonBlocking));
}
CASE(priority_range) {
  int least = 99, greatest = 99;
  OK(hipDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT(greatest <= 0 && least >= 0);
}
CASE(priority_range_of_one) {
  int least = 99, greatest = 99, other = 99;
  OK(hipDeviceGetStreamPriorityRange(&least, &greatest));
  OK(hipDeviceGetStreamPriorityRange(&other, nullptr));
  SAME(other, least);
  OK(hipDeviceGetStreamPriorityRange(nullptr, &other));
  SAME(other, greatest);
}
void priority_of(int asked, int wanted) {
  hipStream_t s = nullptr;
  int got = 99;
  OK(hipStreamCreateWithPriority(&s, hipStreamDefault, asked));
  OK(hipStreamGetPriority(s, &got));
  OK(hipStreamDestroy(s));
  SAME(got, wanted);
}
int end_of_range(bool greatest) {
  int least = 0, most = 0;
  OK(hipDeviceGetStreamPriorityRange(&least, &most));
  return greatest ? most : least;
}
CASE(greatest_priority) {
  priority_of(end_of_range(true), end_of_range(true));
}
CASE(least_priority) {
  priority_of(end_of_range(false), end_of_range(false));
}
CASE(normal_priority) {
  priority_of(0, 0);
}
CASE(too_great_a_priority) {
  priority_of(-1000, end_of_range(true));
}
CASE(too_small_a_priority) {
  priority_of(1000, end_of_range(false));
}
CASE(priority_of_plain_stream) {
  const own_stream s;
  int got = 99;
  OK(hipStreamGetPriority(s, &got));
  SAME(got, 0);
}
CASE(priority_of_null_stream) {
  int got = 99;
  OK(hipStreamGetPriority(nullptr, &got));
  SAME(got, 0);
}
CASE(priority_nowhere) {
  const own_stream s;
  GIVES(hipErrorInvalidValue, hipStreamGetPriority(s, nullptr));
}
CASE(priority_of_no_stream) {
  int got = 0;
  GIVES(hipErrorInvalidHandle, hipStreamGetPriority(destroyed(), &got));
}
CASE(priority_per_thread) {
  const own_stream s;
  int got = 99;
  OK(hipStreamGetPriority_spt(s, &got));
  SAME(got, 0);
}
CASE(priority_keeps_flags) {
  hipStream_t s = nullptr;
  unsigned flags = 99;
  OK(hipStreamCreateWithPriority(&s, hipStreamNonBlocking, end_of_range(true)));
  OK(hipStreamGetFlags(s, &flags));
  OK(hipStreamDestroy(s));
  SAME(flags, static_cast<unsigned>(hipStreamNonBlocking));
}
CASE(device_of_a_stream) {
  const own_stream s;
  SAME(hipGetStreamDeviceId(s), 0);
  SAME(hipGetStreamDeviceId(nullptr), 0);
}

// ---- waiting

CASE(query_empty) {
  const own_stream s;
  OK(hipStreamQuery(s));
}
CASE(query_null_stream) {
  OK(hipDeviceSynchronize());
  OK(hipStreamQuery(nullptr));
}
CASE(query_after_synchronize) {
  const device_block<int> data(std::vector<int>(64, 1));
  const own_stream s;
  add_to<<<1, 64, 0, s>>>(data.get(), 64, 1);
  OK(hipGetLastError());
  OK(hipStreamSynchronize(s));
  OK(hipStreamQuery(s));
}
CASE(query_with_work) {
  const device_block<int> data(std::vector<int>(64, 1));
  const own_stream s;
  add_to<<<1, 64, 0, s>>>(data.get(), 64, 1);
  const hipError_t e = hipStreamQuery(s);
  EXPECT(e == hipSuccess || e == hipErrorNotReady);
  OK(hipGetLastError());  // not ready is no error
  OK(hipStreamSynchronize(s));
}
CASE(query_no_stream) {
  GIVES(hipErrorInvalidHandle, hipStreamQuery(destroyed()));
}
CASE(query_per_thread) {
  OK(hipStreamQuery_spt(nullptr));
}
CASE(synchronize_empty) {
  const own_stream s;
  OK(hipStreamSynchronize(s));
}
CASE(synchronize_null_stream) {
  OK(hipStreamSynchronize(nullptr));
}
CASE(synchronize_per_thread_stream) {
  OK(hipStreamSynchronize(hipStreamPerThread));
  OK(hipStreamSynchronize_spt(nullptr));
}
CASE(synchronize_no_stream) {
  GIVES(hipErrorInvalidHandle, hipStreamSynchronize(destroyed()));
}
CASE(synchronize_shows_results) {
  int* pinned = nullptr;
  OK(hipHostMalloc(&pinned, 64 * sizeof(int), hipHostMallocDefault));
  for (int i = 0; i < 64; ++i) pinned[i] = i;
  const own_stream s;
  add_to<<<1, 64, 0, s>>>(pinned, 64, 100);
  OK(hipGetLastError());
  OK(hipStreamSynchronize(s));
  for (int i = 0; i < 64; ++i) SAME(pinned[i], i + 100);
  OK(hipHostFree(pinned));
}
CASE(device_synchronize_waits_for_all) {
  int* pinned = nullptr;
  OK(hipHostMalloc(&pinned, 4 * 64 * sizeof(int), hipHostMallocDefault));
  std::memset(pinned, 0, 4 * 64 * sizeof(int));
  const own_stream s[4];
  for (int k = 0; k < 4; ++k) add_to<<<1, 64, 0, s[k]>>>(pinned + 64 * k, 64, k + 1);
  OK(hipDeviceSynchronize());
  for (int i = 0; i < 256; ++i) SAME(pinned[i], i / 64 + 1);
  OK(hipHostFree(pinned));
}

// ---- order

CASE(order_in_a_stream) {
  const device_block<int> data(std::vector<int>(1000, 3));
  const own_stream s;
  for (int k = 0; k < 5; ++k) {
    times<<<16, 64, 0, s>>>(data.get(), 1000, 2);
    add_to<<<16, 64, 0, s>>>(data.get(), 1000, 1);
  }
  OK(hipStreamSynchronize(s));
  EXPECT(data.read() == std::vector<int>(1000, 3 * 32 + 31));
}
CASE(null_stream_waits_for_blocking_ones) {
  const device_block<int> data(std::vector<int>(64, 1));
  const own_stream a, b;
  add_to<<<1, 64, 0, a>>>(data.get(), 64, 1);
  times<<<1, 64>>>(data.get(), 64, 10);
  add_to<<<1, 64, 0, b>>>(data.get(), 64, 3);
  OK(hipDeviceSynchronize());
  EXPECT(data.read() == std::vector<int>(64, 23));
}
CASE(wait_event_orders_streams) {
  const device_block<int> data(std::vector<int>(64, 1));
  const own_stream a(hipStreamNonBlocking), b(hipStreamNonBlocking);
  const own_event e;
  add_to<<<1, 64, 0, a>>>(data.get(), 64, 1);
  OK(hipEventRecord(e, a));
  OK(hipStreamWaitEvent(b, e, 0));
  times<<<1, 64, 0, b>>>(data.get(), 64, 10);
  OK(hipStreamSynchronize(b));
  EXPECT(data.read() == std::vector<int>(64, 20));
}
CASE(wait_event_of_null_stream) {
  const own_event e;
  OK(hipEventRecord(e, nullptr));
  const own_stream s;
  OK(hipStreamWaitEvent(s, e, 0));
  OK(hipStreamSynchronize(s));
}
CASE(wait_event_in_null_stream) {
  const own_stream s;
  const own_event e;
  OK(hipEventRecord(e, s));
  OK(hipStreamWaitEvent(nullptr, e, 0));
  OK(hipStreamSynchronize(nullptr));
}
CASE(wait_event_not_recorded) {
  const own_stream s;
  const own_event e;
  OK(hipStreamWaitEvent(s, e, 0));
  OK(hipStreamSynchronize(s));
}
CASE(wait_event_with_flags) {
  const own_stream s;
  const own_event e;
  GIVES(hipErrorInvalidValue, hipStreamWaitEvent(s, e, 1));
}
CASE(wait_for_no_event) {
  const own_stream s;
  GIVES(hipErrorInvalidHandle, hipStreamWaitEvent(s, nullptr, 0));
}
CASE(wait_in_no_stream) {
  const own_event e;
  GIVES(hipErrorInvalidHandle, hipStreamWaitEvent(destroyed(), e, 0));
}
CASE(wait_event_per_thread) {
  const own_event e;
  OK(hipEventRecord(e, nullptr));
  OK(hipStreamWaitEvent_spt(nullptr, e, 0));
}
CASE(launch_in_no_stream) {
  const device_block<int> data(64);
  add_to<<<1, 64, 0, destroyed()>>>(data.get(), 64, 1);
  EXPECT(hipGetLastError() == hipErrorInvalidHandle);
}
CASE(per_thread_stream_runs) {
  const device_block<int> data(std::vector<int>(64, 1));
  add_to<<<1, 64, 0, hipStreamPerThread>>>(data.get(), 64, 1);
  OK(hipGetLastError());
  OK(hipStreamSynchronize(hipStreamPerThread));
  EXPECT(data.read() == std::vector<int>(64, 2));
}

// ---- callbacks

struct seen {
  std::atomic<int> calls{0};
  hipStream_t stream = nullptr;
  hipError_t status = hipErrorUnknown;
  int first = 0;
  int* data = nullptr;
};
void note(hipStream_t s, hipError_t status, void* data) {
  seen& n = *static_cast<seen*>(data);
  n.stream = s;
  n.status = status;
  if (n.data != nullptr) n.first = n.data[0];
  ++n.calls;
}
CASE(callback) {
  const own_stream s;
  seen n;
  OK(hipStreamAddCallback(s, note, &n, 0));
  OK(hipStreamSynchronize(s));
  SAME(n.calls.load(), 1);
  EXPECT(n.stream == s.s && n.status == hipSuccess);
}
CASE(callback_after_the_work) {
  int* pinned = nullptr;
  OK(hipHostMalloc(&pinned, 64 * sizeof(int), hipHostMallocDefault));
  std::memset(pinned, 0, 64 * sizeof(int));
  const own_stream s;
  seen n;
  n.data = pinned;
  add_to<<<1, 64, 0, s>>>(pinned, 64, 9);
  OK(hipStreamAddCallback(s, note, &n, 0));
  OK(hipStreamSynchronize(s));
  SAME(n.calls.load(), 1);
  SAME(n.first, 9);
  OK(hipHostFree(pinned));
}
CASE(callbacks_in_order) {
  static std::vector<int> order;
  order.clear();
  static const int numbers[5] = {0, 1, 2, 3, 4};
  const own_stream s;
  for (const int& k : numbers)
    OK(hipStreamAddCallback(
        s, [](hipStream_t, hipError_t, void* p) { order.push_back(*static_cast<const int*>(p)); }, const_cast<int*>(&k),
        0));
  OK(hipStreamSynchronize(s));
  EXPECT(order == std::vector<int>({0, 1, 2, 3, 4}));
}
CASE(callback_that_is_none) {
  const own_stream s;
  GIVES(hipErrorInvalidValue, hipStreamAddCallback(s, nullptr, nullptr, 0));
}
CASE(callback_with_flags) {
  const own_stream s;
  seen n;
  GIVES(hipErrorInvalidValue, hipStreamAddCallback(s, note, &n, 1));
  SAME(n.calls.load(), 0);
}
CASE(callback_in_no_stream) {
  seen n;
  GIVES(hipErrorInvalidHandle, hipStreamAddCallback(destroyed(), note, &n, 0));
  SAME(n.calls.load(), 0);
}
// Debian's library does not have it, so a program that is linked with that one finds it like this.
CASE(host_function) {
  using launcher = hipError_t (*)(hipStream_t, hipHostFn_t, void*);
  const auto hipLaunchHostFunc = reinterpret_cast<launcher>(dlsym(RTLD_DEFAULT, "hipLaunchHostFunc"));
  EXPECT(hipLaunchHostFunc != nullptr);
  const own_stream s;
  int calls = 0;
  OK(hipLaunchHostFunc(
      s, [](void* p) { ++*static_cast<int*>(p); }, &calls));
  OK(hipStreamSynchronize(s));
  SAME(calls, 1);
  GIVES(hipErrorInvalidValue, hipLaunchHostFunc(s, nullptr, &calls));
}

// ---- managed memory

CASE(attach_memory) {
  int* data = nullptr;
  OK(hipMallocManaged(&data, 4096, hipMemAttachGlobal));
  const own_stream s;
  OK(hipStreamAttachMemAsync(s, data, 0, hipMemAttachSingle));
  OK(hipStreamSynchronize(s));
  OK(hipStreamAttachMemAsync(s, data, 0, hipMemAttachHost));
  OK(hipStreamAttachMemAsync(s, data, 0, hipMemAttachGlobal));
  OK(hipFree(data));
}
CASE(attach_with_unknown_flags) {
  int* data = nullptr;
  OK(hipMallocManaged(&data, 4096, hipMemAttachGlobal));
  const own_stream s;
  GIVES(hipErrorInvalidValue, hipStreamAttachMemAsync(s, data, 0, 0x30));
  OK(hipFree(data));
}
CASE(attach_nothing) {
  const own_stream s;
  GIVES(hipErrorInvalidValue, hipStreamAttachMemAsync(s, nullptr, 0, hipMemAttachSingle));
}

// ---- from several threads

CASE(a_stream_for_each_thread) {
  const int threads = 4;
  const device_block<int> data(std::vector<int>(threads * 64, 0));
  std::vector<std::thread> all;
  std::vector<int> failed(threads, 0);
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&, t] {
      hipStream_t s = nullptr;
      bool good = hipStreamCreate(&s) == hipSuccess;
      for (int k = 0; k < 5; ++k) {
        add_to<<<1, 64, 0, s>>>(data.get() + 64 * t, 64, t + 1);
        good = good && hipGetLastError() == hipSuccess;
      }
      good = good && hipStreamSynchronize(s) == hipSuccess && hipStreamDestroy(s) == hipSuccess;
      failed[t] = !good;
    });
  for (std::thread& t : all) t.join();
  EXPECT(failed == std::vector<int>(threads, 0));
  const std::vector<int> got = data.read();
  for (int i = 0; i < threads * 64; ++i) SAME(got[i], 5 * (i / 64 + 1));
}
CASE(errors_belong_to_their_thread) {
  hipError_t other = hipErrorUnknown;
  static_cast<void>(hipStreamCreate(nullptr));
  std::thread([&] { other = hipPeekAtLastError(); }).join();
  EXPECT(other == hipSuccess);
  EXPECT(hipGetLastError() == hipErrorInvalidValue);
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
