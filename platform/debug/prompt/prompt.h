// SPDX-License-Identifier: Apache-2.0
// A debugger's prompt: words as in gdb.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "platform/debug/debugger.h"
#include "platform/debug/prompt/input.h"

namespace pws::platform::debug {

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

class prompt : public stop_listener {
 public:
  prompt(std::ostream& out, std::ostream& problems, command_input& input);

  // Whom it is the prompt of; before the first stop.
  void attach(debugger& d) { debugger_ = &d; }
  resumption stopped(const stop& s) override;
  // Commands of scripts that were wrong.
  uint64_t wrong_commands() const { return wrong_; }

 private:
  using answer = std::optional<resumption>;  // none: the machine still stands
  using word_call = answer (prompt::*)(words& w);
  struct word_row {
    const char* name;      // with others that mean the same: "continue c"
    const char* operands;  // for the help
    const char* help;
    word_call call;
  };
  static const std::vector<word_row>& rows();
  static const std::vector<word_row>& info_rows();
  static word_row find(const std::vector<word_row>& rows, const std::string& name, const char* what);

  answer execute(const std::string& text);
  // What could stand in place of a word, behind what is in front of it.
  std::vector<std::string> offers(const std::string& before) const;

  // ---- To the machine (resume_words.cpp)
  answer run(words& w);
  answer go_on(words& w);
  answer step_instruction(words& w);
  answer step_line(words& w);
  answer next_line(words& w);
  answer until(words& w);
  answer reverse_step(words& w);
  answer reverse_continue(words& w);
  answer quit(words& w);
  answer step(words& w, resumption::how what);
  resumption of_selected(resumption::how what) const;

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

  // ---- What there is to see (show_words.cpp, memory_words.cpp)
  answer info(words& w);
  answer info_registers(words& w);
  answer info_wavefronts(words& w);
  answer info_paths(words& w);
  answer info_scheme(words& w);
  answer info_buffers(words& w);
  answer info_launch(words& w);
  answer info_counters(words& w);
  answer print_value(words& w);
  answer examine(words& w);
  answer list(words& w);
  answer disassemble(words& w);
  answer backtrace(words& w);
  answer select_wavefront(words& w);
  answer select_path(words& w);
  answer select_lane(words& w);
  answer help(words& w);

  void say_stop();
  void say_where();
  void say_selected();
  void say_path(size_t number, const path& p);
  void say_register(const std::string& name);
  void say_line(const loader::source_line& l) const;
  void show_instructions(uint64_t begin, uint64_t end) const;
  std::string line_text(uint64_t pc) const;
  std::string text_of(const value& v, const show_format& f) const;
  static show_format format_in(words& w);

  const machine_view& machine() const { return debugger_->machine(); }
  scene here() const { return {&machine(), selected_, lane_, stop_.cycle}; }
  path selected() const;  // throws input_error where there is none
  void select(const path& p, int lane = -1);

  std::ostream& out_;
  std::ostream& problems_;
  command_input& input_;
  debugger* debugger_ = nullptr;
  stop stop_;
  path selected_;
  int lane_ = -1;
  bool begins_again_ = false;  // `run` has been given while it ran: it goes on from the beginning
  uint64_t passes_left_ = 0;   // continue N
  std::string latest_;         // command, for an empty line
  std::string listed_file_;
  unsigned listed_ = 0;  // the last line that `list` has shown
  uint64_t wrong_ = 0;
};

}  // namespace pws::platform::debug
