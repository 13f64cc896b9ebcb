// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/words/console.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "base/error.h"
#include "platform/debug/expression_node.h"
#include "platform/debug/natural.h"
#include "platform/debug/variables.h"

namespace pws::platform::debug {

namespace {

bool is_blank(char ch) {
  return std::isspace(static_cast<unsigned char>(ch)) != 0;
}

// The names of a row of commands, in order.
std::vector<std::string> names_of(const char* text) {
  std::istringstream in(text);
  std::vector<std::string> names;
  for (std::string name; in >> name;) names.push_back(name);
  return names;
}

}  // namespace

std::string without_blanks(std::string text) {
  while (!text.empty() && is_blank(text.back())) text.pop_back();
  size_t begin = 0;
  while (begin < text.size() && is_blank(text[begin])) ++begin;
  return text.substr(begin);
}

words::words(std::string text) : rest_(without_blanks(std::move(text))) {}

std::string words::take() {
  size_t end = 0;
  while (end < rest_.size() && !is_blank(rest_[end])) ++end;
  const std::string word = rest_.substr(0, end);
  rest_ = without_blanks(rest_.substr(end));
  return word;
}

uint64_t words::take_number(const std::string& what) {
  const std::string word = take();
  if (word.empty()) throw input_error(what + " is missing");
  const auto n = natural_in(word);
  if (!n) throw input_error(fmt::format("`{}` is no number: {} is wanted", word, what));
  return *n;
}

void words::end() const {
  if (!rest_.empty()) throw input_error(fmt::format("`{}` is too much", rest_));
}

// In the order of the help. An abbreviation means the first that begins with it.
const std::vector<console::word_row>& console::rows() {
  static const std::vector<word_row> all = {
      {"break b", "[PLACE] [if CONDITION]",
       "Stop before a place: LINE, FILE:LINE, KERNEL, FUNCTION, LABEL, NAME+OFFSET or *ADDRESS", &console::add_break},
      {"tbreak tb", "[PLACE] [if CONDITION]", "The same once", &console::add_temporary},
      {"watch", "WHAT [if CONDITION]",
       "Stop where it changes: out[3], out, *ADDRESS, lds[OFFSET], each with @COUNT; a variable, s4, v2[17], exec",
       &console::add_watch},
      {"rwatch", "WHAT [if CONDITION]", "Stop where memory is read", &console::add_read_watch},
      {"awatch", "WHAT [if CONDITION]", "Stop where memory is accessed", &console::add_access_watch},
      {"catch", "split|merge|barrier|end|finding [if CONDITION]",
       "Stop before a path splits, merges or comes to a barrier, when a launch has ended, or where a check finds "
       "something",
       &console::add_catch},
      {"condition", "NUMBER [CONDITION]", "Stop there only where it holds; without one, always",
       &console::set_condition},
      {"ignore", "NUMBER COUNT", "Pass it so many times from now on", &console::ignore},
      {"enable", "[NUMBER...]", "Stop there again", &console::enable},
      {"disable", "[NUMBER...]", "Do not stop there", &console::disable},
      {"delete d", "[NUMBER...]", "Forget it; without a number, all", &console::remove},
      {"run r", "", "Begin; while it runs, again from the beginning", &console::run},
      {"continue c", "[COUNT]", "Go on to the next stop, or to the COUNTth", &console::go_on},
      {"stepi si", "[COUNT] [path|wavefront|all]", "Execute an instruction of the path, of the wavefront, of any",
       &console::step_instruction},
      {"step s", "[COUNT] [path|wavefront|all]", "Go on to another source line", &console::step_line},
      {"next n", "[COUNT] [path|wavefront|all]", "The same, past functions that are called or inlined",
       &console::next_line},
      {"finish", "", "Go on until the path is behind the call that it is in", &console::finish},
      {"until u advance", "PLACE", "Go on until a path of the wavefront comes to the place", &console::until},
      {"reverse-stepi rsi", "", "Go back to the path's instruction before", &console::reverse_step},
      {"reverse-step rs", "", "Go back to where the path's source line begins, or the one before",
       &console::reverse_step_line},
      {"reverse-next rn", "", "The same, past functions that are called or inlined", &console::reverse_next_line},
      {"reverse-continue rc", "", "Go back to the stop before", &console::reverse_continue},
      {"info i", "WHAT",
       "Show breakpoints, registers, wavefronts, paths, scheme, arguments, locals, launch or counters", &console::info},
      {"print p", "[/FORMAT] EXPRESSION", "Show a value: variables, registers, elements of buffers, numbers",
       &console::print_value},
      {"x", "[/FORMAT] ADDRESS|lds OFFSET", "Show memory: x/8xw out, x/4i pc, x/2f lds 16", &console::examine},
      {"list l", "[PLACE]", "Show source lines", &console::list},
      {"disassemble", "[NAME]", "Show a function's instructions, and where paths stand", &console::disassemble},
      {"backtrace bt where", "", "Show which calls the path is in", &console::backtrace},
      {"frame f", "[NUMBER]", "Look at the variables of another call of the backtrace", &console::select_frame},
      {"up", "[COUNT]", "Look at the call around", &console::up},
      {"down", "[COUNT]", "Look at the call within", &console::down},
      {"wavefront", "[NUMBER]", "Look at another wavefront", &console::select_wavefront},
      {"path", "[NUMBER]", "Look at another path of the wavefront", &console::select_path},
      {"lane", "[NUMBER]", "Look at another lane", &console::select_lane},
      {"help h", "[COMMAND]", "Show this", &console::help},
      {"quit q", "", "Give the run up", &console::quit},
  };
  return all;
}

const std::vector<console::word_row>& console::info_rows() {
  static const std::vector<word_row> all = {
      {"breakpoints", "", "", &console::info_points},
      {"watchpoints", "", "", &console::info_points},
      {"registers", "[NAME...]", "", &console::info_registers},
      {"wavefronts", "", "", &console::info_wavefronts},
      {"paths", "", "", &console::info_paths},
      {"scheme", "", "", &console::info_scheme},
      {"arguments buffers", "", "", &console::info_arguments},
      {"launch", "", "", &console::info_launch},
      {"locals", "", "", &console::info_locals},
      {"counters", "", "", &console::info_counters},
      {"caches", "[ADDRESS]", "", &console::info_caches},
  };
  return all;
}

console::word_row console::find(const std::vector<word_row>& rows, const std::string& name, const char* what) {
  const word_row* found = nullptr;
  for (const word_row& r : rows)
    for (const std::string& n : names_of(r.name)) {
      if (n == name) return r;
      if (found == nullptr && n.rfind(name, 0) == 0) found = &r;
    }
  if (found != nullptr && !name.empty()) return *found;
  std::string all;
  for (const word_row& r : rows) all += (all.empty() ? "" : ", ") + names_of(r.name).front();
  throw input_error(fmt::format("there is no {} `{}`; there are: {}", what, name, all));
}

console::answer console::stopped(const stop& s) {
  stop_ = s;
  listed_ = 0;
  // `continue N` passes stops by points.
  if (s.why == stop_reason::point && passes_left_ > 0) {
    --passes_left_;
    return resumption{};
  }
  passes_left_ = 0;
  selected_ = {};
  frame_number_ = 0;
  frame_ = {};
  if (s.why == stop_reason::launch_begins && std::exchange(begins_again_, false)) return resumption{};
  path at = s.at;
  if (!at) {
    const std::vector<path> all = machine().wavefronts();
    if (!all.empty() && s.why != stop_reason::run_ended) at = all.front();
  }
  if (at) select(at, s.lane);
  return std::nullopt;
}

nlohmann::json console::state() const {
  return {{"latest", latest_}, {"begins_again", begins_again_}};
}

void console::take_state(const nlohmann::json& j) {
  latest_ = j["latest"];
  begins_again_ = j["begins_again"];
  passes_left_ = 0;
}

std::vector<std::string> console::offers(const std::string& before) const {
  std::vector<std::string> all;
  const std::vector<std::string> given = names_of(before.c_str());
  if (given.empty())
    for (const word_row& r : rows()) all.push_back(names_of(r.name).front());
  if (given == std::vector<std::string>{"info"})
    for (const word_row& r : info_rows()) all.push_back(names_of(r.name).front());
  if (given == std::vector<std::string>{"catch"}) all = names_of_events();
  if (!all.empty()) return all;
  all = debugger_.code().names();
  for (const auto& [name, place] : machine().buffers()) all.push_back(name);
  for (const auto& [name, number] : machine().numbers()) all.push_back(name);
  for (const visible_variable& v : variables_in(here())) all.push_back(v.variable->name);
  for (const auto& r : enumerators(special{})) all.emplace_back(r.name);
  return all;
}

namespace {

// x/8xw: the format stands at the word.
size_t end_of_name(const std::string& text) {
  size_t end = 0;
  while (end < text.size() && !is_blank(text[end]) && text[end] != '/') ++end;
  return end;
}

}  // namespace

bool console::knows(const std::string& given) const {
  const std::string text = without_blanks(given), name = text.substr(0, end_of_name(text));
  if (name.empty()) return true;  // an empty line, which does nothing
  for (const word_row& r : rows())
    for (const std::string& n : names_of(r.name))
      if (n.rfind(name, 0) == 0) return true;
  return text[0] == '#';
}

console::answer console::execute(const std::string& given) {
  const std::string text = without_blanks(given);
  if (text.empty() || text[0] == '#') return std::nullopt;
  const size_t end = end_of_name(text);
  const word_row r = find(rows(), text.substr(0, end), "command");
  latest_ = text;
  words w(text.substr(end));
  return (this->*r.call)(w);
}

console::answer console::help(words& w) {
  if (!w.empty()) {
    const word_row r = find(rows(), w.take(), "command");
    w.end();
    fmt::print(out_, "{} {}\n  {}\n", r.name, r.operands, r.help);
    return std::nullopt;
  }
  for (const word_row& r : rows()) fmt::print(out_, "{:<44}{}\n", fmt::format("{} {}", r.name, r.operands), r.help);
  return std::nullopt;
}

console::answer console::info(words& w) {
  const word_row r = find(info_rows(), w.take(), "thing to show");
  return (this->*r.call)(w);
}

}  // namespace pws::platform::debug
