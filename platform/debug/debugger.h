// SPDX-License-Identifier: Apache-2.0
// The debug core: stops the machine of a run where it is asked to, and lets others look. It knows no user interface
// (stop_listener is one), and it is an instrument of a session.
//
// It stops within the call that tells it of an instruction, so a machine that has been stopped is in the same state as
// one that has not, and goes on as if nothing had been. Going back wakes a snapshot (snapshots.h), which is sent on to
// a position; without one it is another run of the same: the same configuration and seed give the same run.
#pragma once

#include <unistd.h>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/compute_unit/execution_observer.h"
#include "models/compute_unit/instruction_attention.h"
#include "models/gpu/gpu.h"
#include "platform/debug/machine_view.h"
#include "platform/debug/places.h"
#include "platform/debug/points.h"
#include "platform/debug/snapshots.h"
#include "platform/debug/stop.h"
#include "platform/report/machine_counters.h"
#include "platform/run/session/instrument.h"

namespace pws::platform {
struct described_finding;  // platform/instruments/check/described_finding.h
}

namespace pws::platform::debug {

// What a run ends with where the debugger gives it up: next_run() says what comes then.
class run_given_up : public std::runtime_error {
 public:
  run_given_up() : std::runtime_error("the debugger has ended the run") {}
};

// What the debugger knows of what it watches.
struct debugged_run {
  size_t launches = 1;        // 0: nobody knows
  known_arguments arguments;  // of a run
  // Ends the process of a HIP program, which cannot be begun again or sent back, and whose code comes and goes. Empty:
  // it is a run, or firmware.
  std::function<void()> end;
  // What a launch is that nobody announces, because firmware has put its packet into memory; called when it begins.
  // Firmware cannot be begun again either. Empty: launches are announced.
  std::function<kernel_launch(const models::dispatch& d)> found_launch;
  const char* program = "a HIP program";  // what it is if it is no run, for messages
};

// A launch that the machine is at, or was at last.
struct watched_launch {
  uint64_t number = 0;
  kernel_launch launch;
  machine_counters before;  // when it began
  models::cycle_t began = 0;
  bool ended = false;
  uint64_t workgroups_left = 0;  // of one that nobody has announced
};

class debugger : private models::execution_observer {
 public:
  debugger(stop_listener& listener, debugged_run run, snapshot_options snapshots = {});
  ~debugger() override;

  // Another run than the one that it was made for; before that begins.
  void expect(debugged_run run) { run_ = std::move(run); }
  // The machine of the session that is made with these options is watched. It may be that of a run that is repeated;
  // points stay.
  void add_to(session_options& o);
  // A machine without a session is watched, which has to outlive this, as what is known of its code has to.
  void attach(const models::gpu& gpu, const loaded_code& code);
  void detach();
  // Stops before the next instruction; also from a signal handler.
  void interrupt() {
    interrupted_ = true;
    attentive_from_ = 0;
    instructions_->ask_from(0);
  }
  // That has been asked for, and no instruction has come since.
  bool is_interrupted() const { return interrupted_; }
  // Stops for that where no instruction comes, as one would.
  void stop_if_interrupted();

  // What was asked so while the machine stood still is not meant for what it does next.
  void forget_interrupt() { interrupted_ = false; }

  // After run_given_up: whether the run is to be repeated.
  bool next_run() const { return again_; }

  point_table points;

  // ---- While the machine is stopped
  const machine_view& machine() const { return *view_; }
  const places& code() const { return *places_; }
  // Throws input_error where what is watched cannot be begun again, or sent back.
  void check_that_it_can_go_back() const;
  // It is a program, and no run: code may come that is not loaded now.
  bool is_program() const { return run_.end != nullptr || run_.found_launch != nullptr; }
  // The launch that the latest stop is about, and the one that a path is of.
  // Throws input_error where there has been no launch.
  const watched_launch& launch() const { return launch_numbered(about_); }
  const watched_launch& launch_of(const path& p) const;
  // The position of the path's latest instruction, or of the split that it began with; none: it has just begun.
  std::optional<uint64_t> latest_of(const path& p) const;
  // Whether the path is in a call, inlined or not, that its kernel has made.
  bool is_in_call(const path& p) const;
  // ---- Where others have stopped the simulation, between instructions of the machine
  // That as a stop. Nobody is told of it.
  stop stop_between();
  // How the machine goes on when they let it; points may have changed.
  void go_on_from(const stop& s, const resumption& r);

  // Whether what is to be watched can be: remembers what it is now. Throws input_error.
  void begin_watching(point& p, const scene& s) const;

 private:
  class watching_instrument;
  struct step_under_way;

  interests wants() const override;
  void workgroup_started(uint32_t cu, const models::resident_workgroup& g, models::cycle_t at) override;
  void wave_started(uint32_t, const models::wf_context&, models::cycle_t) override;
  void issuing(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override;
  void accessed(uint32_t cu, const models::wf_context& c, const isa::inst& i, const isa::memory_access& a,
                models::cycle_t at) override;
  void issued(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override;
  void wave_ended(uint32_t cu, const models::wf_context& c, models::cycle_t at) override;
  void workgroup_ended(uint32_t cu, const models::resident_workgroup& g, models::cycle_t at) override;
  void faulted(uint32_t cu, const models::wf_context& c, const isa::inst* i, const program_error& e) override;
  void mismatched(uint32_t cu, const models::wf_context& c, const isa::inst* i, const program_error& e) override;
  void goes_wrong(stop_reason why, uint32_t cu, const models::wf_context& c, const isa::inst* i,
                  const program_error& e);

  // The run repeats what it has done before.
  bool is_repeating() const { return back_.has_value(); }
  void found(const described_finding& f);
  // Is told from now on of what its points need.
  void hear();
  void hear_what_is_wanted();
  // After interrupt(): whether the listener wants a stop.
  bool is_wanted();
  // Tells of the first one.
  void launch_begins(const kernel_launch& l, uint64_t number);
  void launch_ended(const launch_report& r);
  // That nobody has announced (found_launches.cpp).
  void found_launch_begins(const models::dispatch& d);
  void found_launch_ended(uint64_t number);
  // About the machine behind a launch.
  stop stop_behind_launch(uint64_t number);
  void meet_ends(stop& s);
  // Code has come or gone since the launch before: places are looked for anew.
  void find_places_again();

  // Whether something stops at the instruction that `c` is about to execute; `s` gets what.
  bool stops_before(const models::wf_context& c, const isa::inst& i, stop& s);
  void look_before(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at);
  bool meets(point& p, stop& s, uint64_t lanes);
  bool watch_sees(point& p, const isa::memory_access& a, stop& s);
  uint64_t touched(const point& p, const path& by, const isa::memory_access& a) const;
  bool is_in_workgroup(const point& p, const path& by) const;
  std::string changes_in(point& p, const path& by) const;
  size_t index_of(uint32_t cu, const models::wf_context& c) const;
  stop stop_at(stop_reason why, uint32_t cu, const models::wf_context& c, uint64_t pc, models::cycle_t at) const;
  // A stop by points, at an instruction that begins so many before the next one. Going back, its place is noted
  // instead.
  void tell_or_note(const stop& s, uint64_t behind);
  // A stop behind the latest instruction, which ends if the run is given up.
  void tell_behind(const stop& s);

  // Tells of it, and takes what is to come.
  void tell(const stop& s);
  void take(const resumption& r, const stop& s);
  void give_up(bool again);
  [[noreturn]] static void end_at_instruction();

  // ---- Going back (going_back.cpp)

  // Lines of a path are looked for, and not points. `nearest`: where it goes if the path has no line before.
  struct line_search {
    path_name of;
    bool past_calls = false;
    uint64_t begin = 0, end = 0;  // past_calls: of the function
    uint64_t nearest = 0;
    loader::source_line at;  // where the path was
    bool has_begun = false;  // the path has, since the run has begun or a snapshot was woken
  };
  // Nothing stops before the position `until`. `looks`: up to there, the latest stop is looked for, where it goes then.
  struct way_back {
    uint64_t until = 0;
    bool looks = false;
    std::optional<line_search> line;
    std::optional<uint64_t> found;
    uint64_t began = 0;      // where this look has begun
    uint64_t snapshots = 1;  // so many before `until` it has
  };
  void go_back(const resumption& r);
  // To a snapshot that it can be reached from, or to the beginning of the run. The run is given up if it returns.
  void leap(way_back b);
  void begin_again();
  // Goes on in that snapshot. Returns if it is not there any more.
  void wake(uint64_t position, const std::optional<way_back>& b);
  // Going back has looked at all that there is to look at.
  void look_back_ends();
  // Going back by lines: whether `c` begins one at the instruction.
  bool begins_line(uint32_t cu, const models::wf_context& c, uint64_t pc);
  // A snapshot is made here, if it is time. It goes on here when it is woken.
  void make_snapshot();
  bool makes_snapshots() const { return !is_program() && snapshots_.are_made(); }
  void consider_snapshot();
  // What a snapshot is given, and what it does with that (handover.cpp).
  std::string handed_over(const std::optional<way_back>& b);
  void woken(const std::string& given);
  static way_back way_back_in(const nlohmann::json& j);
  void look_anew(point& p) const;
  // When the next instruction is looked at that has no point.
  void note_attention();
  void look_from(uint64_t position);
  // How many instructions have begun.
  uint64_t position() const { return instructions_->begun(); }
  // When the latest one has.
  models::cycle_t latest_at() const;

  stop_listener& listener_;
  debugged_run run_;
  std::unique_ptr<machine_view> view_;
  std::unique_ptr<places> places_;
  std::optional<models::attached_observer> hearing_;
  interests heard_;  // what it wanted when it was attached last
  const pid_t process_ = getpid();
  const watched_launch& launch_numbered(uint64_t n) const;
  std::vector<watched_launch> launches_;  // in the order in which they have begun
  uint64_t about_ = 0;                    // the number of the one that the latest stop is about
  bool first_has_begun_ = false;
  std::vector<uint64_t> loadings_;     // of the code that the places are of
  uint32_t units_ = 1, contexts_ = 1;  // of a compute unit; of a unit

  const std::unique_ptr<models::instruction_attention> instructions_;  // counted, and which it hears of
  // By context: how many instructions had begun when its path did, and whether the latest one has split it off.
  struct beginning {
    uint64_t position = 0;
    bool by_split = false;
  };
  std::vector<beginning> beginnings_;
  std::atomic<bool> interrupted_{false};
  std::unique_ptr<step_under_way> step_;
  bool given_up_ = false, again_ = false, faulted_ = false;
  std::optional<way_back> back_;
  snapshots snapshots_;
  uint64_t next_look_ = 0;  // at the clock, for a snapshot
  // Instructions before this position are not looked at, but where there are points.
  std::atomic<uint64_t> attentive_from_{0};
};

}  // namespace pws::platform::debug
