// timing: yes
// queues: yes
// Streams that write values to memory, and wait for values there.
#include <atomic>
#include <chrono>
#include <thread>

#include "conformance.h"

namespace {

__global__ void write_value(uint64_t* to, uint64_t value) {
  *to = value;
}
__global__ void add_to(int* data, int value) {
  atomicAdd(data, value);
}

// Eight bytes that streams may wait for; the host sees them too.
struct signal {
  uint64_t* at = nullptr;
  explicit signal(uint64_t value = 0) {
    OK(hipExtMallocWithFlags(reinterpret_cast<void**>(&at), sizeof *at, hipMallocSignalMemory));
    *at = value;
  }
  ~signal() { static_cast<void>(hipFree(at)); }
  signal(const signal&) = delete;
  signal& operator=(const signal&) = delete;
};

// Streams keep what is put into them until somebody waits.
bool keeps_work() {
  const own_stream s;
  const signal v;
  const hipError_t code = hipStreamWaitValue32(s, v.at, 1, hipStreamWaitValueEq, ~0u);
  static_cast<void>(hipGetLastError());
  *v.at = 1;
  OK(hipStreamSynchronize(s));
  return code == hipSuccess;
}

CASE(attribute) {
  int can = 0;
  OK(hipDeviceGetAttribute(&can, hipDeviceAttributeCanUseStreamWaitValue, 0));
  SAME(can, 1);
}

// ---- writing

CASE(write_32) {
  const own_stream s;
  const device_block<uint32_t> block(std::vector<uint32_t>{1, 2, 3});
  OK(hipStreamWriteValue32(s, block.get() + 1, 77, 0));
  OK(hipStreamSynchronize(s));
  EXPECT(block.read() == (std::vector<uint32_t>{1, 77, 3}));
}
CASE(write_64) {
  const own_stream s;
  const device_block<uint64_t> block(std::vector<uint64_t>{1, 2, 3});
  OK(hipStreamWriteValue64(s, block.get() + 2, ~uint64_t{5}, 0));
  OK(hipStreamSynchronize(s));
  EXPECT(block.read() == (std::vector<uint64_t>{1, 2, ~uint64_t{5}}));
}
CASE(write_in_the_default_stream) {
  const signal v;
  OK(hipStreamWriteValue64(nullptr, v.at, 9, 0));
  OK(hipStreamSynchronize(nullptr));
  SAME(*v.at, uint64_t{9});
}
CASE(write_to_pinned_memory) {
  uint32_t* p = nullptr;
  OK(hipHostMalloc(reinterpret_cast<void**>(&p), 64, hipHostMallocDefault));
  OK(hipStreamWriteValue32(nullptr, p, 4, 0));
  OK(hipStreamSynchronize(nullptr));
  SAME(*p, 4u);
  OK(hipHostFree(p));
}
CASE(write_behind_a_launch) {
  const own_stream s;
  const signal v;
  write_value<<<1, 1, 0, s>>>(v.at, 3);
  OK(hipStreamWriteValue64(s, v.at, 4, 0));
  OK(hipStreamSynchronize(s));
  SAME(*v.at, uint64_t{4});
}
CASE(write_flags_are_ignored) {
  const signal v;
  OK(hipStreamWriteValue32(nullptr, v.at, 4, 0x80));
}
CASE(write_nowhere) {
  GIVES(hipErrorInvalidValue, hipStreamWriteValue32(nullptr, nullptr, 1, 0));
  GIVES(hipErrorInvalidValue, hipStreamWriteValue64(nullptr, nullptr, 1, 0));
}
CASE(write_to_memory_of_the_host) {
  uint64_t host = 0;
  GIVES(hipErrorInvalidValue, hipStreamWriteValue32(nullptr, &host, 1, 0));
  GIVES(hipErrorInvalidValue, hipStreamWriteValue64(nullptr, &host, 1, 0));
}
CASE(write_past_the_end) {
  const device_block<uint32_t> block(1);
  GIVES(hipErrorInvalidValue, hipStreamWriteValue64(nullptr, block.get(), 1, 0));
}
CASE(write_to_an_odd_address) {
  const device_block<uint32_t> block(4);
  GIVES(hipErrorInvalidValue, hipStreamWriteValue64(nullptr, block.get() + 1, 1, 0));
}
CASE(write_in_no_stream) {
  const signal v;
  GIVES(hipErrorInvalidHandle, hipStreamWriteValue32(reinterpret_cast<hipStream_t>(0x50), v.at, 1, 0));
  GIVES(hipErrorInvalidHandle, hipStreamWriteValue64(reinterpret_cast<hipStream_t>(0x50), v.at, 1, 0));
}

// ---- waiting for what is there

void there(uint64_t value, uint64_t wanted, unsigned flags, uint64_t mask = ~uint64_t{0}) {
  const own_stream s;
  const signal v(value);
  OK(hipStreamWaitValue64(s, v.at, wanted, flags, mask));
  OK(hipStreamSynchronize(s));
}
CASE(wait_equal) {
  there(7, 7, hipStreamWaitValueEq);
}
CASE(wait_equal_below_a_mask) {
  there(0xf7, 7, hipStreamWaitValueEq, 0xf);
}
CASE(wait_greater) {
  there(8, 7, hipStreamWaitValueGte);
}
CASE(wait_greater_is_also_equal) {
  there(7, 7, hipStreamWaitValueGte);
}
CASE(wait_greater_is_unsigned) {
  there(~uint64_t{0}, 7, hipStreamWaitValueGte);
}
CASE(wait_and) {
  there(6, 3, hipStreamWaitValueAnd);
}
CASE(wait_nor) {
  there(6, 3, hipStreamWaitValueNor);
}
CASE(wait_32_sees_32_bits) {
  const own_stream s;
  const signal v(uint64_t{1} << 40 | 5);
  OK(hipStreamWaitValue32(s, v.at, 5, hipStreamWaitValueEq, ~0u));
  OK(hipStreamWaitValue32(s, v.at, 5, hipStreamWaitValueNor, ~0u));
  OK(hipStreamSynchronize(s));
}
CASE(wait_for_what_the_stream_has_written) {
  const own_stream s;
  const signal v;
  OK(hipStreamWriteValue64(s, v.at, 3, 0));
  OK(hipStreamWaitValue64(s, v.at, 3, hipStreamWaitValueEq, ~uint64_t{0}));
  write_value<<<1, 1, 0, s>>>(v.at, 4);
  OK(hipStreamWaitValue64(s, v.at, 4, hipStreamWaitValueEq, ~uint64_t{0}));
  OK(hipStreamSynchronize(s));
  SAME(*v.at, uint64_t{4});
}

// ---- waiting for what is not there yet

CASE(wait_for_what_is_not_there) {
  const own_stream s;
  const signal v;
  if (keeps_work()) {
    OK(hipStreamWaitValue64(s, v.at, 1, hipStreamWaitValueEq, ~uint64_t{0}));
    GIVES(hipErrorNotReady, hipStreamQuery(s));
    *v.at = 1;
    OK(hipStreamSynchronize(s));
  } else {
    GIVES(hipErrorNotSupported, hipStreamWaitValue64(s, v.at, 1, hipStreamWaitValueEq, ~uint64_t{0}));
  }
}
CASE(wait_for_another_stream) {
  if (!keeps_work()) return;
  const own_stream first, second;
  const signal v;
  const device_block<int> data(std::vector<int>{0});
  OK(hipStreamWaitValue32(second, v.at, 2, hipStreamWaitValueGte, ~0u));
  add_to<<<1, 1, 0, second>>>(data.get(), 1);
  OK(hipMemsetAsync(data.get(), 0, sizeof(int), first));  // before that
  OK(hipStreamWriteValue32(first, v.at, 2, 0));
  OK(hipStreamSynchronize(second));
  SAME(data.read()[0], 1);
}
CASE(wait_for_a_kernel) {
  if (!keeps_work()) return;
  const own_stream first(hipStreamNonBlocking), second(hipStreamNonBlocking);
  const signal v;
  const device_block<int> data(std::vector<int>{0});
  OK(hipStreamWaitValue64(second, v.at, 5, hipStreamWaitValueEq, ~uint64_t{0}));
  add_to<<<1, 1, 0, second>>>(data.get(), 1);
  write_value<<<1, 1, 0, first>>>(v.at, 5);
  OK(hipStreamSynchronize(second));
  SAME(data.read()[0], 1);
}
CASE(wait_for_another_thread) {
  if (!keeps_work()) return;
  const own_stream s;
  const signal v;
  OK(hipStreamWaitValue32(s, v.at, 1, hipStreamWaitValueEq, ~0u));
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    reinterpret_cast<std::atomic<uint64_t>*>(v.at)->store(1);
  });
  OK(hipStreamSynchronize(s));
  other.join();
}

// ---- wrong use

CASE(wait_nowhere) {
  GIVES(hipErrorInvalidValue, hipStreamWaitValue32(nullptr, nullptr, 1, hipStreamWaitValueEq, ~0u));
  GIVES(hipErrorInvalidValue, hipStreamWaitValue64(nullptr, nullptr, 1, hipStreamWaitValueEq, ~uint64_t{0}));
}
CASE(wait_for_ordinary_memory) {
  const device_block<uint64_t> block(1);
  GIVES(hipErrorInvalidValue, hipStreamWaitValue32(nullptr, block.get(), 0, hipStreamWaitValueGte, ~0u));
  GIVES(hipErrorInvalidValue, hipStreamWaitValue64(nullptr, block.get(), 0, hipStreamWaitValueGte, ~uint64_t{0}));
}
CASE(wait_with_unknown_flags) {
  const signal v;
  GIVES(hipErrorInvalidValue, hipStreamWaitValue32(nullptr, v.at, 0, 4, ~0u));
  GIVES(hipErrorInvalidValue, hipStreamWaitValue64(nullptr, v.at, 0, 4, ~uint64_t{0}));
}
CASE(wait_in_no_stream) {
  const signal v;
  GIVES(hipErrorInvalidHandle,
        hipStreamWaitValue32(reinterpret_cast<hipStream_t>(0x50), v.at, 0, hipStreamWaitValueEq, ~0u));
}
CASE(not_captured) {
  const own_stream s;
  const signal v;
  hipGraph_t graph = nullptr;
  OK(hipStreamBeginCapture(s, hipStreamCaptureModeGlobal));
  GIVES(hipErrorStreamCaptureUnsupported, hipStreamWriteValue32(s, v.at, 1, 0));
  static_cast<void>(hipStreamEndCapture(s, &graph));
  static_cast<void>(hipGetLastError());
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
