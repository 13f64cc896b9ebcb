// queues: yes
// Streams that are captured into graphs: launches, copies, fills and host functions, forks and joins by events, modes,
// and what cannot be captured.
#include <dlfcn.h>

#include <thread>

#include "check.h"

__global__ void add(int* data, int n, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += by;
}
__global__ void sum(int* to, const int* a, const int* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = a[i] + b[i];
}

constexpr int n = 777;
constexpr size_t bytes = n * sizeof(int);
static const unsigned blocks = check::blocks_for(n, 64);

static std::vector<int> all(int value) {
  return std::vector<int>(n, value);
}
static std::vector<int> contents(const int* data) {
  std::vector<int> host(n);
  HIP_CHECK(hipMemcpy(host.data(), data, bytes, hipMemcpyDeviceToHost));
  return host;
}
// Declared in Debian's headers, and not in the library to link with.
static hipError_t launch_host_function(hipStream_t s, hipHostFn_t function, void* data) {
  using type = hipError_t (*)(hipStream_t, hipHostFn_t, void*);
  return reinterpret_cast<type>(dlsym(RTLD_DEFAULT, "hipLaunchHostFunc"))(s, function, data);
}
static void count(void* data) {
  ++*static_cast<int*>(data);
}
static hipStreamCaptureStatus status_of(hipStream_t s) {
  hipStreamCaptureStatus status;
  HIP_CHECK(hipStreamIsCapturing(s, &status));
  return status;
}
static size_t nodes_of(hipGraph_t g) {
  size_t found = 0;
  HIP_CHECK(hipGraphGetNodes(g, nullptr, &found));
  return found;
}
static void launch(hipGraph_t g, hipStream_t s, int times = 1) {
  hipGraphExec_t ready;
  HIP_CHECK(hipGraphInstantiate(&ready, g, nullptr, nullptr, 0));
  for (int k = 0; k < times; ++k) HIP_CHECK(hipGraphLaunch(ready, s));
  HIP_CHECK(hipStreamSynchronize(s));
  HIP_CHECK(hipGraphExecDestroy(ready));
}

// Nothing happens while it is captured; each launch does all of it.
static void one_stream(hipStream_t s) {
  check::device_array<int> data(n);
  data.fill(0x11);
  int calls = 0;
  std::vector<int> host(n, 5), got(n, -1);
  CHECK(status_of(s) == hipStreamCaptureStatusNone, "captured before it begins");
  HIP_CHECK(hipStreamBeginCapture(s, hipStreamCaptureModeGlobal));
  CHECK(status_of(s) == hipStreamCaptureStatusActive, "not captured");
  HIP_CHECK(hipMemcpyAsync(data.get(), host.data(), bytes, hipMemcpyHostToDevice, s));
  add<<<blocks, 64, 0, s>>>(data.get(), n, 3);
  CHECK_LAUNCH();
  HIP_CHECK(hipMemsetAsync(data.get(), 0, 8, s));
  HIP_CHECK(hipMemset2DAsync(data.get() + 10, 40, 0, 4, 3, s));
  HIP_CHECK(hipMemcpy2DAsync(got.data(), 8, data.get(), 8, 8, n / 2, hipMemcpyDeviceToHost, s));
  HIP_CHECK(launch_host_function(s, count, &calls));
  hipGraph_t g = nullptr, making = nullptr;
  hipStreamCaptureStatus status;
  unsigned long long id = 0;
  const hipGraphNode_t* last = nullptr;
  size_t lasts = 0;
  HIP_CHECK(hipStreamGetCaptureInfo_v2(s, &status, &id, &making, &last, &lasts));
  hipGraphNodeType type;
  HIP_CHECK(hipGraphNodeGetType(*last, &type));
  CHECK(status == hipStreamCaptureStatusActive && id != 0 && lasts == 1 && type == hipGraphNodeTypeHost, "its state");
  HIP_CHECK(hipStreamEndCapture(s, &g));
  CHECK(g != nullptr && g == making && status_of(s) == hipStreamCaptureStatusNone, "after its end");
  CHECK(nodes_of(g) == 6 && calls == 0 && got[0] == -1, "something was done while it was captured");
  CHECK_SAME("what was there", contents(data.get()), all(0x11111111));
  host.assign(n, 6);  // read at the launch
  launch(g, s, 2);
  std::vector<int> want = all(9);
  want[0] = want[1] = want[10] = want[20] = want[30] = 0;
  CHECK_SAME("after the launches", contents(data.get()), want);
  want[n - 1] = -1;  // n is odd
  CHECK_SAME("copied by the graph", got, want);
  CHECK(calls == 2, "%d calls", calls);
  HIP_CHECK(hipGraphDestroy(g));
}

// a and b are computed in two streams, their sum in the first.
static void fork_and_join(hipStream_t s, hipStream_t t) {
  check::device_array<int> a(n), b(n), c(n);
  for (auto* x : {&a, &b, &c}) x->fill(0);
  hipEvent_t fork, join;
  HIP_CHECK(hipEventCreateWithFlags(&fork, hipEventDisableTiming));
  HIP_CHECK(hipEventCreateWithFlags(&join, hipEventDisableTiming));
  hipGraph_t g;
  HIP_CHECK(hipStreamBeginCapture(s, hipStreamCaptureModeThreadLocal));
  add<<<blocks, 64, 0, s>>>(a.get(), n, 1);
  HIP_CHECK(hipEventRecord(fork, s));
  HIP_CHECK(hipStreamWaitEvent(t, fork, 0));
  CHECK(status_of(t) == hipStreamCaptureStatusActive, "the other stream does not take part");
  add<<<blocks, 64, 0, t>>>(b.get(), n, 20);
  add<<<blocks, 64, 0, s>>>(a.get(), n, 2);
  HIP_CHECK(hipEventRecord(join, t));
  HIP_CHECK(hipStreamWaitEvent(s, join, 0));
  sum<<<blocks, 64, 0, s>>>(c.get(), a.get(), b.get(), n);
  CHECK_LAUNCH();
  HIP_CHECK(hipStreamEndCapture(s, &g));
  CHECK(status_of(t) == hipStreamCaptureStatusNone, "the other stream is still captured");
  size_t edges = 0, roots = 0;
  HIP_CHECK(hipGraphGetEdges(g, nullptr, nullptr, &edges));
  HIP_CHECK(hipGraphGetRootNodes(g, nullptr, &roots));
  CHECK(nodes_of(g) == 4 && edges == 4 && roots == 1, "%zu nodes, %zu edges, %zu roots", nodes_of(g), edges, roots);
  launch(g, t);
  CHECK_SAME("the sum", contents(c.get()), all(23));
  EXPECT_ERROR(hipErrorCapturedEvent, hipEventQuery(join));
  EXPECT_ERROR(hipErrorCapturedEvent, hipStreamWaitEvent(s, join, 0));
  HIP_CHECK(hipEventRecord(join, t));  // an event as any other again
  HIP_CHECK(hipEventSynchronize(join));

  // A graph's launch is captured as a graph in the graph.
  hipGraphExec_t ready;
  HIP_CHECK(hipGraphInstantiate(&ready, g, nullptr, nullptr, 0));
  hipGraph_t outer;
  HIP_CHECK(hipStreamBeginCapture(s, hipStreamCaptureModeRelaxed));
  HIP_CHECK(hipGraphLaunch(ready, s));
  HIP_CHECK(hipGraphLaunch(ready, s));
  HIP_CHECK(hipStreamEndCapture(s, &outer));
  HIP_CHECK(hipGraphExecDestroy(ready));
  launch(outer, s);
  CHECK_SAME("two more", contents(c.get()), all(69));
  HIP_CHECK(hipGraphDestroy(outer));
  HIP_CHECK(hipGraphDestroy(g));
  HIP_CHECK(hipEventDestroy(fork));
  HIP_CHECK(hipEventDestroy(join));
}

// Ends a capture that is no good any more.
static void ends_with(hipError_t error, hipStream_t s) {
  hipGraph_t g = reinterpret_cast<hipGraph_t>(1);
  EXPECT_ERROR(error, hipStreamEndCapture(s, &g));
  CHECK(g == nullptr && status_of(s) == hipStreamCaptureStatusNone, "the capture goes on");
}

static void what_cannot_be_captured(hipStream_t s, hipStream_t t) {
  check::device_array<int> data(n);
  hipGraph_t g = nullptr;
  hipEvent_t e;
  HIP_CHECK(hipEventCreate(&e));
  EXPECT_ERROR(hipErrorStreamCaptureUnsupported, hipStreamBeginCapture(nullptr, hipStreamCaptureModeGlobal));
  EXPECT_ERROR(hipErrorInvalidValue, hipStreamBeginCapture(s, static_cast<hipStreamCaptureMode>(7)));
  EXPECT_ERROR(hipErrorIllegalState, hipStreamEndCapture(s, &g));
  HIP_CHECK(hipStreamBeginCapture(s, hipStreamCaptureModeRelaxed));
  EXPECT_ERROR(hipErrorIllegalState, hipStreamBeginCapture(s, hipStreamCaptureModeRelaxed));
  EXPECT_ERROR(hipErrorStreamCaptureUnsupported, hipStreamSynchronize(s));
  CHECK(status_of(s) == hipStreamCaptureStatusInvalidated, "the capture is still good");
  EXPECT_ERROR(hipErrorStreamCaptureInvalidated, hipMemsetAsync(data.get(), 0, 4, s));
  ends_with(hipErrorStreamCaptureInvalidated, s);
  HIP_CHECK(hipStreamSynchronize(s));

  HIP_CHECK(hipStreamBeginCapture(s, hipStreamCaptureModeRelaxed));
  EXPECT_ERROR(hipErrorStreamCaptureUnsupported, hipDeviceSynchronize());
  ends_with(hipErrorStreamCaptureInvalidated, s);

  // The legacy default stream waits for all others but those that do not block.
  HIP_CHECK(hipStreamBeginCapture(s, hipStreamCaptureModeRelaxed));
  EXPECT_ERROR(hipErrorStreamCaptureImplicit, hipMemset(data.get(), 0, 4));
  ends_with(hipErrorStreamCaptureInvalidated, s);
  hipStream_t free_stream;
  HIP_CHECK(hipStreamCreateWithFlags(&free_stream, hipStreamNonBlocking));
  HIP_CHECK(hipStreamBeginCapture(free_stream, hipStreamCaptureModeGlobal));
  HIP_CHECK(hipMemset(data.get(), 0, 4));
  HIP_CHECK(hipStreamEndCapture(free_stream, &g));
  CHECK(nodes_of(g) == 0, "the default stream was captured");
  HIP_CHECK(hipGraphDestroy(g));

  // Calls that are not safe while another part of the program captures, as its mode says.
  void* memory = nullptr;
  HIP_CHECK(hipStreamBeginCapture(free_stream, hipStreamCaptureModeGlobal));
  EXPECT_ERROR(hipErrorStreamCaptureUnsupported, hipMalloc(&memory, 16));
  ends_with(hipErrorStreamCaptureInvalidated, free_stream);
  HIP_CHECK(hipStreamBeginCapture(free_stream, hipStreamCaptureModeGlobal));
  hipStreamCaptureMode mode = hipStreamCaptureModeRelaxed;
  HIP_CHECK(hipThreadExchangeStreamCaptureMode(&mode));
  CHECK(mode == hipStreamCaptureModeGlobal, "the thread's mode");
  HIP_CHECK(hipMalloc(&memory, 16));
  HIP_CHECK(hipFree(memory));
  HIP_CHECK(hipThreadExchangeStreamCaptureMode(&mode));
  EXPECT_ERROR(hipErrorStreamCaptureUnsupported, hipMallocAsync(&memory, 16, free_stream));
  ends_with(hipErrorStreamCaptureInvalidated, free_stream);

  // Forks that are not joined, captures that meet, ends in the wrong place.
  HIP_CHECK(hipStreamBeginCapture(s, hipStreamCaptureModeRelaxed));
  HIP_CHECK(hipEventRecord(e, s));
  HIP_CHECK(hipStreamWaitEvent(t, e, 0));
  add<<<blocks, 64, 0, t>>>(data.get(), n, 1);
  EXPECT_ERROR(hipErrorStreamCaptureUnmatched, hipStreamEndCapture(t, &g));
  ends_with(hipErrorStreamCaptureUnjoined, s);
  CHECK(status_of(t) == hipStreamCaptureStatusNone, "the other stream is still captured");
  HIP_CHECK(hipStreamBeginCapture(s, hipStreamCaptureModeRelaxed));
  HIP_CHECK(hipStreamBeginCapture(t, hipStreamCaptureModeRelaxed));
  HIP_CHECK(hipEventRecord(e, s));
  EXPECT_ERROR(hipErrorStreamCaptureMerge, hipStreamWaitEvent(t, e, 0));
  ends_with(hipErrorStreamCaptureInvalidated, s);
  ends_with(hipErrorStreamCaptureInvalidated, t);
  HIP_CHECK(hipEventRecord(e, t));
  HIP_CHECK(hipStreamBeginCapture(s, hipStreamCaptureModeRelaxed));
  EXPECT_ERROR(hipErrorStreamCaptureIsolation, hipStreamWaitEvent(s, e, 0));
  ends_with(hipErrorStreamCaptureInvalidated, s);
  HIP_CHECK(hipStreamBeginCapture(s, hipStreamCaptureModeThreadLocal));
  std::thread([&] { EXPECT_ERROR(hipErrorStreamCaptureWrongThread, hipStreamEndCapture(s, &g)); }).join();
  std::thread([&] {  // another thread may do what this one may not
    HIP_CHECK(hipMalloc(&memory, 16));
    HIP_CHECK(hipFree(memory));
  })
      .join();
  HIP_CHECK(hipStreamEndCapture(s, &g));
  HIP_CHECK(hipGraphDestroy(g));

  // A stream that goes takes its capture along.
  HIP_CHECK(hipStreamBeginCapture(free_stream, hipStreamCaptureModeRelaxed));
  HIP_CHECK(hipMemsetAsync(data.get(), 1, 4, free_stream));
  HIP_CHECK(hipStreamDestroy(free_stream));
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipEventDestroy(e));
}

// The program adds to what a stream comes after.
static void own_dependencies(hipStream_t s) {
  check::device_array<int> data(n), apart(n);
  data.fill(0);
  apart.fill(0);
  hipGraph_t g, making;
  hipStreamCaptureStatus status;
  HIP_CHECK(hipStreamBeginCapture(s, hipStreamCaptureModeRelaxed));
  add<<<blocks, 64, 0, s>>>(data.get(), n, 1);
  HIP_CHECK(hipStreamGetCaptureInfo_v2(s, &status, nullptr, &making, nullptr, nullptr));
  hipGraphNode_t own;
  HIP_CHECK(hipGraphAddEmptyNode(&own, making, nullptr, 0));
  HIP_CHECK(hipStreamUpdateCaptureDependencies(s, &own, 1, hipStreamAddCaptureDependencies));
  EXPECT_ERROR(hipErrorInvalidValue, hipGraphDestroyNode(own));
  add<<<blocks, 64, 0, s>>>(data.get(), n, 2);
  HIP_CHECK(hipStreamUpdateCaptureDependencies(s, nullptr, 0, hipStreamSetCaptureDependencies));
  add<<<blocks, 64, 0, s>>>(apart.get(), n, 4);  // which comes after nothing
  HIP_CHECK(hipStreamEndCapture(s, &g));
  size_t edges = 0, roots = 0;
  HIP_CHECK(hipGraphGetEdges(g, nullptr, nullptr, &edges));
  HIP_CHECK(hipGraphGetRootNodes(g, nullptr, &roots));
  CHECK(nodes_of(g) == 4 && edges == 2 && roots == 3, "%zu edges, %zu roots", edges, roots);
  EXPECT_ERROR(hipErrorIllegalState, hipStreamUpdateCaptureDependencies(s, &own, 1, hipStreamSetCaptureDependencies));
  launch(g, s);
  CHECK_SAME("1 + 2", contents(data.get()), all(3));
  CHECK_SAME("4", contents(apart.get()), all(4));
  HIP_CHECK(hipGraphDestroy(g));
}

int main() {
  hipStream_t s, t;
  HIP_CHECK(hipStreamCreate(&s));
  HIP_CHECK(hipStreamCreate(&t));
  one_stream(s);
  fork_and_join(s, t);
  what_cannot_be_captured(s, t);
  own_dependencies(s);
  HIP_CHECK(hipStreamDestroy(s));
  HIP_CHECK(hipStreamDestroy(t));
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
