// SPDX-License-Identifier: Apache-2.0
// Commands about calls and the variables that they have.
#include <fmt/ostream.h>

#include "base/error.h"
#include "platform/debug/frames.h"
#include "platform/debug/variables.h"
#include "platform/debug/words/console.h"
#include "sw/loader/line_table.h"

namespace pws::platform::debug {

void console::say_frame(size_t number, const call_frame& f) {
  const std::string line = f.line.line == 0 ? "" : loader::text(f.line);
  if (f.inlined)
    fmt::print(out_, "#{:<3}{} at {}\n", number,
               f.inlined_name.empty() ? "inlined function" : f.inlined_name + ", inlined,", line);
  else
    fmt::print(out_, "#{:<3}{:#x} {}{}\n", number, f.pc, debugger_.code().symbol_text(f.pc),
               line.empty() ? "" : " at " + line);
}

console::answer console::backtrace(words& w) {
  w.end();
  size_t n = 0;
  for (const call_frame& f : frames_of(debugger_, selected(), machine().pc_of(selected()))) say_frame(n++, f);
  return std::nullopt;
}

console::answer console::to_frame(int64_t number) {
  const std::vector<call_frame> all = frames_of(debugger_, selected(), machine().pc_of(selected()));
  if (number < 0 || static_cast<uint64_t>(number) >= all.size())
    throw input_error(all.size() == 1 ? "the path is in no call: there is frame 0"
                                      : fmt::format("the path has frames 0 to {}", all.size() - 1));
  frame_number_ = static_cast<size_t>(number);
  frame_ = all[frame_number_];
  say_frame(frame_number_, frame_);
  if (frame_.line.line != 0) say_line(frame_.line);
  listed_ = 0;
  return std::nullopt;
}

console::answer console::select_frame(words& w) {
  const uint64_t number = w.empty() ? frame_number_ : w.take_number("the number of a frame");
  w.end();
  return to_frame(number > ~uint32_t{0} ? -1 : static_cast<int64_t>(number));
}

console::answer console::up(words& w) {
  const uint64_t count = w.empty() ? 1 : w.take_number("a count");
  w.end();
  return to_frame(count > ~uint32_t{0} ? -1 : static_cast<int64_t>(frame_number_ + count));
}

console::answer console::down(words& w) {
  const uint64_t count = w.empty() ? 1 : w.take_number("a count");
  w.end();
  return to_frame(count > frame_number_ ? -1 : static_cast<int64_t>(frame_number_ - count));
}

console::answer console::info_locals(words& w) {
  w.end();
  selected();
  const scene s = here();
  const std::vector<visible_variable> all = variables_in(s);
  const uint64_t pc = s.frame.is_caller ? s.frame.pc : machine().pc_of(selected_);
  const auto& functions = machine().variables().functions_at(pc);
  if (functions.empty()) throw input_error("no variables are known here: the code was compiled without -g");
  const std::string state = state_of_lane(selected_, lane_);
  fmt::print(out_, "lane {}{}\n", lane_, state == "active" ? "" : fmt::format(", which is {}: what it holds", state));
  size_t function = functions.size();
  for (const visible_variable& v : all) {
    // Functions without variables are not worth a line.
    if (v.function != function && functions.size() > 1)
      fmt::print(out_, "{}{}:\n", functions[v.function].name, functions[v.function].is_inlined ? ", inlined" : "");
    function = v.function;
    fmt::print(out_, "{:<16}{}  {}{}\n", v.variable->name, shown_value(v, s), v.variable->type->name,
               v.is_hidden ? ", hidden by an inner one" : "");
  }
  if (all.empty()) fmt::print(out_, "No variables.\n");
  return std::nullopt;
}

}  // namespace pws::platform::debug
