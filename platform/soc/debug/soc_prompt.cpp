// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/debug/soc_prompt.h"

#include <algorithm>
#include <ostream>

#include "platform/debug/debugger.h"
#include "platform/debug/words/console.h"

namespace pws::platform {

soc_prompt::soc_prompt(soc_system& system, const std::vector<std::string>& kernels, debug::command_input& input,
                       std::ostream& out, std::ostream& problems, prompt_outcome& outcome)
    : out_(out),
      asker_(out, problems, input),
      gpus_(system, kernels, *this),
      handler_(gpus_.cores()),
      outcome_(outcome) {
  input.complete_with([this](const std::string& before, const std::string&) { return gpus_.offers(before); });
}

void soc_prompt::gpu_stopped(const std::string& text) {
  out_ << text;
  ask();
}

// A Ctrl-C that no GPU has met.
void soc_prompt::look() {
  const std::vector<debug::debugger*> all = gpus_.cores();
  if (outcome_.given_up || std::none_of(all.begin(), all.end(), [](const auto* d) { return d->is_interrupted(); }))
    return;
  out_ << "Interrupted. No GPU executes anything.\n";
  gpus_.stand();
  ask();
  gpus_.go_on();
}

void soc_prompt::quit() {
  outcome_.given_up = true;
  gpus_.forget_points();
  sc_core::sc_pause();
}

bool soc_prompt::execute(const std::string& line) {
  debug::words w(line);
  const gpu_debugger::answer a = w.take() == "gpu" ? gpus_.execute_of(w.rest()) : gpus_.execute(line);
  out_ << a.text;
  return a.goes_on;
}

void soc_prompt::ask() {
  const auto forget = [this] {
    for (debug::debugger* d : gpus_.cores()) d->forget_interrupt();
  };
  const bool goes_on = asker_.ask({forget, [this](const std::string& line) { return execute(line); },
                                   [this]() -> const std::string& { return gpus_.latest(); }});
  outcome_.wrong_commands = asker_.wrong_commands();
  if (!goes_on) quit();
}

}  // namespace pws::platform
