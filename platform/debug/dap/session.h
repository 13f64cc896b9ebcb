// SPDX-License-Identifier: Apache-2.0
// A debugger's session by the Debug Adapter Protocol: requests are answered, and stops become events. Requests that
// look at the machine are for when it stands still; those that change points, and `pause`, also for when it runs.
#pragma once

#include <atomic>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "platform/config/files/run_config.h"
#include "platform/debug/dap/connection.h"
#include "platform/debug/dap/dap.h"
#include "platform/debug/dap/fields.h"
#include "platform/debug/dap/point_wishes.h"
#include "platform/debug/dap/thread_table.h"
#include "platform/debug/frames.h"
#include "platform/debug/run/watched_run.h"
#include "platform/debug/variables.h"
#include "platform/debug/words/console.h"
#include "platform/run/session/instrument.h"

namespace pws::platform::debug::dap {

class session : private stop_listener {
 public:
  session(connection& c, snapshot_options snapshots, program_support programs, firmware_support firmware);
  // Until the client goes. The exit code.
  int serve();

  // ---- In a program (program.cpp)

  // Goes on with what another session has handed over. `leave` is called where the client has ended the program, and
  // does not return.
  session(connection& c, const json& handed_over, const std::function<void()>& leave);
  // The session of the machine is debugged.
  void add_to(session_options& o) { core_.add_to(o); }
  // What the other session needs to go on. The client is not heard here any more.
  json handover();
  // From any thread.
  bool has_answered_launch() const { return answered_launch_; }

 private:
  // ---- Requests (requests.cpp)
  enum class needs : uint8_t { nothing, initialised, loaded, standing };
  using reply = std::optional<json>;  // the body; none: the response comes later
  struct request_row {
    const char* command;
    needs when;
    reply (session::*call)(const json& arguments);
  };
  static const std::vector<request_row>& rows();
  void handle(const arrival& a);
  void handle_request(const json& request);
  void respond(const json& request, const json& body);
  void refuse(const json& request, const std::string& why);
  // Sent behind the response to the request that is being handled.
  void after(const char* event, json body) { after_.emplace_back(event, std::move(body)); }

  // ---- From the beginning to the end (session.cpp, requests.cpp)
  resumption stopped(const stop& s) override;
  bool asked() override;
  void copying() override { client_.copying(); }
  void copied() override { client_.copied(); }
  json state() override;
  void stays() override { client_.stays(); }
  void take_state(const json& j) override;
  void run_once();
  void run_program_once();
  // What the client is to be told when it launches the first one of a kind; then it is told no more.
  void tell_once(std::string& note);
  void run_firmware_once();  // firmware.cpp
  // The core is about to have a machine, and then has none any more.
  void run_begins();
  void run_is_over(int signal);
  void take_handover(const json& j);
  void take_what_stays(const json& j);  // of state()
  void code_changed() override;
  // A program's launch has not been answered, and will not be.
  void refuse_launch(const std::string& why);
  // Answers until there is a resumption.
  resumption stand();
  resumption begin();
  void give_up();
  void loaded();
  // The machine stands no more, or another one does: what was numbered for it is not there.
  void forget_numbers();
  bool is_standing() const { return state_ == phase::standing; }
  reply initialize(const json& a);
  reply launch(const json& a);
  reply attach(const json& a);
  reply configuration_done(const json& a);
  reply restart(const json& a);
  reply terminate(const json& a);
  reply disconnect(const json& a);
  void read_launch(const json& a);

  // ---- Stops (stops.cpp)
  void tell(const stop& s);
  void tell_text(const char* category, const std::string& text);
  json reason_of(const stop& s) const;
  void tell_gone_points();
  reply exception_info(const json& a);

  // ---- Points (points.cpp)
  reply set_breakpoints(const json& a);
  reply set_function_breakpoints(const json& a);
  reply set_instruction_breakpoints(const json& a);
  reply set_data_breakpoints(const json& a);
  reply set_exception_breakpoints(const json& a);
  reply data_breakpoint_info(const json& a);
  json answer_of(const std::vector<placed_wish>& all) const;
  json breakpoint(const placed_wish& w) const;
  void place_points_again();
  // As the debugger names the file that a client names.
  std::string recorded_file(const std::string& path) const;

  // ---- Going on (resuming.cpp)
  reply go_on(const json& a);
  reply next(const json& a);
  reply step_in(const json& a);
  reply step_out(const json& a);
  reply step_back(const json& a);
  reply reverse_continue(const json& a);
  reply pause(const json& a);
  reply step(const json& a, resumption::how by_lines);

  // ---- Paths and code (paths.cpp, code.cpp)
  struct frame_row {
    int64_t thread = 0;
    uint64_t pc = 0;
    frame_choice names = {};
  };
  reply list_threads(const json& a);
  reply stack_trace(const json& a);
  reply source(const json& a);
  reply disassemble(const json& a);
  reply read_memory(const json& a);
  // What there is of them now; throw input_error for others.
  const std::vector<thread_row>& threads();
  const thread_row& thread(int64_t id);
  const thread_row& thread_of_frame(const json& a);
  const thread_row* thread_of(const path& p);
  uint64_t pc_of(const thread_row& t) const;
  int lane_of(const thread_row& t) const;
  scene scene_of(const thread_row& t) const;
  // The same with the variables of the frame that the arguments name, if they do.
  scene scene_of_frame(const json& a);
  json source_json(const std::string& file) const;
  json listing_json(uint64_t pc, int64_t& line);
  std::vector<uint64_t> instructions_around(uint64_t pc, int64_t before, int64_t count) const;

  // ---- Variables (variables.cpp, containers.cpp, local_variables.cpp)
  enum class container_kind : uint8_t {
    path,
    locals,
    parts,
    scalars,
    vectors,
    lanes,
    buffers,
    elements,
    lds,
    scheme,
    counters
  };
  struct container {
    container_kind kind = container_kind::path;
    int64_t thread = 0;
    int number = 0;                      // lanes: of the register
    std::string name;                    // elements: of the buffer; parts: what evaluates to the object
    frame_choice names = {};             // locals and parts
    std::optional<typed_object> object;  // parts
  };
  reply scopes(const json& a);
  reply variables(const json& a);
  reply set_variable(const json& a);
  int64_t reference(container c);
  const container& container_of(int64_t reference) const;
  json variables_of(const container& c, const json& a);
  json path_variables(const thread_row& t);
  json local_variables(const container& c, const thread_row& t);
  json part_variables(const container& c, const thread_row& t, const json& a);
  // What a client is told of an object: its value and type, and a container of its parts.
  json object_json(const typed_object& o, const std::string& expression, const thread_row& t, const scene& s);
  json scalar_variables(const thread_row& t);
  json vector_variables(const thread_row& t);
  json lane_variables(const container& c, const thread_row& t, const json& a);
  json buffer_variables(const thread_row& t);
  json element_variables(const container& c, const json& a);
  json lds_variables(const thread_row& t, const json& a);
  json scheme_variables(const thread_row& t);
  json counter_variables();
  void choose_lane(const thread_row& t, const std::string& text);

  // ---- Expressions and the console (evaluating.cpp)
  reply evaluate(const json& a);
  reply completions(const json& a);
  json evaluate_expression(const std::string& text, const json& a);
  json evaluate_words(const std::string& text, const json& a);
  // The console looks at the frame's path, if the client looks at another one than before.
  void follow_frame(const json& a);

  int64_t line_to_client(int64_t line) const { return lines_from_1_ ? line : line - 1; }
  int64_t column_to_client(int64_t column) const { return columns_from_1_ ? column : column - 1; }

  connection& client_;
  enum class phase : uint8_t { idle, loading, standing, running, ended } state_ = phase::idle;
  bool initialised_ = false, over_ = false, configured_ = false, begun_ = false;
  bool lines_from_1_ = true, columns_from_1_ = true, can_invalidate_ = false;
  std::vector<std::pair<const char*, json>> after_;
  int signal_ = 0;  // that has ended a run

  // The run, as it was launched
  std::optional<run_config> config_;
  std::optional<program_launch> program_;  // in place of a run
  json launch_arguments_;
  bool has_crashed_ = false;  // the program has ended without its exit handlers, and what it knew of points is lost
  program_support programs_;
  std::optional<firmware_launch> firmware_;  // in place of both
  firmware_support firmware_support_;
  bool stops_on_entry_ = false;
  std::optional<json> launch_request_;  // not answered yet
  std::atomic<bool> answered_launch_{false};
  bool wants_run_ = false;  // it is to be run, or to be run again
  bool any_run_ = false;    // there has been one in this process

  std::ostringstream said_;  // by the console
  debugger core_;
  console console_;
  point_wishes wishes_;

  // While the machine stands, and about the latest stop
  stop stop_;
  std::optional<resumption> resume_;
  bool wants_stop_ = false;       // while it runs: it is to stop
  bool ends_run_ = false;         // the run is to be given up
  bool is_entry_ = false;         // the next stop is that of stopOnEntry
  bool console_resumed_ = false;  // and so tells of the next stop
  thread_table numbers_;
  std::vector<thread_row> threads_;  // empty: not listed yet
  std::map<int64_t, frame_row> frames_;
  std::map<int64_t, container> containers_;
  int64_t latest_number_ = 0;             // of frames and containers: none is used twice
  std::map<int64_t, int> chosen_lanes_;   // by thread
  int64_t followed_ = 0;                  // the thread that the console was last told to look at
  std::map<int64_t, uint64_t> listings_;  // by sourceReference: functions without source lines, by their beginning
};

}  // namespace pws::platform::debug::dap
