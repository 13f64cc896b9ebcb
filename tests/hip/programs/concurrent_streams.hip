// timing: yes
// queues: yes
// Kernels in two streams, with events around them: small ones, ones that fill the machine, ones of which a compute unit
// holds a single block; in one stream, behind an event, beside the legacy stream, of other priority, in a graph.
// Results are right however they ran. With --times it also prints, for each pair, what the events say in GPU cycles: of
// the first kernel, of the second, and of both together; the caller knows which of them the machine lets overlap.
#include <algorithm>
#include <cstring>
#include <functional>

#include "check.h"

__global__ void churn(uint32_t* out, uint32_t seed, int rounds) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t x = i * 2654435761u + seed;
  for (int k = 0; k < rounds; ++k) x = x * 1664525u + 1013904223u + (x >> 7);
  out[i] = x;
}

static std::vector<uint32_t> churned(unsigned n, uint32_t seed, int rounds) {
  std::vector<uint32_t> want(n);
  for (unsigned i = 0; i < n; ++i) {
    uint32_t x = i * 2654435761u + seed;
    for (int k = 0; k < rounds; ++k) x = x * 1664525u + 1013904223u + (x >> 7);
    want[i] = x;
  }
  return want;
}

static bool prints_times = false;

struct shape {
  unsigned blocks;
  int rounds;
  size_t lds;
};
constexpr unsigned block = 64;

static double cycles(hipEvent_t from, hipEvent_t to) {
  float ms = -1;
  HIP_CHECK(hipEventElapsedTime(&ms, from, to));
  return ms * 1e6;  // at 1000 MHz
}

enum class between { nothing, event };

// The first kernel in stream a, the second in stream b.
static void pair(const char* name, shape first, shape second, hipStream_t a, hipStream_t b,
                 between what = between::nothing) {
  check::device_array<uint32_t> of_first(first.blocks * block), of_second(second.blocks * block);
  hipEvent_t begin, end_a, begin_b, end_b;
  for (hipEvent_t* e : {&begin, &end_a, &begin_b, &end_b}) HIP_CHECK(hipEventCreate(e));
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipEventRecord(begin, a));
  churn<<<first.blocks, block, first.lds, a>>>(of_first.get(), 1, first.rounds);
  CHECK_LAUNCH();
  HIP_CHECK(hipEventRecord(end_a, a));
  if (what == between::event) HIP_CHECK(hipStreamWaitEvent(b, end_a, 0));
  HIP_CHECK(hipEventRecord(begin_b, b));
  churn<<<second.blocks, block, second.lds, b>>>(of_second.get(), 2, second.rounds);
  CHECK_LAUNCH();
  HIP_CHECK(hipEventRecord(end_b, b));
  HIP_CHECK(hipEventSynchronize(end_a));
  HIP_CHECK(hipEventSynchronize(end_b));
  CHECK_SAME(name, of_first.download(), churned(first.blocks * block, 1, first.rounds));
  CHECK_SAME(name, of_second.download(), churned(second.blocks * block, 2, second.rounds));
  if (prints_times)
    std::printf("%s %.0f %.0f %.0f\n", name, cycles(begin, end_a), cycles(begin_b, end_b),
                std::max(cycles(begin, end_a), cycles(begin, end_b)));
  for (hipEvent_t e : {begin, end_a, begin_b, end_b}) HIP_CHECK(hipEventDestroy(e));
}

// Two chains of launches in one captured graph: its operations are one after the other.
static void graph(hipStream_t s) {
  constexpr int launches = 4;
  constexpr unsigned n = 4 * block;
  check::device_array<uint32_t> out(launches * n);
  hipGraph_t g;
  hipGraphExec_t ready;
  HIP_CHECK(hipStreamBeginCapture(s, hipStreamCaptureModeGlobal));
  for (int k = 0; k < launches; ++k) churn<<<4, block, 0, s>>>(out.get() + k * n, k, 20);
  HIP_CHECK(hipStreamEndCapture(s, &g));
  HIP_CHECK(hipGraphInstantiate(&ready, g, nullptr, nullptr, 0));
  HIP_CHECK(hipGraphLaunch(ready, s));
  HIP_CHECK(hipStreamSynchronize(s));
  const std::vector<uint32_t> got = out.download();
  for (int k = 0; k < launches; ++k)
    CHECK_SAME("graph", std::vector<uint32_t>(got.begin() + k * n, got.begin() + (k + 1) * n), churned(n, k, 20));
  HIP_CHECK(hipGraphExecDestroy(ready));
  HIP_CHECK(hipGraphDestroy(g));
}

// What a program may do with its memory once a call has returned.
static void host_memory(hipStream_t s) {
  constexpr unsigned n = 16 * block;
  check::device_array<uint32_t> busy(n), to(n);
  std::vector<uint32_t> from(n, 7), got(n, 0);
  churn<<<16, block, 0, s>>>(busy.get(), 3, 200);
  HIP_CHECK(hipMemcpyAsync(to.get(), from.data(), to.bytes(), hipMemcpyHostToDevice, s));
  std::fill(from.begin(), from.end(), 8);  // pageable memory is the program's again
  HIP_CHECK(hipMemcpyAsync(got.data(), to.get(), to.bytes(), hipMemcpyDeviceToHost, s));
  CHECK_SAME("pageable memory", got, std::vector<uint32_t>(n, 7));  // and has the result

  uint32_t* pinned;
  HIP_CHECK(hipHostMalloc(&pinned, n * sizeof(uint32_t), hipHostMallocDefault));
  std::fill(pinned, pinned + n, 0);
  churn<<<16, block, 0, s>>>(pinned, 4, 50);
  HIP_CHECK(hipStreamSynchronize(s));
  CHECK_SAME("pinned memory", std::vector<uint32_t>(pinned, pinned + n), churned(n, 4, 50));
  HIP_CHECK(hipHostFree(pinned));

  std::vector<uint32_t> registered(n, 0);
  HIP_CHECK(hipHostRegister(registered.data(), n * sizeof(uint32_t), hipHostRegisterDefault));
  void* device;
  HIP_CHECK(hipHostGetDevicePointer(&device, registered.data(), 0));
  churn<<<8, block, 0, s>>>(busy.get(), 3, 200);
  churn<<<8, block, 0, s>>>(static_cast<uint32_t*>(device), 5, 20);
  registered[n - 1] = 99;  // the half that the kernel does not write stays the program's
  HIP_CHECK(hipStreamSynchronize(s));
  std::vector<uint32_t> want = churned(n / 2, 5, 20);
  want.resize(n, 0);
  want[n - 1] = 99;
  CHECK_SAME("registered memory", registered, want);
  HIP_CHECK(hipHostUnregister(registered.data()));
}

// Copies that are not asynchronous are done when they return, to pinned memory too, whatever is in front of them.
static void blocking_copies() {
  constexpr unsigned n = 4 * block;
  constexpr size_t bytes = n * sizeof(uint32_t);
  check::device_array<uint32_t> from(n);
  uint32_t* pinned;
  HIP_CHECK(hipHostMalloc(&pinned, bytes, hipHostMallocDefault));
  hip_Memcpy2D rows{};
  rows.srcMemoryType = hipMemoryTypeDevice;
  rows.srcDevice = from.get();
  rows.dstMemoryType = hipMemoryTypeHost;
  rows.dstHost = pinned;
  rows.WidthInBytes = bytes;
  rows.Height = 1;
  HIP_MEMCPY3D box{};
  box.srcMemoryType = hipMemoryTypeDevice;
  box.srcDevice = from.get();
  box.dstMemoryType = hipMemoryTypeHost;
  box.dstHost = pinned;
  box.WidthInBytes = bytes;
  box.Height = box.Depth = 1;
  hipMemcpy3DParms parameters{};
  parameters.srcPtr = make_hipPitchedPtr(from.get(), bytes, bytes, 1);
  parameters.dstPtr = make_hipPitchedPtr(pinned, bytes, bytes, 1);
  parameters.extent = make_hipExtent(bytes, 1, 1);
  parameters.kind = hipMemcpyDeviceToHost;
  const auto done = [&](const char* what, uint32_t seed, const std::function<hipError_t()>& copy) {
    std::fill(pinned, pinned + n, 0);
    churn<<<4, block>>>(from.get(), seed, 100);
    HIP_CHECK(copy());
    CHECK_SAME(what, std::vector<uint32_t>(pinned, pinned + n), churned(n, seed, 100));
  };
  done("hipMemcpy", 21, [&] { return hipMemcpy(pinned, from.get(), bytes, hipMemcpyDeviceToHost); });
  done("hipMemcpy2D", 22, [&] { return hipMemcpy2D(pinned, bytes, from.get(), bytes, bytes, 1, hipMemcpyDeviceToHost); });
  done("hipMemcpyParam2D", 23, [&] { return hipMemcpyParam2D(&rows); });
  done("hipMemcpy3D", 24, [&] { return hipMemcpy3D(&parameters); });
  done("hipDrvMemcpy3D", 25, [&] { return hipDrvMemcpy3D(&box); });
  HIP_CHECK(hipHostFree(pinned));
}

struct told {
  const uint32_t* pinned = nullptr;
  uint32_t seen = 0;
  hipError_t status = hipErrorUnknown;
};

// A callback comes when the stream gets there, and a poll gets there too.
static void callbacks_and_polls(hipStream_t s) {
  uint32_t* pinned;
  HIP_CHECK(hipHostMalloc(&pinned, block * sizeof(uint32_t), hipHostMallocDefault));
  std::fill(pinned, pinned + block, 0);
  told t;
  t.pinned = pinned;
  churn<<<1, block, 0, s>>>(pinned, 6, 30);
  HIP_CHECK(hipStreamAddCallback(
      s,
      [](hipStream_t, hipError_t status, void* data) {
        told& x = *static_cast<told*>(data);
        x.status = status;
        x.seen = x.pinned[block - 1];
      },
      &t, 0));
  hipEvent_t done;
  HIP_CHECK(hipEventCreate(&done));
  HIP_CHECK(hipEventRecord(done, s));
  int polls = 0;
  while (hipEventQuery(done) == hipErrorNotReady) CHECK(++polls < 100, "event not ready after %d polls", polls);
  HIP_CHECK(hipStreamQuery(s));
  CHECK(t.status == hipSuccess && t.seen == churned(block, 6, 30).back(), "callback: status %d, saw %u",
        static_cast<int>(t.status), t.seen);
  HIP_CHECK(hipEventDestroy(done));
  HIP_CHECK(hipHostFree(pinned));
}

int main(int count, char** arguments) {
  prints_times = count > 1 && std::strcmp(arguments[1], "--times") == 0;
  hipStream_t a, b, apart, urgent, patient;
  HIP_CHECK(hipStreamCreate(&a));
  HIP_CHECK(hipStreamCreate(&b));
  HIP_CHECK(hipStreamCreateWithFlags(&apart, hipStreamNonBlocking));
  int least, greatest;
  HIP_CHECK(hipDeviceGetStreamPriorityRange(&least, &greatest));
  HIP_CHECK(hipStreamCreateWithPriority(&urgent, hipStreamNonBlocking, greatest));
  HIP_CHECK(hipStreamCreateWithPriority(&patient, hipStreamNonBlocking, least));
  const shape small{8, 300, 0};
  const shape roomy{4, 300, 40 * 1024};  // one block per compute unit
  const shape full{480, 100, 0};         // three times what the default machine holds
  const shape half{240, 100, 0};
  pair("warm", small, small, a, b);      // caches
  pair("small", small, small, a, b);
  pair("same_stream", small, small, a, a);
  pair("event", small, small, a, b, between::event);
  pair("legacy_behind", small, small, a, nullptr);
  pair("legacy_before", small, small, nullptr, a);
  pair("legacy_apart", small, small, nullptr, apart);
  pair("lds", roomy, roomy, a, b);
  pair("beside_large", roomy, small, a, b);
  pair("full", full, full, a, b);
  pair("patient_first", full, half, patient, urgent);
  pair("urgent_first", half, full, urgent, patient);
  graph(a);
  host_memory(a);
  blocking_copies();
  callbacks_and_polls(a);
  for (hipStream_t s : {a, b, apart, urgent, patient}) HIP_CHECK(hipStreamDestroy(s));
  // Not waited for: the results are there when the program ends all the same, and its callback has been called.
  static check::device_array<uint32_t>* left = new check::device_array<uint32_t>(block);
  churn<<<1, block>>>(left->get(), 9, 10);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
