// SPDX-License-Identifier: Apache-2.0
// Requests that let the machine go on, or back, or stop.
#include <fmt/format.h>

#include "base/error.h"
#include "platform/debug/dap/session.h"

namespace pws::platform::debug::dap {

using how = resumption::how;

session::reply session::go_on(const json& a) {
  thread(number_in(a, "threadId"));
  if (flag_in(a, "singleThread")) throw input_error("paths do not run alone: singleThread cannot be");
  resume_ = console_.of_selected(how::go_on);
  return json{{"allThreadsContinued", true}};
}

session::reply session::step(const json& a, how by_lines) {
  const thread_row& t = thread(number_in(a, "threadId"));
  if (flag_in(a, "singleThread")) throw input_error("paths do not run alone: singleThread cannot be");
  if (t.is_stacked) throw input_error("this side waits in the stack until its turn: step the path that runs");
  const std::string granularity = text_if_in(a, "granularity").value_or("statement");
  if (granularity != "statement" && granularity != "line" && granularity != "instruction")
    throw input_error(fmt::format("there is no granularity {}", granularity));
  if (!t.at) {
    // In front of a launch, the step is its first instruction.
    if (stop_.why == stop_reason::run_ended || by_lines == how::back_past)
      throw input_error("no wavefront is in the machine");
    resume_ = console_.of_selected(how::instruction);
    resume_->scope = step_scope::all;
    return json::object();
  }
  console_.select(t.at, lane_of(t));
  // Code without source lines has instructions alone.
  const bool by_instruction = granularity == "instruction" || core_.code().lines(core_.machine().pc_of(t.at)).empty();
  if (by_lines == how::back_past)
    resume_ = console_.back(by_instruction ? how::back_to : how::back_past);
  else if (by_lines == how::out)
    resume_ = console_.out();
  else
    resume_ = console_.of_selected(by_instruction ? how::instruction : by_lines);
  return json::object();
}

session::reply session::next(const json& a) {
  return step(a, how::next_line);
}
session::reply session::step_in(const json& a) {
  return step(a, how::line);
}
session::reply session::step_out(const json& a) {
  return step(a, how::out);
}
session::reply session::step_back(const json& a) {
  return step(a, how::back_past);
}

session::reply session::reverse_continue(const json& a) {
  thread(number_in(a, "threadId"));
  core_.check_that_it_can_go_back();
  resume_ = console_.of_selected(how::back_to_point);
  return json::object();
}

session::reply session::pause(const json&) {
  // A machine that stands has been told of already.
  wants_stop_ = true;
  return json::object();
}

}  // namespace pws::platform::debug::dap
