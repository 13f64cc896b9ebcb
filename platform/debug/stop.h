// SPDX-License-Identifier: Apache-2.0
// What a debugger says when it has stopped the machine, and what it is told then.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "models/context/wf_context.h"

namespace pws::platform::debug {

// A path of a wavefront in execution: where schemes split wavefronts, one of several. Valid while the machine is
// stopped.
struct path {
  uint32_t cu = 0;
  const models::wf_context* context = nullptr;  // nullptr: no path
  explicit operator bool() const { return context != nullptr; }
  bool operator==(const path& o) const { return cu == o.cu && context == o.context; }
};

// The same path in another run of the same program: the wavefront's number in its launch, and its context's place.
struct path_name {
  uint64_t launch = 0, wavefront = 0;
  uint32_t cu = 0, unit = 0, slot = 0;
  bool operator==(const path_name& o) const {
    return launch == o.launch && wavefront == o.wavefront && cu == o.cu && unit == o.unit && slot == o.slot;
  }
};

enum class stop_reason : uint8_t {
  launch_begins,  // the first launch is about to begin: code and buffers are in device memory
  point,          // of a breakpoint, watchpoint or catchpoint
  step,           // the step that was asked for is done
  fault,          // the program has gone wrong; nothing runs after it
  mismatch,       // the RTL has executed the instruction otherwise; nothing runs after it
  interrupted,    // the user wants the prompt
  position,       // the run that was repeated has come to where it was sent
  run_ended       // the last launch has ended; buffers have their final contents
};

struct stop {
  stop_reason why = stop_reason::launch_begins;
  std::vector<uint32_t> points;  // their numbers, where such are met
  path at;                       // the path that is about to execute an instruction, or has gone wrong
  uint64_t pc = 0;               // of that instruction
  int lane = -1;                 // that is meant; -1: none of them more than others
  uint64_t position = 0;         // instructions that the machine had begun before: the unit of going back
  models::cycle_t cycle = 0;     // the compute unit's
  std::string text;              // what a watchpoint has seen, what was wrong, what a condition could not do
};

// Which paths a step is about.
enum class step_scope : uint8_t { path, wavefront, all };
constexpr auto enumerators(step_scope) {
  using e = step_scope;
  return std::array{named{e::path, "path"}, named{e::wavefront, "wavefront"}, named{e::all, "all"}};
}

// What the machine does after a stop.
struct resumption {
  enum class how : uint8_t {
    go_on,          // to the next stop
    instruction,    // `count` instructions
    line,           // to another source line, also in functions that were inlined
    next_line,      // to another line of the function, past what it calls
    out,            // to behind the call, inlined or not, that the path is in
    until,          // to one of `places`
    again,          // from the beginning of the run, with the same points
    back_to,        // to the instruction at `position`, from the beginning
    back_to_point,  // to the last stop by a point before `position`, from the beginning
    back_a_line,    // to where the path's line begins, or where the line before does if it stands there
    back_past,      // the same among lines of the function: not into what it calls
    end             // the run is given up
  };
  how what = how::go_on;
  step_scope scope = step_scope::path;
  path from;  // the selected one
  uint64_t count = 1, position = 0;
  std::vector<uint64_t> places;  // ascending
};

// Who is told of stops: a prompt, a protocol. The machine stands still for as long as the call takes.
class stop_listener {
 public:
  virtual ~stop_listener() = default;
  virtual resumption stopped(const stop& s) = 0;
  // Before an instruction, after debugger::interrupt(): whether the machine is to stop. If not, points may have
  // changed, and whatever is under way goes on.
  virtual bool asked() { return true; }

  // Code has come or gone; points that were found before have been placed again.
  virtual void code_changed() {}

  // ---- Going back to a snapshot of the process (snapshots.h)

  // Around the making of a copy, in the process that makes it; a copy that is woken hears of take_state() alone. Other
  // threads than this one are not in a copy, so what they lock is to be free.
  virtual void copying() {}
  virtual void copied() {}
  // What it knows that is to outlast going back. It takes no more input, because the process ends, unless stays() is
  // called.
  virtual nlohmann::json state() { return {}; }
  virtual void stays() {}
  // In the copy that goes on, what that was.
  virtual void take_state(const nlohmann::json&) {}
};

}  // namespace pws::platform::debug
