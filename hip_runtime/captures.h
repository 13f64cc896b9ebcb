// SPDX-License-Identifier: Apache-2.0
// Streams that are being captured: what is put into them becomes a graph instead of being done (HIP, "Stream capture").
#pragma once

#include <memory>
#include <thread>

#include "hip_runtime/graph.h"

namespace pws::hip {

struct event;

// One graph in the making, by one stream and those that wait for its events.
struct capture {
  uint64_t id = 0;
  hipStreamCaptureMode mode = hipStreamCaptureModeGlobal;
  std::thread::id thread;        // that has begun it
  hipStream_t origin = nullptr;  // where it began
  std::shared_ptr<graph> result;
  bool valid = true;  // nothing that cannot be captured has been tried
  // The streams that take part, and what the next operation in each comes after.
  std::map<hipStream_t, std::vector<graph_node*>> ends;

  void add(hipStream_t s, stream_work work);
};

// What is known of an event that was last recorded in a captured stream.
struct captured_event {
  std::weak_ptr<capture> by;
  std::vector<graph_node*> after;
};

class captures {
 public:
  explicit captures(graph_registry& known) : known_(known) {}

  // Throws failure: hipErrorStreamCaptureUnsupported for a default stream, hipErrorIllegalState for one that is being
  // captured already.
  void begin(hipStream_t s, hipStreamCaptureMode mode);
  // Ends it, whatever comes. Throws failure: hipErrorIllegalState, hipErrorStreamCaptureUnmatched, ...WrongThread,
  // ...Invalidated, ...Unjoined.
  std::shared_ptr<graph> end(hipStream_t s);
  // nullptr: it is not being captured.
  capture* of(hipStream_t s) const;
  hipStreamCaptureStatus status(hipStream_t s) const;
  bool is_making(const graph& g) const;

  // Whoever puts an operation into a stream asks this first: the capture that gets it, or nullptr if it is to be done.
  // Throws failure where the capture is no good any more,
  // and (hipErrorStreamCaptureImplicit) for the legacy stream while one is going on that it would wait for.
  capture* takes(hipStream_t s) const;
  // Throws failure (hipErrorStreamCaptureUnsupported) if the stream is being captured, which ends the capture's use.
  void refuse_in(hipStream_t s, const char* why) const;
  // The same for waits for everything, and for calls that cannot be done while captures that forbid them are going on.
  void refuse_unsafe_call() const;
  void refuse_device_wait() const;

  void record(event& e, hipStream_t s, capture& by) const;
  // `s` waits for it: it takes part in the event's capture from now on. True: nothing is left to do.
  bool wait(hipStream_t s, const event& e);
  // Throws failure (hipErrorCapturedEvent).
  static void refuse(const event& e);
  void stream_destroyed(hipStream_t s);
  void forget_all() { going_on_.clear(); }

  // Sets which captures forbid the calling thread unsafe calls; returns what was set before.
  static hipStreamCaptureMode exchange_mode(hipStreamCaptureMode mode);

 private:
  graph_registry& known_;
  std::map<hipStream_t, std::shared_ptr<capture>> going_on_;  // by each stream that takes part
  uint64_t next_id_ = 1;
};

}  // namespace pws::hip
