// Streams, events, and waiting. Work is done when it is submitted, in the order of submission, so everything that waits
// returns at once, and the machine's clock is the same for all streams: an event takes the cycles that launches of
// timing fidelity have used up to it. Copies and launches of functional fidelity take no simulated time.
#include <fmt/format.h>

#include "platform/hip/stream_work.h"

using namespace pws::platform::hip;

namespace {
constexpr int lowest_priority = 1, highest_priority = -1;

void create_stream(context& c, hipStream_t* to, unsigned flags, int priority) {
  require(to != nullptr, hipErrorInvalidValue, "the address for the stream is null");
  require(flags == hipStreamDefault || flags == hipStreamNonBlocking, hipErrorInvalidValue,
          "flags that a stream does not have");
  auto s = std::make_unique<stream>();
  s->flags = flags;
  s->priority = std::min(std::max(priority, highest_priority), lowest_priority);
  c.streams.insert(s.get());
  *to = reinterpret_cast<hipStream_t>(s.release());
}

const stream& attributes_of(context& c, hipStream_t s) {
  static const stream default_stream;
  c.check_stream(s);
  return s == nullptr || s == hipStreamPerThread ? default_stream : *reinterpret_cast<const stream*>(s);
}

void wait(context& c, hipStream_t s) {
  c.check_stream(s);
  c.captures.refuse_in(s, "nobody can wait for a stream that is being captured");
  c.check_alive();
}

void wait_for_all(context& c) {
  c.captures.refuse_device_wait();
  c.check_alive();
}

void create_event(context& c, hipEvent_t* to, unsigned flags) {
  constexpr unsigned known = hipEventBlockingSync | hipEventDisableTiming | hipEventInterprocess |
                             hipEventReleaseToDevice | hipEventReleaseToSystem;
  require(to != nullptr, hipErrorInvalidValue, "the address for the event is null");
  require((flags & ~known) == 0, hipErrorInvalidValue, "flags that an event does not have");
  constexpr unsigned releases = hipEventReleaseToDevice | hipEventReleaseToSystem;
  require((flags & releases) != releases, hipErrorInvalidValue, "an event releases to the device or to the system");
  require((flags & hipEventInterprocess) == 0 || (flags & hipEventDisableTiming) != 0, hipErrorInvalidValue,
          "events between processes have no times");
  require((flags & hipEventInterprocess) == 0, hipErrorNotSupported, "events between processes are not supported");
  auto e = std::make_unique<event>();
  e->flags = flags;
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
    const auto* own = reinterpret_cast<const stream*>(s);
    c.streams.erase(own);
    delete own;
  });
}

hipError_t hipStreamQuery(hipStream_t s) {
  return call(__func__, [&](context& c) { wait(c, s); });
}
hipError_t hipStreamQuery_spt(hipStream_t s) {
  return hipStreamQuery(s);
}
hipError_t hipStreamSynchronize(hipStream_t s) {
  return call(__func__, [&](context& c) { wait(c, s); });
}
hipError_t hipStreamSynchronize_spt(hipStream_t s) {
  return hipStreamSynchronize(s);
}
hipError_t hipStreamWaitEvent(hipStream_t s, hipEvent_t e, unsigned int flags) {
  return call(__func__, [&](context& c) {
    require(flags == 0, hipErrorInvalidValue, "flags must be 0");
    c.check_stream(s);
    if (!c.captures.wait(s, c.event_of(e))) c.check_alive();
  });
}
hipError_t hipStreamWaitEvent_spt(hipStream_t s, hipEvent_t e, unsigned int flags) {
  return hipStreamWaitEvent(s, e, flags);
}
hipError_t hipStreamGetFlags(hipStream_t s, unsigned int* flags) {
  return call(__func__, [&](context& c) {
    require(flags != nullptr, hipErrorInvalidValue, "the address for the flags is null");
    *flags = attributes_of(c, s).flags;
  });
}
hipError_t hipStreamGetFlags_spt(hipStream_t s, unsigned int* flags) {
  return hipStreamGetFlags(s, flags);
}
hipError_t hipStreamGetPriority(hipStream_t s, int* priority) {
  return call(__func__, [&](context& c) {
    require(priority != nullptr, hipErrorInvalidValue, "the address for the priority is null");
    *priority = attributes_of(c, s).priority;
  });
}
hipError_t hipStreamGetPriority_spt(hipStream_t s, int* priority) {
  return hipStreamGetPriority(s, priority);
}
int hipGetStreamDeviceId(hipStream_t) {
  return 0;
}
hipError_t hipStreamIsCapturing(hipStream_t s, hipStreamCaptureStatus* status) {
  return call(__func__, [&](context& c) {
    require(status != nullptr, hipErrorInvalidValue, "the address for the status is null");
    c.check_stream(s);
    *status = c.captures.status(s);
  });
}

// Callbacks run where the stream is at that moment: here, at once, and outside the lock, as in a thread of their own.
hipError_t hipStreamAddCallback(hipStream_t s, hipStreamCallback_t callback, void* data, unsigned int flags) {
  hipError_t status = hipSuccess;
  const hipError_t code = call(__func__, [&](context& c) {
    require(callback != nullptr && flags == 0, hipErrorInvalidValue, "no callback, or flags");
    c.check_stream(s);
    c.captures.refuse_in(s, "callbacks cannot be captured, host functions can");
    if (c.gpu_if_built() != nullptr && c.gpu().failed()) status = c.gpu().failure_code();
  });
  if (code == hipSuccess) callback(s, status, data);
  return code;
}
hipError_t hipLaunchHostFunc(hipStream_t s, hipHostFn_t function, void* data) {
  bool now = true;
  const hipError_t code = call(__func__, [&](context& c) {
    require(function != nullptr, hipErrorInvalidValue, "no function");
    c.check_stream(s);
    if (capture* k = c.captures.takes(s)) {
      k->add(s, host_work{{function, data}});
      now = false;
    } else {
      c.check_alive();
    }
  });
  if (code == hipSuccess && now) function(data);
  return code;
}

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
  return call(__func__, [&](context& c) {
    c.check_stream(s);
    event& own = c.event_of(e);
    if (capture* k = c.captures.takes(s)) return c.captures.record(own, s, *k);
    c.check_alive();
    perform(c, record_work{e});
  });
}
hipError_t hipEventSynchronize(hipEvent_t e) {
  return call(__func__, [&](context& c) {
    captures::refuse(c.event_of(e));
    c.check_alive();
  });
}
hipError_t hipEventQuery(hipEvent_t e) {
  return call(__func__, [&](context& c) {
    captures::refuse(c.event_of(e));
    c.check_alive();
  });
}
hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t start, hipEvent_t stop) {
  return call(__func__, [&](context& c) {
    require(milliseconds != nullptr, hipErrorInvalidValue, "the address for the time is null");
    const event &from = c.event_of(start), &to = c.event_of(stop);
    captures::refuse(from);
    captures::refuse(to);
    require(from.recorded && to.recorded, hipErrorInvalidHandle, "an event has not been recorded");
    require(((from.flags | to.flags) & hipEventDisableTiming) == 0, hipErrorInvalidHandle, "an event without timing");
    const double cycles = static_cast<double>(to.at) - static_cast<double>(from.at);
    *milliseconds = static_cast<float>(cycles / (1e3 * c.gpu().gpu.config.clock_mhz));
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
