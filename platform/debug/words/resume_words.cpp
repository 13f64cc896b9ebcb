// SPDX-License-Identifier: Apache-2.0
// Commands that let the machine go on, or back.
#include <fmt/ostream.h>

#include "base/error.h"
#include "platform/debug/words/console.h"

namespace pws::platform::debug {

using how = resumption::how;

resumption console::of_selected(how what) const {
  resumption r;
  r.what = what;
  r.from = selected_;
  r.position = stop_.position;
  return r;
}

console::answer console::run(words& w) {
  w.end();
  if (stop_.why != stop_reason::launch_begins) debugger_.check_that_it_can_go_back();
  begins_again_ = stop_.why != stop_reason::launch_begins;
  return of_selected(begins_again_ ? how::again : how::go_on);
}

console::answer console::go_on(words& w) {
  const uint64_t count = w.empty() ? 1 : w.take_number("how many stops");
  w.end();
  passes_left_ = count == 0 ? 0 : count - 1;
  return of_selected(how::go_on);
}

console::answer console::step(words& w, how what) {
  resumption r = of_selected(what);
  while (!w.empty()) {
    const std::string word = w.rest().substr(0, w.rest().find(' '));
    if (const auto scope = value_named<step_scope>(word)) {
      r.scope = *scope;
      w.take();
    } else {
      r.count = w.take_number("how often, or path, wavefront or all");
    }
  }
  if (stop_.why == stop_reason::run_ended) throw input_error("the run has ended: `run` begins it again");
  if (!selected_) {
    // Before the first instruction there is no path: the first one of any is the step.
    if (what != how::instruction) throw input_error("no path is there yet: `break` at a kernel and `run`, or `stepi`");
    r.scope = step_scope::all;
  }
  if (r.count == 0) return std::nullopt;
  return r;
}

console::answer console::step_instruction(words& w) {
  return step(w, how::instruction);
}
console::answer console::step_line(words& w) {
  return step(w, how::line);
}
console::answer console::next_line(words& w) {
  return step(w, how::next_line);
}

console::answer console::until(words& w) {
  if (w.empty()) throw input_error("a place is missing");
  selected();
  resumption r = of_selected(how::until);
  r.scope = step_scope::wavefront;
  r.places = place_in(w.rest()).at;
  return r;
}

console::answer console::reverse_step(words& w) {
  w.end();
  return back(how::back_to);
}
console::answer console::reverse_step_line(words& w) {
  w.end();
  return back(how::back_a_line);
}
console::answer console::reverse_next_line(words& w) {
  w.end();
  return back(how::back_past);
}

resumption console::back(how what) const {
  debugger_.check_that_it_can_go_back();
  const std::optional<uint64_t> before = debugger_.latest_of(selected());
  if (!before) throw input_error("the path has just begun: nothing of it is before");
  resumption r = of_selected(what);
  if (what == how::back_to) r.position = *before;
  return r;
}

resumption console::out() const {
  if (!debugger_.is_in_call(selected())) throw input_error("the path is in no call: its kernel has no caller");
  return of_selected(how::out);
}

console::answer console::finish(words& w) {
  w.end();
  return out();
}

console::answer console::reverse_continue(words& w) {
  w.end();
  debugger_.check_that_it_can_go_back();
  return of_selected(how::back_to_point);
}

console::answer console::quit(words& w) {
  w.end();
  return of_selected(how::end);
}

}  // namespace pws::platform::debug
