// SPDX-License-Identifier: Apache-2.0
// Commands about breakpoints, watchpoints and catchpoints.
#include <fmt/ostream.h>

#include "base/error.h"
#include "platform/debug/asked_points.h"
#include "platform/debug/words/console.h"

namespace pws::platform::debug {

namespace {

// Takes "if CONDITION" off the end of `text`.
std::optional<expression> take_condition(std::string& text) {
  const size_t at = text.rfind("if ", 0) == 0 ? 0 : text.find(" if ");
  if (at == std::string::npos) return std::nullopt;
  const size_t begin = text.find("if ", at) + 3;
  std::optional<expression> e = expression::parse(text.substr(begin));
  text.erase(at);
  return e;
}

}  // namespace

places::found console::place_in(const std::string& text) const {
  if (!text.empty()) return debug::place_in(debugger_, text, here(), selected_ ? machine().pc_of(selected_) : stop_.pc);
  return {{debugger_.code().instruction(machine().pc_of(selected()))}, {}};
}

console::answer console::add_code_point(words& w, bool temporary) {
  std::string text = w.rest();
  std::optional<expression> condition = take_condition(text);
  text = words(text).rest();
  // Without a place it is where the path stands.
  const uint64_t near = selected_ ? machine().pc_of(selected_) : stop_.pc;
  if (text.empty()) text = fmt::format("*{:#x}", machine().pc_of(selected()));
  const char* const title = temporary ? "Temporary breakpoint" : "Breakpoint";
  point p;
  code_line line;
  std::string problem;
  try {
    p = break_at(debugger_, text, here(), near, line);
  } catch (const unknown_place& e) {
    if (!debugger_.is_program()) throw;
    p.text = p.find_again = text;
    problem = e.what();
  }
  p.condition = std::move(condition);
  p.temporary = temporary;
  const std::vector<uint64_t> at = p.places;
  const uint32_t number = debugger_.points.add(std::move(p));
  if (at.empty()) {
    fmt::print(out_, "{} {} waits for code to come: {}\n", title, number, problem);
    return std::nullopt;
  }
  const std::string where = line.line == 0 ? "" : ": " + loader::text(loader::source_line{line.file, line.line, 0});
  fmt::print(out_, "{} {} at {:#x} {}{}{}\n", title, number, at.front(), debugger_.code().symbol_text(at.front()),
             where, at.size() > 1 ? fmt::format(" ({} places)", at.size()) : "");
  return std::nullopt;
}

console::answer console::add_break(words& w) {
  return add_code_point(w, false);
}
console::answer console::add_temporary(words& w) {
  return add_code_point(w, true);
}

console::answer console::watch(words& w, point_kind kind) {
  std::string text = w.rest();
  std::optional<expression> condition = take_condition(text);
  point p = watch_on(debugger_, words(text).rest(), kind, here());
  p.condition = std::move(condition);
  fmt::print(out_, "{}\n", title_of(*debugger_.points.find(debugger_.points.add(std::move(p)))));
  return std::nullopt;
}

console::answer console::add_watch(words& w) {
  return watch(w, point_kind::write);
}
console::answer console::add_read_watch(words& w) {
  return watch(w, point_kind::read);
}
console::answer console::add_access_watch(words& w) {
  return watch(w, point_kind::access);
}

console::answer console::add_catch(words& w) {
  std::string text = w.rest();
  std::optional<expression> condition = take_condition(text);
  point p = catch_on(debugger_, words(text).rest());
  p.condition = std::move(condition);
  const char* const kind = name_of(p.kind);
  const uint32_t number = debugger_.points.add(std::move(p));
  fmt::print(out_, "Catchpoint {} ({})\n", number, kind);
  return std::nullopt;
}

point& console::point_numbered(words& w) {
  const uint64_t n = w.take_number("the number of a breakpoint");
  point* const p = n > ~uint32_t{0} ? nullptr : debugger_.points.find(static_cast<uint32_t>(n));
  if (p == nullptr) throw input_error(fmt::format("there is no breakpoint {}", n));
  return *p;
}

console::answer console::set_condition(words& w) {
  point& p = point_numbered(w);
  if (w.empty()) {
    p.condition.reset();
    fmt::print(out_, "Breakpoint {} stops always\n", p.number);
  } else {
    p.condition = expression::parse(w.rest());
  }
  return std::nullopt;
}

console::answer console::ignore(words& w) {
  point& p = point_numbered(w);
  const uint64_t count = w.take_number("how often");
  w.end();
  p.ignore = p.hits + count;
  fmt::print(out_, "Breakpoint {} is passed {} times\n", p.number, count);
  return std::nullopt;
}

console::answer console::remove(words& w) {
  if (w.empty()) debugger_.points.clear();
  while (!w.empty()) debugger_.points.remove(point_numbered(w).number);
  return std::nullopt;
}

console::answer console::set_enabled(words& w, bool on) {
  if (w.empty())
    for (const auto& p : debugger_.points.all()) p->enabled = on;
  while (!w.empty()) point_numbered(w).enabled = on;
  debugger_.points.changed();
  return std::nullopt;
}

console::answer console::enable(words& w) {
  return set_enabled(w, true);
}
console::answer console::disable(words& w) {
  return set_enabled(w, false);
}

console::answer console::info_points(words& w) {
  w.end();
  if (debugger_.points.all().empty()) fmt::print(out_, "No breakpoints, watchpoints or catchpoints.\n");
  for (const auto& p : debugger_.points.all()) {
    fmt::print(out_, "{:<4}{:<24}{:<4}{:<24}{}\n", p->number, name_of(p->kind), p->enabled ? "y" : "n", p->text,
               p->hits == 0 ? "" : fmt::format("met {} times", p->hits));
    for (const uint64_t pc : p->places)
      fmt::print(out_, "      {:#x} {} {}\n", pc, debugger_.code().symbol_text(pc), line_text(pc));
    if (p->condition) fmt::print(out_, "      if {}\n", p->condition->text());
    if (p->temporary) fmt::print(out_, "      once\n");
  }
  return std::nullopt;
}

}  // namespace pws::platform::debug
