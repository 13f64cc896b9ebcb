// Stream capture: what goes into a captured stream becomes a graph, and what cannot be captured is refused.
#include <thread>

#include "conformance.h"

namespace {

__global__ void add(int* data, int by) {
  data[threadIdx.x] += by;
}
constexpr int n = 64;
using ints = std::vector<int>;

void begin(hipStream_t s, hipStreamCaptureMode mode = hipStreamCaptureModeGlobal) {
  OK(hipStreamBeginCapture(s, mode));
}
struct captured {
  hipGraph_t g = nullptr;
  explicit captured(hipStream_t s) { OK(hipStreamEndCapture(s, &g)); }
  ~captured() { static_cast<void>(hipGraphDestroy(g)); }
  captured(const captured&) = delete;
  captured& operator=(const captured&) = delete;
  size_t nodes() const {
    size_t count = 0;
    OK(hipGraphGetNodes(g, nullptr, &count));
    return count;
  }
  void run() const {
    hipGraphExec_t e = nullptr;
    OK(hipGraphInstantiate(&e, g, nullptr, nullptr, 0));
    OK(hipGraphLaunch(e, nullptr));
    OK(hipDeviceSynchronize());
    OK(hipGraphExecDestroy(e));
  }
};
// Ends a capture that is no good any more.
void give_up(hipStream_t s) {
  hipGraph_t g = nullptr;
  static_cast<void>(hipStreamEndCapture(s, &g));
  if (g != nullptr) static_cast<void>(hipGraphDestroy(g));
  static_cast<void>(hipGetLastError());
}

CASE(nothing) {
  const own_stream s;
  begin(s);
  const captured c(s);
  SAME(c.nodes(), size_t{0});
  c.run();
}
CASE(a_kernel) {
  const own_stream s;
  const device_block<int> d(ints(n, 1));
  begin(s);
  add<<<1, n, 0, s>>>(d.get(), 5);
  OK(hipGetLastError());
  const captured c(s);
  EXPECT(d.read() == ints(n, 1));  // nothing has been done
  SAME(c.nodes(), size_t{1});
  c.run();
  EXPECT(d.read() == ints(n, 6));
}
CASE(copies_and_fills) {
  const own_stream s;
  const device_block<int> d(ints(n, 1)), e(ints(n, 9));
  begin(s);
  OK(hipMemcpyAsync(d.get(), e.get(), 4 * n, hipMemcpyDeviceToDevice, s));
  OK(hipMemsetAsync(e.get(), 0, 4 * n, s));
  const captured c(s);
  EXPECT(e.read() == ints(n, 9));
  c.run();
  EXPECT(d.read() == ints(n, 9) && e.read() == ints(n, 0));
}
CASE(order) {
  const own_stream s;
  const device_block<int> d(ints(n, 1));
  begin(s);
  OK(hipMemsetAsync(d.get(), 0, 4 * n, s));
  for (int k = 1; k < 5; ++k) add<<<1, n, 0, s>>>(d.get(), k);
  const captured c(s);
  SAME(c.nodes(), size_t{5});
  c.run();
  c.run();
  EXPECT(d.read() == ints(n, 10));
}
CASE(fork_and_join) {
  const own_stream a, b;
  const own_event forked, joined;
  const device_block<int> d(ints(n, 1)), e(ints(n, 2));
  begin(a);
  OK(hipEventRecord(forked, a));
  OK(hipStreamWaitEvent(b, forked, 0));
  add<<<1, n, 0, a>>>(d.get(), 5);
  add<<<1, n, 0, b>>>(e.get(), 6);
  OK(hipEventRecord(joined, b));
  OK(hipStreamWaitEvent(a, joined, 0));
  const captured c(a);
  SAME(c.nodes(), size_t{2});
  c.run();
  EXPECT(d.read() == ints(n, 6) && e.read() == ints(n, 8));
}
void mode(hipStreamCaptureMode m) {
  const own_stream s;
  begin(s, m);
  const captured c(s);
}
CASE(mode_global) {
  mode(hipStreamCaptureModeGlobal);
}
CASE(mode_thread_local) {
  mode(hipStreamCaptureModeThreadLocal);
}
CASE(mode_relaxed) {
  mode(hipStreamCaptureModeRelaxed);
}
CASE(mode_that_is_none) {
  const own_stream s;
  GIVES(hipErrorInvalidValue, hipStreamBeginCapture(s, static_cast<hipStreamCaptureMode>(9)));
}
CASE(exchange_mode) {
  hipStreamCaptureMode m = hipStreamCaptureModeRelaxed;
  OK(hipThreadExchangeStreamCaptureMode(&m));
  SAME(static_cast<int>(m), static_cast<int>(hipStreamCaptureModeGlobal));
  OK(hipThreadExchangeStreamCaptureMode(&m));
  SAME(static_cast<int>(m), static_cast<int>(hipStreamCaptureModeRelaxed));
}
CASE(exchange_mode_nowhere) {
  GIVES(hipErrorInvalidValue, hipThreadExchangeStreamCaptureMode(nullptr));
}
CASE(the_legacy_stream) {
  GIVES(hipErrorStreamCaptureUnsupported, hipStreamBeginCapture(nullptr, hipStreamCaptureModeGlobal));
}
CASE(begin_twice) {
  const own_stream s;
  begin(s);
  GIVES(hipErrorIllegalState, hipStreamBeginCapture(s, hipStreamCaptureModeGlobal));
  give_up(s);
}
CASE(end_what_has_not_begun) {
  const own_stream s;
  hipGraph_t g = nullptr;
  GIVES(hipErrorIllegalState, hipStreamEndCapture(s, &g));
}
CASE(end_nowhere) {
  const own_stream s;
  begin(s);
  GIVES(hipErrorInvalidValue, hipStreamEndCapture(s, nullptr));
  give_up(s);
}
CASE(end_in_another_stream) {
  const own_stream a, b;
  const own_event e;
  begin(a);
  OK(hipEventRecord(e, a));
  OK(hipStreamWaitEvent(b, e, 0));
  hipGraph_t g = nullptr;
  GIVES(hipErrorStreamCaptureUnmatched, hipStreamEndCapture(b, &g));
  give_up(a);
}
CASE(end_without_joining) {
  const own_stream a, b;
  const own_event e;
  const device_block<int> d(n);
  begin(a);
  OK(hipEventRecord(e, a));
  OK(hipStreamWaitEvent(b, e, 0));
  add<<<1, n, 0, b>>>(d.get(), 1);
  hipGraph_t g = nullptr;
  GIVES(hipErrorStreamCaptureUnjoined, hipStreamEndCapture(a, &g));
}
CASE(end_in_another_thread) {
  const own_stream s;
  begin(s);
  hipError_t code = hipSuccess;
  std::thread([&] {
    hipGraph_t g = nullptr;
    code = hipStreamEndCapture(s, &g);
  }).join();
  EXPECT(code == hipErrorStreamCaptureWrongThread);
  give_up(s);
}
CASE(relaxed_ends_in_another_thread) {
  const own_stream s;
  begin(s, hipStreamCaptureModeRelaxed);
  hipError_t code = hipErrorUnknown;
  std::thread([&] {
    hipGraph_t g = nullptr;
    code = hipStreamEndCapture(s, &g);
    static_cast<void>(hipGraphDestroy(g));
  }).join();
  EXPECT(code == hipSuccess);
}
CASE(wait_while_capturing) {
  const own_stream s;
  begin(s);
  GIVES(hipErrorStreamCaptureUnsupported, hipStreamSynchronize(s));
  hipGraph_t g = nullptr;
  GIVES(hipErrorStreamCaptureInvalidated, hipStreamEndCapture(s, &g));
}
CASE(query_while_capturing) {
  const own_stream s;
  begin(s);
  GIVES(hipErrorStreamCaptureUnsupported, hipStreamQuery(s));
  give_up(s);
}
CASE(legacy_stream_while_capturing) {
  const own_stream s;
  const device_block<int> d(n);
  begin(s);
  GIVES(hipErrorStreamCaptureImplicit, hipMemsetAsync(d.get(), 0, 4 * n, nullptr));
  give_up(s);
}
CASE(other_non_blocking_stream_while_capturing) {
  const own_stream s, other(hipStreamNonBlocking);
  const device_block<int> d(ints(n, 1));
  begin(s, hipStreamCaptureModeRelaxed);
  add<<<1, n, 0, other>>>(d.get(), 1);
  OK(hipGetLastError());
  OK(hipStreamSynchronize(other));
  const captured c(s);
  SAME(c.nodes(), size_t{0});
  EXPECT(d.read() == ints(n, 2));
}
CASE(callback_while_capturing) {
  const own_stream s;
  begin(s);
  GIVES(hipErrorStreamCaptureUnsupported, hipStreamAddCallback(
                                              s, [](hipStream_t, hipError_t, void*) {}, nullptr, 0));
  give_up(s);
}
CASE(captured_event_is_not_waited_for) {
  const own_stream s;
  const own_event e;
  begin(s);
  OK(hipEventRecord(e, s));
  GIVES(hipErrorCapturedEvent, hipEventSynchronize(e));
  give_up(s);
}
CASE(captured_event_has_no_time) {
  const own_stream s;
  const own_event e;
  begin(s);
  OK(hipEventRecord(e, s));
  float ms = 0;
  GIVES(hipErrorCapturedEvent, hipEventElapsedTime(&ms, e, e));
  give_up(s);
}
CASE(two_captures_do_not_merge) {
  const own_stream a, b;
  const own_event e;
  begin(a);
  begin(b);
  OK(hipEventRecord(e, a));
  GIVES(hipErrorStreamCaptureMerge, hipStreamWaitEvent(b, e, 0));
  give_up(a);
  give_up(b);
}
CASE(event_from_outside) {
  const own_stream s, outside;
  const own_event e;
  OK(hipEventRecord(e, outside));
  begin(s);
  GIVES(hipErrorStreamCaptureIsolation, hipStreamWaitEvent(s, e, 0));
  give_up(s);
}

// ---- asking

CASE(is_capturing) {
  const own_stream s;
  hipStreamCaptureStatus status = hipStreamCaptureStatusInvalidated;
  OK(hipStreamIsCapturing(s, &status));
  SAME(static_cast<int>(status), static_cast<int>(hipStreamCaptureStatusNone));
  begin(s);
  OK(hipStreamIsCapturing(s, &status));
  SAME(static_cast<int>(status), static_cast<int>(hipStreamCaptureStatusActive));
  GIVES(hipErrorStreamCaptureUnsupported, hipStreamSynchronize(s));
  OK(hipStreamIsCapturing(s, &status));
  SAME(static_cast<int>(status), static_cast<int>(hipStreamCaptureStatusInvalidated));
  give_up(s);
  OK(hipStreamIsCapturing(s, &status));
  SAME(static_cast<int>(status), static_cast<int>(hipStreamCaptureStatusNone));
}
CASE(is_capturing_nowhere) {
  const own_stream s;
  GIVES(hipErrorInvalidValue, hipStreamIsCapturing(s, nullptr));
}
CASE(info) {
  const own_stream s, other;
  hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
  unsigned long long id = 0, other_id = 0;
  begin(s);
  begin(other);
  OK(hipStreamGetCaptureInfo(s, &status, &id));
  OK(hipStreamGetCaptureInfo(other, &status, &other_id));
  SAME(static_cast<int>(status), static_cast<int>(hipStreamCaptureStatusActive));
  EXPECT(id != 0 && id != other_id);
  const captured a(s), b(other);
}
CASE(info_v2) {
  const own_stream s;
  const device_block<int> d(n);
  hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
  unsigned long long id = 0;
  hipGraph_t g = nullptr;
  const hipGraphNode_t* last = nullptr;
  size_t count = 99;
  begin(s);
  OK(hipStreamGetCaptureInfo_v2(s, &status, &id, &g, &last, &count));
  SAME(count, size_t{0});
  add<<<1, n, 0, s>>>(d.get(), 1);
  OK(hipStreamGetCaptureInfo_v2(s, &status, &id, &g, &last, &count));
  SAME(count, size_t{1});
  EXPECT(g != nullptr && last != nullptr);
  const captured c(s);
}
CASE(update_dependencies) {
  const own_stream s;
  const device_block<int> d(ints(n, 1));
  begin(s);
  add<<<1, n, 0, s>>>(d.get(), 1);
  OK(hipStreamUpdateCaptureDependencies(s, nullptr, 0, hipStreamSetCaptureDependencies));
  add<<<1, n, 0, s>>>(d.get(), 1);
  const captured c(s);
  size_t edges = 99;
  OK(hipGraphGetEdges(c.g, nullptr, nullptr, &edges));
  SAME(edges, size_t{0});
}
CASE(update_dependencies_of_what_is_not_captured) {
  const own_stream s;
  GIVES(hipErrorIllegalState, hipStreamUpdateCaptureDependencies(s, nullptr, 0, hipStreamAddCaptureDependencies));
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
