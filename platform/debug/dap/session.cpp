// SPDX-License-Identifier: Apache-2.0
// A session from its beginning to its end: runs, and when the machine stands and goes on.
#include "platform/debug/dap/session.h"

#include <utility>

#include "base/error.h"
#include "base/exit_code.h"
#include "platform/machine/interruption.h"

namespace pws::platform::debug::dap {

namespace {

// A signal does not end the waiting for a message.
constexpr std::chrono::milliseconds patience{100};

}  // namespace

session::session(connection& c, snapshot_options snapshots, program_support programs, firmware_support firmware)
    : client_(c),
      programs_(std::move(programs)),
      firmware_support_(std::move(firmware)),
      core_(*this, {}, snapshots),
      console_(core_, said_),
      wishes_(core_) {}

int session::serve() {
  while (!over_) {
    if (wants_run_ && program_) {
      run_program_once();
    } else if (wants_run_ && firmware_) {
      run_firmware_once();
    } else if (wants_run_) {
      run_once();
    } else if (const auto a = client_.next(patience)) {
      handle(*a);
    }
  }
  if (signal_ != 0) return exit_signal + signal_;
  return client_.is_another_protocol() ? exit_bad_input : 0;
}

void session::run_begins() {
  wants_run_ = ends_run_ = begun_ = false;
  state_ = phase::loading;
  client_.when_something_comes([this] { core_.interrupt(); });
  if (client_.has_next()) core_.interrupt();
}

void session::run_is_over(int signal) {
  any_run_ = true;
  client_.when_something_comes({});
  state_ = phase::ended;
  forget_numbers();
  if (signal == 0) return;
  signal_ = signal;
  over_ = true;
}

void session::run_once() {
  core_.expect(run_to_debug(*config_));
  run_begins();
  std::ostringstream summary;
  std::string problem;
  run_outcome outcome;
  try {
    summary << idle_note(*config_);
    outcome = watched_run(*config_, core_, summary, !any_run_);
    if (launch_request_) problem = summary.str();  // it has not come to its launch
  } catch (const interrupted_error& e) {
    outcome.signal = e.signal();
  } catch (const input_error& e) {
    problem = e.what();
  } catch (const program_error& e) {
    problem = e.what();
  }
  run_is_over(outcome.signal);
  if (launch_request_) return refuse_launch(problem.empty() ? "the run has ended at once" : problem);
  if (wants_run_ || over_) return;
  tell_text("stderr", problem.empty() ? "" : problem + "\n");
  if (outcome.ended) {
    tell_text("console", summary.str());
    client_.send_event("exited", {{"exitCode", outcome.passed ? 0 : 1}});
  } else if (!problem.empty()) {
    client_.send_event("exited", {{"exitCode", exit_bad_input}});
  }
  client_.send_event("terminated", json::object());
}

void session::refuse_launch(const std::string& why) {
  refuse(*std::exchange(launch_request_, std::nullopt), why);
  config_.reset();
  program_.reset();
  firmware_.reset();
  state_ = phase::idle;
}

void session::loaded() {
  answered_launch_ = true;
  if (launch_request_) respond(*std::exchange(launch_request_, std::nullopt), json::object());
  if (!configured_) client_.send_event("initialized", json::object());
  if (core_.is_program()) client_.send_event("capabilities", {{"capabilities", {{"supportsStepBack", false}}}});
}

void session::give_up() {
  ends_run_ = wants_stop_ = true;
  resume_.emplace();
  resume_->what = resumption::how::end;
}

resumption session::begin() {
  begun_ = true;
  if (!stops_on_entry_) return {};
  is_entry_ = true;
  resumption r;
  r.what = resumption::how::instruction;
  r.scope = step_scope::all;
  return r;
}

void session::forget_numbers() {
  threads_.clear();
  frames_.clear();
  containers_.clear();
}

resumption session::stopped(const stop& s) {
  stop_ = s;
  state_ = phase::standing;
  forget_numbers();
  if (ends_run_) return *resume_;
  const console::answer at_once = console_.stopped(s);
  followed_ = 0;
  if (!begun_) {
    loaded();
    if (configured_) {
      place_points_again();
      state_ = phase::running;
      return begin();
    }
    return stand();
  }
  if (at_once) {
    state_ = phase::running;
    return *at_once;
  }
  // The result is checked without being asked for, unless somebody wants to look at the end.
  if (s.why == stop_reason::run_ended && s.points.empty()) {
    state_ = phase::running;
    return {};
  }
  tell(s);
  return stand();
}

resumption session::stand() {
  resume_.reset();
  while (!resume_) {
    if (const auto a = client_.next(patience)) handle(*a);
    if (interruption::signal() != 0) give_up();
  }
  state_ = phase::running;
  forget_numbers();
  core_.forget_interrupt();
  // What has come since then does not wait for the next stop.
  if (client_.has_next()) core_.interrupt();
  return *resume_;
}

bool session::asked() {
  wants_stop_ = false;
  if (interruption::signal() != 0) give_up();
  while (!wants_stop_) {
    const auto a = client_.next(std::chrono::milliseconds(0));
    if (!a) break;
    handle(*a);
  }
  forget_numbers();
  return wants_stop_;
}

}  // namespace pws::platform::debug::dap
