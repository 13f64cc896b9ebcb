// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/prompt/prompt.h"

#include <fmt/ostream.h>

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace pws::platform::debug {

prompt::prompt(std::ostream& out, std::ostream& problems, command_input& input)
    : out_(out), problems_(problems), input_(input) {
  input_.complete_with([this](const std::string& before, const std::string&) { return console_->offers(before); });
}

void prompt::attach(debugger& d) {
  debugger_ = &d;
  console_.emplace(d, out_);
}

resumption prompt::stopped(const stop& s) {
  if (const auto at_once = console_->stopped(s)) return *at_once;
  console_->say_stop();
  for (;;) {
    out_.flush();
    const std::optional<command_text> c = input_.next("(pwsvp) ");
    debugger_->forget_interrupt();
    if (!c) return console_->of_selected(resumption::how::end);
    std::string text = without_blanks(c->text);
    if (c->interactive && text.empty()) text = console_->latest();
    if (!c->interactive && !text.empty() && text[0] != '#') fmt::print(out_, "(pwsvp) {}\n", text);
    try {
      if (console::answer a = console_->execute(text)) {
        out_.flush();
        return *a;
      }
    } catch (const input_error& e) {
      if (!c->interactive) ++wrong_;
      out_.flush();
      fmt::print(problems_, "{}{}\n", c->interactive || c->where.empty() ? "" : c->where + ": ", e.what());
      problems_.flush();
    }
  }
}

nlohmann::json prompt::state() {
  return {{"console", console_->state()}, {"input", input_.state()}, {"wrong", wrong_}};
}

void prompt::take_state(const nlohmann::json& j) {
  console_->take_state(j["console"]);
  input_.take_state(j["input"]);
  wrong_ = j["wrong"];
}

}  // namespace pws::platform::debug
