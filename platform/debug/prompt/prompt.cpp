// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/prompt/prompt.h"

#include <nlohmann/json.hpp>

namespace pws::platform::debug {

prompt::prompt(std::ostream& out, std::ostream& problems, command_input& input)
    : out_(out), input_(input), asker_(out, problems, input) {
  input_.complete_with([this](const std::string& before, const std::string&) { return console_->offers(before); });
}

void prompt::attach(debugger& d) {
  debugger_ = &d;
  console_.emplace(d, out_);
}

resumption prompt::stopped(const stop& s) {
  if (const auto at_once = console_->stopped(s)) return *at_once;
  console_->say_stop();
  console::answer how;
  const bool goes_on = asker_.ask({[this] { debugger_->forget_interrupt(); },
                                   [&](const std::string& text) {
                                     how = console_->execute(text);
                                     return how.has_value();
                                   },
                                   [this]() -> const std::string& { return console_->latest(); }});
  return goes_on ? *how : console_->of_selected(resumption::how::end);
}

nlohmann::json prompt::state() {
  return {{"console", console_->state()}, {"input", input_.state()}, {"wrong", asker_.wrong_commands()}};
}

void prompt::take_state(const nlohmann::json& j) {
  console_->take_state(j["console"]);
  input_.take_state(j["input"]);
  asker_.take_wrong_commands(j["wrong"]);
}

}  // namespace pws::platform::debug
