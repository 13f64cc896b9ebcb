// SPDX-License-Identifier: Apache-2.0
// Firmware, whose GPU is debugged: a run like others, but nothing of it goes back.
#include <fmt/format.h>

#include "base/error.h"
#include "base/exit_code.h"
#include "platform/debug/dap/session.h"

namespace pws::platform::debug::dap {

void session::run_firmware_once() {
  tell_once(firmware_support_.note);
  run_begins();
  const firmware_launch launched = *firmware_;  // a restart may be of something else
  firmware_outcome outcome;
  std::string problem;
  try {
    outcome = firmware_support_.run(
        launched, core_, [this](const std::string& text) { tell_text("stdout", text); }, !any_run_);
  } catch (const input_error& e) {
    problem = e.what();
    outcome.exit_code = exit_bad_input;
  }
  core_.expect({});  // what is launched next may be a run
  run_is_over(outcome.signal);
  if (launch_request_) {
    if (problem.empty())
      problem = fmt::format("the firmware has ended without a launch on the GPU; its exit code is {}\n{}",
                            outcome.exit_code, outcome.summary);
    return refuse_launch(problem);
  }
  if (wants_run_ || over_) return;
  tell_text("stderr", problem.empty() ? "" : problem + "\n");
  tell_text("console", outcome.summary);
  client_.send_event("exited", {{"exitCode", outcome.exit_code}});
  client_.send_event("terminated", json::object());
}

}  // namespace pws::platform::debug::dap
