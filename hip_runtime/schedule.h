// SPDX-License-Identifier: Apache-2.0
// Work of streams: whatever is put into one is done here, as soon as what it comes after is complete, in simulated
// time. With one hardware queue a launch runs at once, and nothing is left in a stream. With several
// (machine.hardware_queues) launches run beside each other, and the machine runs while the program waits for something.
// Copies, fills and host functions take no simulated time.
//
// An operation comes after those put into its stream before it; one of the legacy stream also after those of all
// blocking streams of its device, and theirs after it; and what waits for an event after the operation that the event
// was recorded behind. So each comes only after earlier ones, and whoever waits gets there, whatever else has been put
// in; but for waits for values in memory, which may be written by what is put in later, or by the host.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "hip_runtime/device.h"
#include "hip_runtime/graph.h"
#include "hip_runtime/stream_order.h"

namespace pws::hip {

class context;

// What a hipStream_t points at.
struct stream {
  int device = 0;       // as the program counts
  uint64_t number = 0;  // of those that the program has made, from 1; 0: a default stream
  unsigned flags = 0;
  int priority = 0;
  std::vector<uint32_t> mask;     // of compute units, as the program gave it: bit 0 of the first word is the first
  models::cu_mask cus;            // what it is on the machine
  std::optional<uint32_t> queue;  // AQL queue of its launches, once it has had one

  bool blocking() const { return (flags & hipStreamNonBlocking) == 0; }
};

// The point in a stream that an event was recorded at.
struct recording {
  int device = 0;  // of the stream
  bool done = false;
  models::cycle_t at = 0;     // when all before it was
  check::vector_clock clock;  // all before it, where the check for streams is on
};

class schedule {
 public:
  explicit schedule(context& c) : context_(c) {}

  // An operation but record, wait, host function and graph. Wrong arguments are said at once. Throws failure.
  void put(stream& s, stream_work work, maybe_branch in = {});
  // Behind all that is in the stream.
  std::shared_ptr<recording> put_record(stream& s, maybe_branch in = {});
  void put_wait(stream& s, std::shared_ptr<recording> event, maybe_branch in = {});
  // Something that takes no time and is done when it says so; asked again whenever something else may have changed it.
  void put_attempt(stream& s, std::function<bool()> attempt);
  // A function of the host, called without the lock. What it is told: hipSuccess, or that a launch has failed; then it
  // is only called if it is to hear of that.
  void put_call(stream& s, std::function<void(hipError_t)> function, bool hears_of_failure, maybe_branch in = {});
  // Something is in a stream.
  bool has_work() const { return !items_.empty(); }

  // Runs the machine until they are done. All throw failure, if that is what has become of a launch meanwhile.
  void wait_for(stream& s);
  void wait_for(const recording& r);
  void wait_for_all(int device);  // of its streams
  // Whether they are; lets the machine run until one launch is complete, so that who asks again and again gets there.
  bool is_done(stream& s);
  bool is_done(const recording& r);

  // The program ends: waits for values that nobody can write any more end too, and nothing is done behind them.
  void end() { ends_ = true; }
  // The stream goes, and its queue with it: nothing is in it any more.
  void forget(const stream& s);

 private:
  struct item {
    stream* in = nullptr;
    bool started = false;     // on the machine, or the host's function is running
    models::cycle_t put = 0;  // when it was put in
    stream_work work;
    std::vector<uint8_t> source;            // what a copy's was when it was put in, if the program may change it
    std::unique_ptr<launch_record> launch;  // nullptr: the work is none
    bool alone = false;                     // the launch is not to have others beside it
    std::shared_ptr<recording> recorded, waits_for;
    std::function<bool()> attempt;
    std::function<void(hipError_t)> call;
    bool hears_of_failure = false;
    put_with with;
    check::operation_id operation = 0;
  };
  using items = std::list<item>;

  item& add(stream& s, maybe_branch in = {});
  void put_launch(stream& s, kernel_launch l, maybe_branch in);
  bool do_what_is_ready();
  enum class outcome { done, not_done, called };
  outcome attempt(item& i);
  void call(item& i, hipError_t status);
  void drop_all(int device);
  device& gpu_of(const stream& s);
  bool has_work(const stream& s) const;
  template <class F>
  void run_until(F done);
  bool run_once();
  uint32_t queue_of(stream& s);
  bool is_legacy(const stream& s) const;

  context& context_;
  items items_;                         // in the order in which they were put in
  std::vector<const stream*> waiting_;  // while the list is gone through: those that have something in front
  // While the list is gone through, for each device: whether the legacy stream or a blocking one has something in
  // front, and whether a launch that must be alone on the machine comes.
  struct passed {
    bool legacy = false, blocking = false, keeps_machine_free = false;
  };
  std::vector<passed> passed_;
  bool ends_ = false;
  std::multiset<std::thread::id> callers_;  // of host functions that are running
  struct known_queue {
    int device = 0, priority = 0;
    models::cu_mask cus;
    uint32_t number = 0, streams = 0;
  };
  std::vector<known_queue> queues_;
};

}  // namespace pws::hip
