// SPDX-License-Identifier: Apache-2.0
// Commands that let the machine go on, or back.
#include <fmt/ostream.h>

#include "base/error.h"
#include "platform/debug/prompt/prompt.h"

namespace pws::platform::debug {

using how = resumption::how;

resumption prompt::of_selected(how what) const {
  resumption r;
  r.what = what;
  r.from = selected_;
  r.position = stop_.position;
  return r;
}

prompt::answer prompt::run(words& w) {
  w.end();
  begins_again_ = stop_.why != stop_reason::launch_begins;
  return of_selected(begins_again_ ? how::again : how::go_on);
}

prompt::answer prompt::go_on(words& w) {
  const uint64_t count = w.empty() ? 1 : w.take_number("how many stops");
  w.end();
  passes_left_ = count == 0 ? 0 : count - 1;
  return of_selected(how::go_on);
}

prompt::answer prompt::step(words& w, how what) {
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

prompt::answer prompt::step_instruction(words& w) {
  return step(w, how::instruction);
}
prompt::answer prompt::step_line(words& w) {
  return step(w, how::line);
}
prompt::answer prompt::next_line(words& w) {
  return step(w, how::next_line);
}

prompt::answer prompt::until(words& w) {
  if (w.empty()) throw input_error("a place is missing");
  selected();
  resumption r = of_selected(how::until);
  r.scope = step_scope::wavefront;
  r.places = place_in(w.rest()).at;
  return r;
}

prompt::answer prompt::reverse_step(words& w) {
  w.end();
  const std::optional<uint64_t> before = debugger_->latest_of(selected());
  if (!before) throw input_error("the path has just begun: nothing of it is before");
  resumption r = of_selected(how::back_to);
  r.position = *before;
  return r;
}

prompt::answer prompt::reverse_continue(words& w) {
  w.end();
  return of_selected(how::back_to_point);
}

prompt::answer prompt::quit(words& w) {
  w.end();
  return of_selected(how::end);
}

}  // namespace pws::platform::debug
