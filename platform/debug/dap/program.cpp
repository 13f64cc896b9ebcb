// SPDX-License-Identifier: Apache-2.0
// HIP programs: the session moves into the program's process at its first launch, and comes back when that ends.
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <utility>

#include "base/error.h"
#include "base/exit_code.h"
#include "platform/debug/dap/program_dap.h"
#include "platform/debug/dap/session.h"

namespace pws::platform::debug::dap {

namespace {

int exit_code_of(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : exit_signal + WTERMSIG(status);
}

debugged_run program_with_end(const std::function<void()>& leave) {
  debugged_run about;
  about.launches = 0;
  about.end = leave;
  return about;
}

}  // namespace

// ---- In `pwsvp dap`

void session::run_program_once() {
  wants_run_ = ends_run_ = begun_ = has_crashed_ = false;
  state_ = phase::loading;
  tell_once(programs_.note);
  std::string problem;
  int status = 0;
  {
    const handover_page page;
    const json now = handover();
    page.write(now);
    const lent_streams lent = client_.lend();
    try {
      status = programs_.run(*program_, text_for_program(lent, page));
    } catch (const input_error& e) {
      problem = e.what();
    }
    json back = page.read();
    if (!back.is_object()) back = json::object();
    const bool handed_back = back.contains("client");
    client_.take_again(lent, handed_back ? back["client"] : connection::after_crash(now["client"], back["sent"]));
    if (handed_back) {
      take_handover(back);
    } else {
      has_crashed_ = true;
      if (back.value("answered", false)) launch_request_.reset();
    }
    // A restart may be of something else.
    if (wants_run_ && launch_arguments_ != now["arguments"]) try {
        read_launch(json(launch_arguments_));
      } catch (const input_error& e) {
        problem = e.what();
        wants_run_ = false;
      }
  }
  forget_numbers();
  state_ = phase::ended;
  // What is meant for this process has gone on to the program.
  if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM)) {
    signal_ = WTERMSIG(status);
    over_ = true;
  }
  if (launch_request_) {
    if (problem.empty())
      problem =
          fmt::format("the program has ended without a launch on the GPU; its exit code is {}", exit_code_of(status));
    return refuse_launch(problem);
  }
  if (over_ || wants_run_) return;
  tell_text("stderr", problem.empty() ? "" : problem + "\n");
  client_.send_event("exited", {{"exitCode", exit_code_of(status)}});
  client_.send_event("terminated", json::object());
}

json session::handover() {
  json j = state();
  j["configured"] = configured_;
  j["from_1"] = {lines_from_1_, columns_from_1_};
  j["can_invalidate"] = can_invalidate_;
  j["launch"] = launch_request_ ? *launch_request_ : json();
  j["arguments"] = launch_arguments_;
  j["over"] = over_;
  j["again"] = wants_run_;
  return j;
}

void session::take_handover(const json& j) {
  take_what_stays(j);
  initialised_ = true;
  configured_ = j["configured"];
  lines_from_1_ = j["from_1"][0];
  columns_from_1_ = j["from_1"][1];
  can_invalidate_ = j["can_invalidate"];
  launch_request_.reset();
  if (!j["launch"].is_null()) launch_request_ = j["launch"];
  launch_arguments_ = j["arguments"];
  over_ = j["over"];
  wants_run_ = j["again"];
}

// ---- In the program

session::session(connection& c, const json& handed_over, const std::function<void()>& leave)
    : client_(c), core_(*this, program_with_end(leave), {0, 0}), console_(core_, said_), wishes_(core_) {
  take_handover(handed_over);
  wants_run_ = false;
  state_ = phase::loading;
  client_.when_something_comes([this] { core_.interrupt(); });
  if (client_.has_next()) core_.interrupt();
}

void session::code_changed() {
  if (!begun_) return;
  for (const placed_wish& w : wishes_.place_missing())
    client_.send_event("breakpoint", {{"reason", "changed"}, {"breakpoint", breakpoint(w)}});
}

}  // namespace pws::platform::debug::dap
