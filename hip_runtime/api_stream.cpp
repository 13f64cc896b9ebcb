// SPDX-License-Identifier: Apache-2.0
// Streams, events, and waiting. With one hardware queue work is done when it is submitted, in the order of submission,
// so everything that waits returns at once, and the machine's clock is the same for all streams: an event takes the
// cycles that launches of timing fidelity have used up to it. With several, streams go on beside each other while the
// program waits (schedule.h), and an event takes the machine's time. Copies and launches of functional fidelity take
// none.
#include <fmt/format.h>

#include <algorithm>

#include "hip_runtime/stream_work.h"

using namespace pws::hip;
namespace models = pws::models;

namespace {
constexpr int lowest_priority = 1, highest_priority = -1;
constexpr uint32_t word_bits = 32;  // of a mask of compute units

// Words that it does not have are zeros, and bits beyond what a machine can have say nothing.
models::cu_mask units_of(const std::vector<uint32_t>& mask) {
  models::cu_mask m = models::cu_mask::none();
  for (uint32_t cu = 0; cu < models::most_compute_units && cu / word_bits < mask.size(); ++cu)
    if ((mask[cu / word_bits] >> cu % word_bits & 1) != 0) m.add(cu);
  return m;
}

// As ROCm tells it: of the words that a stream was made with, those that the machine has bits for, without others; of
// a stream without a mask, or with one that has none of the machine's compute units, all of them.
std::vector<uint32_t> shown_mask(const std::vector<uint32_t>& mask, uint32_t n_cu) {
  std::vector<uint32_t> all((n_cu + word_bits - 1) / word_bits, ~uint32_t{0});
  if (n_cu % word_bits != 0) all.back() >>= word_bits - n_cu % word_bits;
  std::vector<uint32_t> shown = mask;
  shown.resize(std::min(mask.size(), all.size()));
  for (size_t k = 0; k < shown.size(); ++k) shown[k] &= all[k];
  const bool none = std::all_of(shown.begin(), shown.end(), [](uint32_t word) { return word == 0; });
  return none ? all : shown;
}

void create_stream(context& c, hipStream_t* to, unsigned flags, int priority, std::vector<uint32_t> mask = {}) {
  require(to != nullptr, hipErrorInvalidValue, "the address for the stream is null");
  require(flags == hipStreamDefault || flags == hipStreamNonBlocking, hipErrorInvalidValue,
          "flags that a stream does not have");
  auto s = std::make_unique<stream>();
  s->number = ++c.streams_made;
  s->device = context::current_device();
  s->flags = flags;
  s->priority = std::min(std::max(priority, highest_priority), lowest_priority);
  if (!mask.empty()) s->cus = units_of(mask);
  s->mask = std::move(mask);
  c.streams.insert(s.get());
  *to = reinterpret_cast<hipStream_t>(s.release());
}

constexpr const char* waits_for_captured = "nobody can wait for a stream that is being captured";

void wait(context& c, hipStream_t s) {
  c.check_stream(s);
  c.captures.refuse_in(s, waits_for_captured);
  c.finish(s);
}

// hipErrorNotReady is no mistake.
void query(context& c, hipStream_t s) {
  c.check_stream(s);
  c.captures.refuse_in(s, waits_for_captured);
  stream& own = c.stream_of(s);
  c.check_alive(own.device);
  if (!c.pending.is_done(own)) throw failure(hipErrorNotReady);
}

void wait_for_all(context& c) {
  c.captures.refuse_device_wait();
  c.finish_all();
}

void create_event(context& c, hipEvent_t* to, unsigned flags) {
  // What an event releases is always seen by the host, also with hipEventDisableSystemFence.
  constexpr unsigned known = hipEventBlockingSync | hipEventDisableTiming | hipEventInterprocess |
                             hipEventReleaseToDevice | hipEventReleaseToSystem | hipEventDisableSystemFence;
  require(to != nullptr, hipErrorInvalidValue, "the address for the event is null");
  require((flags & ~known) == 0, hipErrorInvalidValue, "flags that an event does not have");
  constexpr unsigned releases = hipEventReleaseToDevice | hipEventReleaseToSystem;
  require((flags & releases) != releases, hipErrorInvalidValue, "an event releases to the device or to the system");
  require((flags & hipEventInterprocess) == 0 || (flags & hipEventDisableTiming) != 0, hipErrorInvalidValue,
          "events between processes have no times");
  require((flags & hipEventInterprocess) == 0, hipErrorNotSupported, "events between processes are not supported");
  auto e = std::make_unique<event>();
  e->flags = flags;
  e->device = context::current_device();
  c.events.insert(e.get());
  *to = reinterpret_cast<hipEvent_t>(e.release());
}
}  // namespace

extern "C" {

hipError_t hipStreamCreate(hipStream_t* s) {
  return call(__func__, [&](context& c) { create_stream(c, s, hipStreamDefault, 0); });
}
hipError_t hipStreamCreateWithFlags(hipStream_t* s, unsigned int flags) {
  return call(__func__, [&](context& c) { create_stream(c, s, flags, 0); });
}
hipError_t hipStreamCreateWithPriority(hipStream_t* s, unsigned int flags, int priority) {
  return call(__func__, [&](context& c) { create_stream(c, s, flags, priority); });
}
hipError_t hipExtStreamCreateWithCUMask(hipStream_t* s, uint32_t words, const uint32_t* mask) {
  return call(__func__, [&](context& c) {
    require(s != nullptr, hipErrorInvalidHandle, "the address for the stream is null");
    require(words != 0 && mask != nullptr, hipErrorInvalidValue, "no mask, or one of no words");
    create_stream(c, s, hipStreamDefault, 0, {mask, mask + words});
  });
}
hipError_t hipExtStreamGetCUMask(hipStream_t s, uint32_t words, uint32_t* mask) {
  return call(__func__, [&](context& c) {
    const uint32_t n_cu = c.config().machine.n_cu;
    require(mask != nullptr, hipErrorInvalidValue, "the address for the mask is null");
    if (words < (n_cu + word_bits - 1) / word_bits)
      throw failure(hipErrorInvalidValue, fmt::format("{} words are too few for {} compute units", words, n_cu));
    const std::vector<uint32_t> shown = shown_mask(c.stream_of(s).mask, n_cu);
    std::copy(shown.begin(), shown.end(), mask);
  });
}
hipError_t hipDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return call(__func__, [&](context&) {
    if (least != nullptr) *least = lowest_priority;
    if (greatest != nullptr) *greatest = highest_priority;
  });
}

hipError_t hipStreamDestroy(hipStream_t s) {
  return call(__func__, [&](context& c) {
    require(s != nullptr && s != hipStreamPerThread, hipErrorInvalidHandle, "a default stream is not destroyed");
    c.check_stream(s);
    c.captures.stream_destroyed(s);
    c.finish_what_lives(s);
    stream* own = &c.stream_of(s);
    c.pending.forget(*own);
    c.streams.erase(own);
    delete own;
  });
}

hipError_t hipStreamQuery(hipStream_t s) {
  return call(__func__, [&](context& c) { query(c, s); });
}
PWS_ALSO_SPT(hipStreamQuery);
hipError_t hipStreamSynchronize(hipStream_t s) {
  return call(__func__, [&](context& c) { wait(c, s); });
}
PWS_ALSO_SPT(hipStreamSynchronize);
hipError_t hipStreamWaitEvent(hipStream_t s, hipEvent_t e, unsigned int flags) {
  return call(__func__, [&](context& c) {
    require(flags == 0, hipErrorInvalidValue, "flags must be 0");
    c.check_stream(s);
    if (c.captures.wait(s, c.event_of(e))) return;
    c.check_alive(c.stream_of(s).device);
    enqueue(c, s, wait_work{e});
  });
}
PWS_ALSO_SPT(hipStreamWaitEvent);
hipError_t hipStreamGetFlags(hipStream_t s, unsigned int* flags) {
  return call(__func__, [&](context& c) {
    require(flags != nullptr, hipErrorInvalidValue, "the address for the flags is null");
    *flags = c.stream_of(s).flags;
  });
}
PWS_ALSO_SPT(hipStreamGetFlags);
hipError_t hipStreamGetPriority(hipStream_t s, int* priority) {
  return call(__func__, [&](context& c) {
    require(priority != nullptr, hipErrorInvalidValue, "the address for the priority is null");
    *priority = c.stream_of(s).priority;
  });
}
PWS_ALSO_SPT(hipStreamGetPriority);
hipError_t hipStreamGetDevice(hipStream_t s, hipDevice_t* device) {
  return call(__func__, [&](context& c) {
    hipDevice_t& to = result(device);
    to = c.stream_of(s).device;
  });
}
int hipGetStreamDeviceId(hipStream_t s) {
  int device = 0;
  call_unanswered(__func__, [&](context& c) { device = c.stream_of(s).device; });
  return device;
}
hipError_t hipStreamIsCapturing(hipStream_t s, hipStreamCaptureStatus* status) {
  return call(__func__, [&](context& c) {
    require(status != nullptr, hipErrorInvalidValue, "the address for the status is null");
    c.check_stream(s);
    *status = c.captures.status(s);
  });
}
PWS_ALSO_SPT(hipStreamIsCapturing);

// What they are called with: outside the lock, as in a thread of their own, and at once where the stream is empty at
// that moment.
hipError_t hipStreamAddCallback(hipStream_t s, hipStreamCallback_t callback, void* data, unsigned int flags) {
  hipError_t status = hipSuccess;
  bool now = true;
  const hipError_t code = call(__func__, [&](context& c) {
    require(callback != nullptr && flags == 0, hipErrorInvalidValue, "no callback, or flags");
    c.check_stream(s);
    c.captures.refuse_in(s, "callbacks cannot be captured, host functions can");
    const device* const gpu = c.gpu_if_built(c.stream_of(s).device);
    if (gpu != nullptr && gpu->failed()) {
      status = gpu->failure_code();
    } else {
      now = false;
      c.pending.put_call(
          c.stream_of(s), [=](hipError_t of_stream) { callback(s, of_stream, data); }, true);
    }
  });
  if (code == hipSuccess && now) callback(s, status, data);
  return code;
}
PWS_ALSO_SPT(hipStreamAddCallback);
// hipLaunchHostFunc under two versions: that of Debian's library of 5.7, and that under which this library had it when
// it was 5.2's.
hipError_t launch_host_function(hipStream_t s, hipHostFn_t function, void* data) {
  return call("hipLaunchHostFunc", [&](context& c) {
    require(function != nullptr, hipErrorInvalidValue, "no function");
    c.check_stream(s);
    if (capture* k = c.captures.takes(s)) return k->add(s, host_work{{function, data}});
    c.check_alive(c.stream_of(s).device);
    c.pending.put_call(
        c.stream_of(s), [=](hipError_t) { function(data); }, false);
  });
}
decltype(hipLaunchHostFunc) launch_host_function_of_5_2 __attribute__((alias("launch_host_function")));
decltype(hipLaunchHostFunc) hipLaunchHostFunc_spt __attribute__((alias("launch_host_function")));
__asm__(".symver launch_host_function_of_5_2, hipLaunchHostFunc@hip_5.2");
__asm__(".symver launch_host_function, hipLaunchHostFunc@@hip_5.3");

// ---- events

hipError_t hipEventCreate(hipEvent_t* e) {
  return call(__func__, [&](context& c) { create_event(c, e, 0); });
}
hipError_t hipEventCreateWithFlags(hipEvent_t* e, unsigned flags) {
  return call(__func__, [&](context& c) { create_event(c, e, flags); });
}
hipError_t hipEventDestroy(hipEvent_t e) {
  return call(__func__, [&](context& c) {
    event* own = &c.event_of(e);
    c.events.erase(own);
    delete own;
  });
}
hipError_t hipEventRecord(hipEvent_t e, hipStream_t s) {
  return call(__func__, [&](context& c) { record(c, e, s); });
}
hipError_t hipEventRecord_spt(hipEvent_t e, hipStream_t s) {
  return hipEventRecord(e, s);
}
hipError_t hipEventSynchronize(hipEvent_t e) {
  return call(__func__, [&](context& c) {
    const event& own = c.event_of(e);
    captures::refuse(own);
    c.check_alive(own.device);
    if (const std::shared_ptr<recording> last = own.last) c.pending.wait_for(*last);
  });
}
hipError_t hipEventQuery(hipEvent_t e) {
  return call(__func__, [&](context& c) {
    const event& own = c.event_of(e);
    captures::refuse(own);
    c.check_alive(own.device);
    const std::shared_ptr<recording> last = own.last;
    if (last != nullptr && !c.pending.is_done(*last)) throw failure(hipErrorNotReady);
  });
}
hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t start, hipEvent_t stop) {
  return call(__func__, [&](context& c) {
    require(milliseconds != nullptr, hipErrorInvalidValue, "the address for the time is null");
    const event &from = c.event_of(start), &to = c.event_of(stop);
    captures::refuse(from);
    captures::refuse(to);
    require(from.device == to.device, hipErrorInvalidHandle, "the events are of two devices, whose times differ");
    require(from.last != nullptr && to.last != nullptr, hipErrorInvalidHandle, "an event has not been recorded");
    require(((from.flags | to.flags) & hipEventDisableTiming) == 0, hipErrorInvalidHandle, "an event without timing");
    const std::shared_ptr<recording> first = from.last, last = to.last;
    if (!c.pending.is_done(*first) || !c.pending.is_done(*last)) throw failure(hipErrorNotReady);
    const double cycles = static_cast<double>(last->at) - static_cast<double>(first->at);
    *milliseconds = static_cast<float>(cycles / (1e3 * c.config().machine.clock_mhz));
  });
}

// ---- the whole device

hipError_t hipDeviceSynchronize() {
  return call(__func__, [&](context& c) { wait_for_all(c); });
}
hipError_t hipCtxSynchronize() {
  return call(__func__, [&](context& c) { wait_for_all(c); });
}

}  // extern "C"
