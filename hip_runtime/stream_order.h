// SPDX-License-Identifier: Apache-2.0
// What comes after what in the program's streams, for machine.check.streams: the order that streams, events, graphs and
// the host's waits make, whatever the machine has done earlier than it had to. It is the same with one hardware queue
// and with several. (docs/checks.md, "streams")
//
// All threads of the host know what one of them has waited for: how they tell each other is not seen.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hip_runtime/failure.h"
#include "hip_runtime/graph.h"
#include "hip_runtime/host_calls.h"
#include "models/check/races/vector_clock.h"
#include "platform/instruments/check/streams_check.h"

namespace pws::hip {

class context;
struct stream;

// An operation of a graph's launch: of those before it in the graph, their numbers in the launch.
struct branch {
  struct launch {
    std::optional<check::vector_clock> entry;  // what the graph comes after
    std::vector<check::vector_clock> done;     // by operation
  };
  std::shared_ptr<launch> of;
  size_t number = 0;
  std::vector<size_t> before;
};
using maybe_branch = std::optional<branch>;

// What an operation is put into its stream with.
struct put_with {
  check::vector_clock known;  // to the host, to be done
  maybe_branch in;
  host_call call;
};

class stream_order {
 public:
  explicit stream_order(context& c) : context_(c) {}

  bool is_on();
  put_with now(maybe_branch in = {});

  // The operation's turn has come: what it touches is its own until end(). 0: the check is off.
  check::operation_id begin(const stream& s, const put_with& with, const stream_work& w);
  void end(const stream& s, const put_with& with, check::operation_id o);
  // It has not been done.
  void cancel(check::operation_id o);
  // All of it: does `f`, which is told the operation.
  template <class F>
  void in_turn(const stream& s, const put_with& with, const stream_work& w, F f) {
    const check::operation_id o = begin(s, with, w);
    try {
      f(o);
    } catch (...) {
      if (o != 0) cancel(o);
      throw;
    }
    end(s, with, o);
  }
  // That launch is what the operation does.
  void is_launch(check::operation_id o, uint64_t launch);
  void set_current(check::operation_id o) { current_ = o; }
  // What does no more than to come behind others, and behind that too. Its clock.
  check::vector_clock pass(const stream& s, const put_with& with, const check::vector_clock* behind = nullptr);
  // A value that it waited for is there; whoever has written it is complete.
  void saw_value(const stream& s, const put_with& with);
  // The operation that is being done, if there is one, touches these bytes.
  void touched(uint64_t address, uint64_t bytes, bool written);
  // hipFreeAsync: whoever uses it must be done.
  void freed(const stream& s, uint64_t address, uint64_t bytes);

  // The host has waited.
  void host_learns(const check::vector_clock& clock);
  void host_waited(const stream& s);
  void host_waited_for_all(int device);
  void forget(const stream& s);

 private:
  struct sequence {
    uint32_t number = 0;
    check::vector_clock done;                // its operations that are, and all that they came after
    std::map<size_t, uint32_t> of_branches;  // numbers, by operation of a graph
  };
  check::stream_operations& operations();
  sequence& of(const stream& s);
  check::vector_clock front_of(const stream& s);
  check::vector_clock before(const stream& s, const put_with& with);
  void done(const stream& s, const put_with& with, const check::vector_clock& clock);
  void tidy();
  std::string describe(const stream& s, const put_with& with, const stream_work& w);

  context& context_;
  std::map<const stream*, sequence> sequences_;
  check::vector_clock host_;
  check::operation_id current_ = 0;
};

}  // namespace pws::hip
