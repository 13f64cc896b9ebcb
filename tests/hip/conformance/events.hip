// Events: making them, recording, waiting, times, and what is no event.
#include <cmath>

#include "conformance.h"

namespace {

__global__ void spin(int* data, int rounds) {
  unsigned x = threadIdx.x;
  for (int k = 0; k < rounds; ++k) {
    x = x * 1664525u + 1013904223u;
    asm volatile("" : "+v"(x));
  }
  data[threadIdx.x] = static_cast<int>(x);
}
hipEvent_t destroyed() {
  hipEvent_t e = nullptr;
  OK(hipEventCreate(&e));
  OK(hipEventDestroy(e));
  return e;
}

CASE(create) {
  hipEvent_t e = nullptr;
  OK(hipEventCreate(&e));
  EXPECT(e != nullptr);
  OK(hipEventDestroy(e));
}
CASE(create_nowhere) {
  GIVES(hipErrorInvalidValue, hipEventCreate(nullptr));
}
CASE(create_with_flags_nowhere) {
  GIVES(hipErrorInvalidValue, hipEventCreateWithFlags(nullptr, hipEventDefault));
}
void with_flags(unsigned flags) {
  const own_event e(flags);
  OK(hipEventRecord(e, nullptr));
  OK(hipEventSynchronize(e));
}
CASE(flags_default) {
  with_flags(hipEventDefault);
}
CASE(flags_blocking_sync) {
  with_flags(hipEventBlockingSync);
}
CASE(flags_disable_timing) {
  with_flags(hipEventDisableTiming);
}
CASE(flags_release_to_device) {
  with_flags(hipEventReleaseToDevice);
}
CASE(flags_release_to_system) {
  with_flags(hipEventReleaseToSystem);
}
CASE(flags_several) {
  with_flags(hipEventBlockingSync | hipEventDisableTiming);
}
CASE(flags_unknown) {
  hipEvent_t e = nullptr;
  GIVES(hipErrorInvalidValue, hipEventCreateWithFlags(&e, 0x100));
}
CASE(flags_both_releases) {
  hipEvent_t e = nullptr;
  GIVES(hipErrorInvalidValue, hipEventCreateWithFlags(&e, hipEventReleaseToDevice | hipEventReleaseToSystem));
}
CASE(interprocess_needs_no_timing) {
  hipEvent_t e = nullptr;
  GIVES(hipErrorInvalidValue, hipEventCreateWithFlags(&e, hipEventInterprocess));
}
CASE(destroy_null) {
  GIVES(hipErrorInvalidHandle, hipEventDestroy(nullptr));
}
CASE(destroy_twice) {
  GIVES(hipErrorInvalidHandle, hipEventDestroy(destroyed()));
}
CASE(destroy_what_is_recorded) {
  const own_stream s;
  hipEvent_t e = nullptr;
  OK(hipEventCreate(&e));
  OK(hipEventRecord(e, s));
  OK(hipEventDestroy(e));
  OK(hipStreamSynchronize(s));
}
CASE(many_events) {
  std::vector<hipEvent_t> all(1000);
  for (hipEvent_t& e : all) OK(hipEventCreate(&e));
  for (const hipEvent_t e : all) OK(hipEventRecord(e, nullptr));
  for (const hipEvent_t e : all) OK(hipEventSynchronize(e));
  for (const hipEvent_t e : all) OK(hipEventDestroy(e));
}

// ---- recording and waiting

CASE(record_in_a_stream) {
  const own_stream s;
  const own_event e;
  OK(hipEventRecord(e, s));
  OK(hipEventSynchronize(e));
  OK(hipEventQuery(e));
}
CASE(record_in_the_null_stream) {
  const own_event e;
  OK(hipEventRecord(e, nullptr));
  OK(hipEventSynchronize(e));
}
CASE(record_in_the_per_thread_stream) {
  const own_event e;
  OK(hipEventRecord(e, hipStreamPerThread));
  OK(hipEventSynchronize(e));
}
CASE(record_no_event) {
  GIVES(hipErrorInvalidHandle, hipEventRecord(nullptr, nullptr));
}
CASE(record_destroyed) {
  GIVES(hipErrorInvalidHandle, hipEventRecord(destroyed(), nullptr));
}
CASE(record_in_no_stream) {
  hipStream_t s = nullptr;
  OK(hipStreamCreate(&s));
  OK(hipStreamDestroy(s));
  const own_event e;
  GIVES(hipErrorInvalidHandle, hipEventRecord(e, s));
}
CASE(record_again) {
  const own_stream s;
  const own_event e;
  for (int k = 0; k < 10; ++k) OK(hipEventRecord(e, s));
  OK(hipEventSynchronize(e));
}
CASE(synchronize_not_recorded) {
  const own_event e;
  OK(hipEventSynchronize(e));
}
CASE(synchronize_no_event) {
  GIVES(hipErrorInvalidHandle, hipEventSynchronize(nullptr));
}
CASE(synchronize_destroyed) {
  GIVES(hipErrorInvalidHandle, hipEventSynchronize(destroyed()));
}
CASE(synchronize_shows_results) {
  int* pinned = nullptr;
  OK(hipHostMalloc(&pinned, 64 * sizeof(int), hipHostMallocDefault));
  std::memset(pinned, 0xff, 64 * sizeof(int));
  const own_stream s;
  const own_event e;
  spin<<<1, 64, 0, s>>>(pinned, 1);
  OK(hipEventRecord(e, s));
  OK(hipEventSynchronize(e));
  for (unsigned i = 0; i < 64; ++i) SAME(static_cast<unsigned>(pinned[i]), i * 1664525u + 1013904223u);
  OK(hipHostFree(pinned));
}
CASE(query_not_recorded) {
  const own_event e;
  OK(hipEventQuery(e));
}
CASE(query_with_work) {
  const device_block<int> data(64);
  const own_stream s;
  const own_event e;
  spin<<<1, 64, 0, s>>>(data.get(), 100);
  OK(hipEventRecord(e, s));
  const hipError_t got = hipEventQuery(e);
  EXPECT(got == hipSuccess || got == hipErrorNotReady);
  OK(hipEventSynchronize(e));
  OK(hipEventQuery(e));
}
CASE(query_no_event) {
  GIVES(hipErrorInvalidHandle, hipEventQuery(nullptr));
}
CASE(query_destroyed) {
  GIVES(hipErrorInvalidHandle, hipEventQuery(destroyed()));
}

// ---- times

CASE(time_of_nothing) {
  const own_event a, b;
  float ms = -1;
  OK(hipEventRecord(a, nullptr));
  OK(hipEventRecord(b, nullptr));
  OK(hipEventSynchronize(b));
  OK(hipEventElapsedTime(&ms, a, b));
  EXPECT(ms >= 0 && ms < 1);
}
CASE(time_to_itself) {
  const own_event a;
  float ms = -1;
  OK(hipEventRecord(a, nullptr));
  OK(hipEventSynchronize(a));
  OK(hipEventElapsedTime(&ms, a, a));
  EXPECT(ms == 0);
}
CASE(time_does_not_run_backwards) {
  const device_block<int> data(64);
  const own_stream s;
  const own_event e[4];
  for (const own_event& one : e) {
    spin<<<1, 64, 0, s>>>(data.get(), 50);
    OK(hipEventRecord(one, s));
  }
  OK(hipStreamSynchronize(s));
  for (int k = 1; k < 4; ++k) {
    float ms = -1;
    OK(hipEventElapsedTime(&ms, e[k - 1], e[k]));
    EXPECT(ms >= 0);
  }
}
CASE(times_add_up) {
  const device_block<int> data(64);
  const own_event a, b, c;
  float first = 0, second = 0, all = 0;
  OK(hipEventRecord(a, nullptr));
  spin<<<1, 64>>>(data.get(), 50);
  OK(hipEventRecord(b, nullptr));
  spin<<<1, 64>>>(data.get(), 150);
  OK(hipEventRecord(c, nullptr));
  OK(hipEventSynchronize(c));
  OK(hipEventElapsedTime(&first, a, b));
  OK(hipEventElapsedTime(&second, b, c));
  OK(hipEventElapsedTime(&all, a, c));
  EXPECT(std::fabs(first + second - all) <= 1e-4f * all + 1e-6f);
}
CASE(time_the_other_way_round) {
  const device_block<int> data(64);
  const own_event a, b;
  float there = 0, back = 0;
  OK(hipEventRecord(a, nullptr));
  spin<<<1, 64>>>(data.get(), 50);
  OK(hipEventRecord(b, nullptr));
  OK(hipEventSynchronize(b));
  OK(hipEventElapsedTime(&there, a, b));
  OK(hipEventElapsedTime(&back, b, a));
  EXPECT(there == -back);
}
CASE(time_of_the_last_recording) {
  const device_block<int> data(64);
  const own_event a, b;
  float ms = -1;
  OK(hipEventRecord(b, nullptr));
  OK(hipEventRecord(a, nullptr));
  spin<<<1, 64>>>(data.get(), 50);
  OK(hipEventRecord(b, nullptr));
  OK(hipEventSynchronize(b));
  OK(hipEventElapsedTime(&ms, a, b));
  EXPECT(ms >= 0);
}
CASE(time_nowhere) {
  const own_event a;
  OK(hipEventRecord(a, nullptr));
  GIVES(hipErrorInvalidValue, hipEventElapsedTime(nullptr, a, a));
}
CASE(time_of_no_event) {
  const own_event a;
  float ms = 0;
  OK(hipEventRecord(a, nullptr));
  GIVES(hipErrorInvalidHandle, hipEventElapsedTime(&ms, nullptr, a));
  GIVES(hipErrorInvalidHandle, hipEventElapsedTime(&ms, a, nullptr));
}
CASE(time_not_recorded) {
  const own_event a, b;
  float ms = 0;
  OK(hipEventRecord(a, nullptr));
  GIVES(hipErrorInvalidHandle, hipEventElapsedTime(&ms, a, b));
  GIVES(hipErrorInvalidHandle, hipEventElapsedTime(&ms, b, a));
}
CASE(time_without_timing) {
  const own_event a, b(hipEventDisableTiming);
  float ms = 0;
  OK(hipEventRecord(a, nullptr));
  OK(hipEventRecord(b, nullptr));
  GIVES(hipErrorInvalidHandle, hipEventElapsedTime(&ms, a, b));
}

// ---- launches with events

CASE(launch_between_two) {
  const device_block<int> data(64);
  const own_event a, b;
  int* pointer = data.get();
  int rounds = 3;
  void* arguments[] = {&pointer, &rounds};
  OK(hipExtLaunchKernel(pointer_of(&spin), dim3(1), dim3(64), arguments, 0, nullptr, a, b, 0));
  OK(hipEventSynchronize(b));
  float ms = -1;
  OK(hipEventElapsedTime(&ms, a, b));
  EXPECT(ms >= 0);
}
CASE(launch_with_one) {
  const device_block<int> data(64);
  const own_event b;
  const own_stream s;
  int* pointer = data.get();
  int rounds = 3;
  void* arguments[] = {&pointer, &rounds};
  OK(hipExtLaunchKernel(pointer_of(&spin), dim3(1), dim3(64), arguments, 0, s, nullptr, b, 0));
  OK(hipEventSynchronize(b));
  OK(hipEventQuery(b));
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
