// SPDX-License-Identifier: Apache-2.0
// Words as in gdb, for whoever lets a user write commands: what they do, and what they answer.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "platform/debug/debugger.h"
#include "platform/debug/frames.h"

namespace pws::platform::debug {

// Without blanks in front and behind.
std::string without_blanks(std::string text);

// What stands behind a command, taken off word by word.
class words {
 public:
  explicit words(std::string text);
  bool empty() const { return rest_.empty(); }
  const std::string& rest() const { return rest_; }
  // The next one; "" if there is none.
  std::string take();
  // The next one as a number. Throws input_error, which says what it would be (`what`).
  uint64_t take_number(const std::string& what);
  // Throws input_error where something is left.
  void end() const;

 private:
  std::string rest_;
};

// How a value is shown: /8xw of `x/8xw`.
struct show_format {
  uint64_t count = 1;
  char letter = 0;  // x d u f t i; 0: as its type says
  char size = 0;    // b h w g; 0: not given
};

class console {
 public:
  using answer = std::optional<resumption>;  // none: the machine still stands

  // Answers go to `out`.
  console(debugger& d, std::ostream& out) : debugger_(d), out_(out) {}

  // The machine has stopped: the path of the stop is selected. What a command before has asked for may say at once how
  // it goes on; then nobody is to be told.
  answer stopped(const stop& s);
  // Why it has stopped and where, for a reader.
  void say_stop();
  // Does what a line says. Throws input_error: the command is wrong, and nothing has been done.
  answer execute(const std::string& text);
  // Whether the line begins with a command's name, or the beginning of one.
  bool knows(const std::string& text) const;
  // What could stand in place of a word, behind what is in front of it.
  std::vector<std::string> offers(const std::string& before) const;
  // The latest command, for who repeats it.
  const std::string& latest() const { return latest_; }

  // What outlasts a stop: as stop_listener's.
  nlohmann::json state() const;
  void take_state(const nlohmann::json& j);

  // ---- What commands are about
  // None: no wavefront runs.
  const path& selection() const { return selected_; }
  int lane() const { return lane_; }
  const stop& at() const { return stop_; }
  // `lane` -1: the one before if it is active, else the first that is.
  void select(const path& p, int lane = -1);
  // How to go on with the path that is selected. The latter two throw input_error: there is nothing before; it is in no
  // call.
  resumption of_selected(resumption::how what) const;
  resumption back(resumption::how what) const;
  resumption out() const;

 private:
  using word_call = answer (console::*)(words& w);
  struct word_row {
    const char* name;      // with others that mean the same: "continue c"
    const char* operands;  // for the help
    const char* help;
    word_call call;
  };
  static const std::vector<word_row>& rows();
  static const std::vector<word_row>& info_rows();
  static word_row find(const std::vector<word_row>& rows, const std::string& name, const char* what);

  // ---- To the machine (resume_words.cpp)
  answer run(words& w);
  answer go_on(words& w);
  answer step_instruction(words& w);
  answer step_line(words& w);
  answer next_line(words& w);
  answer until(words& w);
  answer finish(words& w);
  answer reverse_step(words& w);
  answer reverse_step_line(words& w);
  answer reverse_next_line(words& w);
  answer reverse_continue(words& w);
  answer quit(words& w);
  answer step(words& w, resumption::how what);

  // ---- Points (point_words.cpp)
  answer add_break(words& w);
  answer add_temporary(words& w);
  answer add_watch(words& w);
  answer add_read_watch(words& w);
  answer add_access_watch(words& w);
  answer add_catch(words& w);
  answer set_condition(words& w);
  answer remove(words& w);
  answer enable(words& w);
  answer disable(words& w);
  answer ignore(words& w);
  answer info_points(words& w);
  answer add_code_point(words& w, bool temporary);
  answer watch(words& w, point_kind kind);
  answer set_enabled(words& w, bool on);
  point& point_numbered(words& w);
  places::found place_in(const std::string& text) const;

  // ---- What there is to see (show_words.cpp, memory_words.cpp, variable_words.cpp)
  answer info(words& w);
  answer info_registers(words& w);
  answer info_wavefronts(words& w);
  answer info_paths(words& w);
  answer info_scheme(words& w);
  answer info_arguments(words& w);
  answer info_locals(words& w);
  answer info_launch(words& w);
  answer info_counters(words& w);
  answer info_caches(words& w);
  answer print_value(words& w);
  answer examine(words& w);
  answer list(words& w);
  answer disassemble(words& w);
  answer backtrace(words& w);
  answer select_frame(words& w);
  answer up(words& w);
  answer down(words& w);
  answer select_wavefront(words& w);
  answer select_path(words& w);
  answer select_lane(words& w);
  answer help(words& w);

  void say_where();
  void say_selected();
  void say_frame(size_t number, const call_frame& f);
  answer to_frame(int64_t number);
  void say_path(size_t number, const path& p);
  void say_register(const std::string& name);
  void say_line(const loader::source_line& l) const;
  void show_instructions(uint64_t begin, uint64_t end) const;
  std::string line_text(uint64_t pc) const;
  std::string text_of(const value& v, const show_format& f) const;
  static show_format format_in(words& w);

  const machine_view& machine() const { return debugger_.machine(); }
  scene here() const { return {&machine(), selected_, lane_, stop_.cycle, frame_.names}; }
  path selected() const;  // throws input_error where there is none
  const watched_launch& launch() const { return selected_ ? debugger_.launch_of(selected_) : debugger_.launch(); }

  debugger& debugger_;
  std::ostream& out_;
  stop stop_;
  path selected_;
  int lane_ = -1;
  size_t frame_number_ = 0;  // of the call that is looked at
  call_frame frame_;
  bool begins_again_ = false;  // `run` has been given while it ran: it goes on from the beginning
  uint64_t passes_left_ = 0;   // continue N
  std::string latest_;
  std::string listed_file_;
  unsigned listed_ = 0;  // the last line that `list` has shown
};

}  // namespace pws::platform::debug
