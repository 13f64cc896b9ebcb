// SPDX-License-Identifier: Apache-2.0
// Requests: which there are, when they are answered, and those about the session itself.
#include <fmt/format.h>

#include "base/error.h"
#include "platform/debug/dap/session.h"

namespace pws::platform::debug::dap {

const std::vector<session::request_row>& session::rows() {
  static const std::vector<request_row> all = {
      {"initialize", needs::nothing, &session::initialize},
      {"disconnect", needs::nothing, &session::disconnect},
      {"launch", needs::initialised, &session::launch},
      {"attach", needs::initialised, &session::attach},
      {"terminate", needs::loaded, &session::terminate},
      {"restart", needs::loaded, &session::restart},
      {"configurationDone", needs::standing, &session::configuration_done},
      {"setBreakpoints", needs::loaded, &session::set_breakpoints},
      {"setFunctionBreakpoints", needs::loaded, &session::set_function_breakpoints},
      {"setInstructionBreakpoints", needs::loaded, &session::set_instruction_breakpoints},
      {"setDataBreakpoints", needs::loaded, &session::set_data_breakpoints},
      {"setExceptionBreakpoints", needs::loaded, &session::set_exception_breakpoints},
      {"pause", needs::loaded, &session::pause},
      {"threads", needs::loaded, &session::list_threads},
      {"dataBreakpointInfo", needs::standing, &session::data_breakpoint_info},
      {"exceptionInfo", needs::standing, &session::exception_info},
      {"continue", needs::standing, &session::go_on},
      {"next", needs::standing, &session::next},
      {"stepIn", needs::standing, &session::step_in},
      {"stepOut", needs::standing, &session::step_out},
      {"stepBack", needs::standing, &session::step_back},
      {"reverseContinue", needs::standing, &session::reverse_continue},
      {"stackTrace", needs::standing, &session::stack_trace},
      {"source", needs::standing, &session::source},
      {"scopes", needs::standing, &session::scopes},
      {"variables", needs::standing, &session::variables},
      {"setVariable", needs::standing, &session::set_variable},
      {"evaluate", needs::standing, &session::evaluate},
      {"completions", needs::standing, &session::completions},
      {"disassemble", needs::standing, &session::disassemble},
      {"readMemory", needs::standing, &session::read_memory},
  };
  return all;
}

void session::respond(const json& request, const json& body) {
  client_.send("response",
               {{"request_seq", request["seq"]}, {"command", request["command"]}, {"success", true}, {"body", body}});
}

void session::refuse(const json& request, const std::string& why) {
  const auto field = [&](const char* name, bool fits, json otherwise) { return fits ? request[name] : otherwise; };
  const bool has_seq = request.contains("seq") && request["seq"].is_number_integer();
  const bool has_command = request.contains("command") && request["command"].is_string();
  client_.send("response", {{"request_seq", field("seq", has_seq, 0)},
                            {"command", field("command", has_command, "")},
                            {"success", false},
                            {"message", why},
                            {"body", {{"error", {{"id", 1}, {"format", why}, {"showUser", true}}}}}});
}

void session::handle(const arrival& a) {
  switch (a.what) {
    case arrival::kind::message:
      return handle_request(a.message);
    case arrival::kind::wrong:
      return refuse(json::object(), a.problem);
    case arrival::kind::closed:
      over_ = true;
      return give_up();
  }
}

void session::handle_request(const json& request) {
  try {
    if (text_in(request, "type") != "request") return;  // nothing is asked of clients, so nothing is an answer
    const std::string command = text_in(request, "command");
    number_in(request, "seq");
    const request_row* row = nullptr;
    for (const request_row& r : rows())
      if (r.command == command) row = &r;
    if (row == nullptr) throw input_error(fmt::format("there is no request {}", command));
    const bool has_machine = state_ == phase::standing || state_ == phase::running;
    if (row->when >= needs::initialised && !initialised_) throw input_error("initialize comes first");
    if (row->when >= needs::loaded && state_ == phase::idle) throw input_error("launch comes first: no run is loaded");
    const bool works_after_end = command == "restart" || command == "terminate";
    if (row->when >= needs::loaded && !has_machine && !works_after_end) throw input_error("the run has ended");
    if (row->when >= needs::standing && !is_standing()) throw input_error("the machine runs: pause it first");
    const json arguments =
        request.contains("arguments") && !request["arguments"].is_null() ? request["arguments"] : json::object();
    if (!arguments.is_object()) throw input_error("arguments is to be an object");
    after_.clear();
    if (command == "launch") launch_request_ = request;
    if (const reply body = (this->*row->call)(arguments)) respond(request, *body);
    for (auto& [event, body] : after_) client_.send_event(event, std::move(body));
    after_.clear();
  } catch (const std::exception& e) {
    if (launch_request_ && *launch_request_ == request) launch_request_.reset();
    refuse(request, e.what());
  }
}

session::reply session::initialize(const json& a) {
  if (initialised_) throw input_error("initialize has been before");
  if (text_if_in(a, "pathFormat").value_or("path") != "path") throw input_error("pathFormat can be path alone");
  lines_from_1_ = flag_in(a, "linesStartAt1", true);
  columns_from_1_ = flag_in(a, "columnsStartAt1", true);
  can_invalidate_ = flag_in(a, "supportsInvalidatedEvent");
  initialised_ = true;
  json can = json::object();
  for (const char* name :
       {"supportsConfigurationDoneRequest", "supportsFunctionBreakpoints", "supportsConditionalBreakpoints",
        "supportsHitConditionalBreakpoints", "supportsEvaluateForHovers", "supportsStepBack", "supportsSetVariable",
        "supportsRestartRequest", "supportsExceptionInfoRequest", "supportsExceptionFilterOptions",
        "supportsTerminateRequest", "supportsDataBreakpoints", "supportsDataBreakpointBytes",
        "supportsReadMemoryRequest", "supportsDisassembleRequest", "supportsSteppingGranularity",
        "supportsInstructionBreakpoints", "supportsCompletionsRequest", "supportsDelayedStackTraceLoading"})
    can[name] = true;
  const auto filter = [](point_kind k, const char* label, const char* help) {
    return json{{"filter", name_of(k)},
                {"label", label},
                {"description", help},
                {"default", false},
                {"supportsCondition", k != point_kind::end},
                {"conditionDescription", "an expression: exec != 0"}};
  };
  can["exceptionBreakpointFilters"] = {
      filter(point_kind::split, "A path splits", "Before an instruction at which the scheme splits the path"),
      filter(point_kind::merge, "A path merges", "Before an instruction at which the scheme merges the path"),
      filter(point_kind::barrier, "A path comes to a barrier", "Before an s_barrier"),
      filter(point_kind::end, "A launch has ended", "Behind it; behind the last one, before the result is checked"),
      filter(
          point_kind::finding, "A check finds something",
          "Behind the instruction at which it does, once for each place: for the checks that are on (machine.check)")};
  return can;
}

void session::read_launch(const json& a) {
  const std::vector<std::string> sets = texts_in(a, "set");
  const std::string file = text_in(a, "config");
  const bool on_entry = flag_in(a, "stopOnEntry"), without = flag_in(a, "noDebug");
  const auto program = text_if_in(a, "program");
  const std::vector<std::string> arguments = texts_in(a, "args"), kernels = texts_in(a, "kernels");
  const auto firmware = text_if_in(a, "firmware");
  if (program && firmware) throw input_error("a program and firmware are not debugged at a time");
  if (!kernels.empty() && !firmware) throw input_error("kernels are for firmware");
  if (!arguments.empty() && !program) throw input_error("args are for a program");
  if (firmware) {
    firmware_ = {file, sets, *firmware, kernels};
    config_.reset();
    program_.reset();
  } else if (program) {
    check_program_to_debug(file, sets);
    program_ = {file, sets, {*program}};
    program_->program.insert(program_->program.end(), arguments.begin(), arguments.end());
    config_.reset();
    firmware_.reset();
  } else {
    config_ = load_run(file, sets);
    program_.reset();
    firmware_.reset();
  }
  launch_arguments_ = a;
  stops_on_entry_ = on_entry && !without;
}

session::reply session::launch(const json& a) {
  if (config_ || program_ || firmware_ || core_.is_program())
    throw input_error("a run is loaded already: restart begins it again");
  read_launch(a);
  wants_run_ = true;
  return std::nullopt;
}

session::reply session::attach(const json&) {
  throw input_error("there is nothing to attach to: launch begins a run");
}

session::reply session::configuration_done(const json&) {
  if (configured_) throw input_error("configurationDone has been before");
  configured_ = true;
  resume_ = begin();
  return json::object();
}

session::reply session::restart(const json& a) {
  if (a.contains("arguments")) {
    const json now = object_in(a, "arguments");
    // Others than a launch's own are no reason to read the file. A program may be in another folder, and leaves the
    // reading to who starts the next one.
    if (now.contains("config") && core_.is_program() && !firmware_)
      launch_arguments_ = now;
    else if (now.contains("config"))
      read_launch(now);
  }
  // Where nobody knows the breakpoints any more, the client is asked for them.
  configured_ = !has_crashed_;
  wants_run_ = true;
  give_up();
  return json::object();
}

session::reply session::terminate(const json&) {
  give_up();
  return json::object();
}

session::reply session::disconnect(const json&) {
  over_ = true;
  give_up();
  return json::object();
}

}  // namespace pws::platform::debug::dap
